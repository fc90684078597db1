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
import org.springframework.jdbc.support.GeneratedKeyHolder;

/**
 * Who has which name, for ever: a person keeps the first one, and nobody else gets it (IGTF SLCS
 * profile §3.1). The database holds both, whichever node asks first. Counts certificates of a
 * person too, in the same row. Methods throw {@link org.springframework.dao.DataAccessException}
 * where the database does not answer. Thread-safe.
 */
final class NameRegistry {
  /** What is known of a person's name. */
  sealed interface Registration {
    /** The person's. */
    record Registered(DistinguishedName name) implements Registration {}

    /** Another's. */
    record Taken() implements Registration {}
  }

  /** What a person who asks for a certificate is told. */
  sealed interface Quota {
    /** One more under this name. */
    record Allowed(DistinguishedName name) implements Quota {}

    /** Enough until then. */
    record Exceeded(Duration after) implements Quota {}

    /** The name is another's. */
    record Taken() implements Quota {}
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
  Registration hold(Person person, DistinguishedName proposed, String principal) {
    return find(person)
        .<Registration>map(Registration.Registered::new)
        .orElseGet(() -> first(person, proposed, principal));
  }

  private Registration first(Person person, DistinguishedName proposed, String principal) {
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
      return new Registration.Registered(proposed);
    } catch (DuplicateKeyException e) {
      // Another request of the same person was first, or the name is another's.
      return find(person)
          .<Registration>map(Registration.Registered::new)
          .orElseGet(Registration.Taken::new);
    }
  }

  /** Whether a person has a name. */
  boolean knows(Person person) {
    return find(person).isPresent();
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

  /**
   * Counts one certificate of a person under the name that is kept, else under the proposed one,
   * which is then kept. For whoever is known that is one way to the database.
   *
   * @param principal as in {@link #hold}
   */
  Quota take(Person person, DistinguishedName proposed, String principal) {
    Optional<DistinguishedName> counted = count(person);
    if (counted.isPresent()) {
      return new Quota.Allowed(counted.get());
    }
    if (windowOf(person).isEmpty()
        && hold(person, proposed, principal) instanceof Registration.Taken) {
      return new Quota.Taken();
    }
    // Counted once more: the row may be there only since the first time, by another node.
    return count(person)
        .<Quota>map(Quota.Allowed::new)
        .orElseGet(
            () -> {
              long since = windowOf(person).orElseGet(clock::millis);
              return new Quota.Exceeded(Duration.ofMillis(Math.max(1, since - windowBefore())));
            });
  }

  /** Counts no longer what was counted for a person and could not be made. */
  void giveBack(Person person) {
    client
        .sql(
            """
            UPDATE slcs_name SET issued = issued - 1
            WHERE provider = ? AND person = ? AND issued > 0
            """)
        .param(person.provider())
        .param(person.id())
        .update();
  }

  /** When the window of somebody who is known began, in milliseconds since 1970. */
  private Optional<Long> windowOf(Person person) {
    return client
        .sql("SELECT window_began FROM slcs_name WHERE provider = ? AND person = ?")
        .param(person.provider())
        .param(person.id())
        .query(Long.class)
        .optional();
  }

  private long windowBefore() {
    return clock.millis() - window.toMillis();
  }

  /**
   * The name of somebody whose certificate was counted; empty for who is not known or has enough.
   */
  private Optional<DistinguishedName> count(Person person) {
    // Both databases give back columns of what was changed, each in its own words.
    var changed = new GeneratedKeyHolder();
    client
        .sql(
            """
            UPDATE slcs_name
            SET issued = CASE WHEN window_began <= :began THEN 1 ELSE issued + 1 END,
                window_began = CASE WHEN window_began <= :began THEN :now ELSE window_began END
            WHERE provider = :provider AND person = :person
              AND (window_began <= :began OR issued < :most)
            """)
        .param("began", windowBefore())
        .param("now", clock.millis())
        .param("provider", person.provider())
        .param("person", person.id())
        .param("most", most)
        .update(changed, "name");
    return Optional.ofNullable(changed.getKeyAs(String.class)).map(DistinguishedName::parse);
  }
}
