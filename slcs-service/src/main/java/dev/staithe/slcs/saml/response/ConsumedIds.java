package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.session.Digests;
import dev.staithe.slcs.session.SessionRows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.StringJoiner;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The IDs of messages that were used, until they could not be used anyway: bearer assertions are
 * good once (SAML profiles section 4.1.4.5). The database refuses the second of two nodes.
 * Thread-safe.
 */
public final class ConsumedIds {
  /** As much may the clock of a node be late that takes a message for good still. */
  private static final Duration LATE = Duration.ofMinutes(5);

  private final JdbcClient jdbc;
  private final Clock clock;

  ConsumedIds(DataSource store, Clock clock) {
    this.jdbc = JdbcClient.create(store);
    this.clock = clock;
  }

  /**
   * Takes IDs of a kind of message of a provider, all or none.
   *
   * @param ids by kind, one or more
   * @return false where one of them was taken before
   */
  public boolean take(String provider, Map<String, String> ids, Instant until) {
    // One statement: one transaction, and one way to the database.
    var rows = new StringJoiner(", ");
    var values = new ArrayList<Object>();
    ids.forEach(
        (kind, id) -> {
          rows.add("(?, ?)");
          values.add(digest(provider, kind, id));
          values.add(until.getEpochSecond() + 1);
        });
    try {
      jdbc.sql("INSERT INTO saml_consumed (digest, expires) VALUES " + rows)
          .params(values)
          .update();
      return true;
    } catch (DuplicateKeyException e) {
      return false;
    }
  }

  /** Whether that ID was taken; it is free for others, who may ask at the same time. */
  public boolean isTaken(String provider, String kind, String id) {
    return jdbc.sql("SELECT COUNT(*) FROM saml_consumed WHERE digest = ?")
            .param(digest(provider, kind, id))
            .query(Long.class)
            .single()
        > 0;
  }

  private static String digest(String provider, String kind, String id) {
    return Digests.of(kind + "\n" + provider + "\n" + id);
  }

  /** Forgets what could not be used any more, on no node whose clock is a little late either. */
  public int sweep() {
    return jdbc.sql(
            "DELETE FROM saml_consumed WHERE expires <= ? AND expires <= "
                + SessionRows.ITS_OWN_CLOCK)
        .param(clock.instant().minus(LATE).getEpochSecond())
        .update();
  }
}
