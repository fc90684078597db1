package dev.staithe.slcs.issue;

import dev.staithe.pki.DistinguishedName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Who has which name, for ever: a person keeps the first one, and nobody else gets it (IGTF SLCS
 * profile §3.1). The database holds both, whichever node asks first. Counts certificates of a
 * person too, in the same row. Methods throw {@link org.springframework.dao.DataAccessException}
 * where the database does not answer. Thread-safe.
 */
final class NameRegistry {
  /** What is known of a person's name. */
  sealed interface Holding {
    /** The person's. */
    record Held(DistinguishedName name) implements Holding {}

    /** Another's. */
    record Taken() implements Holding {}
  }

  /** What the count of certificates says. */
  sealed interface Count {
    /** One more. */
    record Within() implements Count {}

    /** Enough until then. */
    record Beyond(Duration after) implements Count {}
  }

  private final JdbcClient client;
  private final int most;
  private final Duration window;
  private final Clock clock;

  /**
   * @param database with the tables of part {@code issue}
   * @param most certificates of a person within {@code window}
   */
  NameRegistry(DataSource database, int most, Duration window, Clock clock) {
    this.client = JdbcClient.create(database);
    this.most = most;
    this.window = window;
    this.clock = clock;
  }

  /**
   * The person's name: the one kept, else the proposed one, which is then kept.
   *
   * @param principal to find the row by; nothing is decided by it
   */
  Holding hold(Person person, DistinguishedName proposed, String principal) {
    Optional<DistinguishedName> kept = find(person);
    if (kept.isPresent()) {
      return new Holding.Held(kept.get());
    }
    try {
      client
          .sql(
              """
              INSERT INTO slcs_name
                (provider, person, name, canonical, principal, first_held, window_began, issued)
              VALUES (?, ?, ?, ?, ?, ?, 0, 0)
              """)
          .param(person.provider())
          .param(person.id())
          .param(proposed.slashes())
          .param(proposed.canonical())
          .param(principal)
          .param(Instant.now(clock).atOffset(ZoneOffset.UTC))
          .update();
      return new Holding.Held(proposed);
    } catch (DuplicateKeyException e) {
      // Another request of the same person was first, or the name is another's.
      return find(person).<Holding>map(Holding.Held::new).orElseGet(Holding.Taken::new);
    }
  }

  private Optional<DistinguishedName> find(Person person) {
    return client
        .sql("SELECT name FROM slcs_name WHERE provider = ? AND person = ?")
        .param(person.provider())
        .param(person.id())
        .query(String.class)
        .optional()
        .map(DistinguishedName::parse);
  }

  /** Counts one certificate of somebody who holds a name. */
  Count count(Person person) {
    long now = clock.millis();
    long began = now - window.toMillis();
    int counted =
        client
            .sql(
                """
                UPDATE slcs_name
                SET issued = CASE WHEN window_began <= :began THEN 1 ELSE issued + 1 END,
                    window_began = CASE WHEN window_began <= :began THEN :now ELSE window_began END
                WHERE provider = :provider AND person = :person
                  AND (window_began <= :began OR issued < :most)
                """)
            .param("began", began)
            .param("now", now)
            .param("provider", person.provider())
            .param("person", person.id())
            .param("most", most)
            .update();
    if (counted > 0) {
      return new Count.Within();
    }
    long since =
        client
            .sql("SELECT window_began FROM slcs_name WHERE provider = ? AND person = ?")
            .param(person.provider())
            .param(person.id())
            .query(Long.class)
            .optional()
            .orElse(now);
    return new Count.Beyond(Duration.ofMillis(Math.max(1, since - began)));
  }
}
