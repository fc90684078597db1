package dev.staithe.slcs.saml;

import java.time.Clock;
import java.time.Instant;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The IDs of messages that were used, until they could not be used anyway: bearer assertions are
 * good once (SAML profiles section 4.1.4.5). The database refuses the second of two nodes.
 * Thread-safe.
 */
final class ConsumedIds {
  private final JdbcClient jdbc;
  private final Clock clock;

  ConsumedIds(DataSource store, Clock clock) {
    this.jdbc = JdbcClient.create(store);
    this.clock = clock;
  }

  /** Takes an ID of a kind of message of a provider; false where it was taken before. */
  boolean take(String kind, String provider, String id, Instant until) {
    try {
      jdbc.sql("INSERT INTO saml_consumed (digest, expires) VALUES (?, ?)")
          .param(Digests.of(kind + "\n" + provider + "\n" + id))
          .param(until.getEpochSecond() + 1)
          .update();
      return true;
    } catch (DuplicateKeyException e) {
      return false;
    }
  }

  /** Forgets what could not be used any more. */
  int sweep() {
    return jdbc.sql("DELETE FROM saml_consumed WHERE expires <= ?")
        .param(clock.instant().getEpochSecond())
        .update();
  }
}
