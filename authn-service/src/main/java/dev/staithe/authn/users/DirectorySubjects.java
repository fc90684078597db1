package dev.staithe.authn.users;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Who the users of a directory are in tokens: a random subject for each entry, bound to the
 * identifier that the directory never changes and never gives out again, as {@code entryUUID} (RFC
 * 4530). Whoever is renamed stays who that was; whoever gets the name of another is another, and
 * inherits no session, grant, consent or second factor. Thread-safe.
 */
public final class DirectorySubjects {
  private final Database database;
  private final Clock clock;
  private final Consumer<String> ended;

  /**
   * On tables that the migrations of {@code db/users} have made.
   *
   * @param ended ends all sessions that were begun under a name, before the name is another's
   */
  public DirectorySubjects(Database database, Clock clock, Consumer<String> ended) {
    this.database = database;
    this.clock = clock;
    this.ended = ended;
  }

  /**
   * A person's entry.
   *
   * @param id which entry it is, whatever it is called
   * @param name as {@link UserName} keeps it
   * @param created when the directory made it; null where it does not say
   */
  record Entry(String id, String name, @Nullable Instant created) {}

  /**
   * Who that is.
   *
   * @param fresh whether the name is this person's only now: who acts by it already was another
   */
  record Bound(String subject, boolean fresh) {}

  private record Known(String subject, @Nullable String name) {
    /** Where a second factor waits for whoever has lost the name to another; no name of a user. */
    String place() {
      return name == null ? ":" + subject : name;
    }
  }

  /** Finds the subject of an entry, or gives it one. */
  Bound bind(Entry entry) throws UsersUnavailable {
    Optional<Known> known = database.ask(client -> known(client, entry.id(), ""));
    if (known.isPresent() && entry.name().equals(known.get().name())) {
      return new Bound(known.get().subject(), false);
    }
    boolean kept = known.isEmpty() && database.ask(client -> keepsName(client, entry));
    List<String> over = new ArrayList<>();
    if (!kept) {
      // A relational user hides the entry, and goes on.
      if (!isLocal(entry.name())) {
        over.add(entry.name());
      }
      if (known.isPresent() && known.get().name() != null && !isLocal(known.get().name())) {
        over.add(known.get().name());
      }
    }
    long now = clock.millis();
    // Before the name is given: should this end here, it is done again the next time.
    over.forEach(ended);
    String subject =
        database.together(client -> write(client, entry, kept ? entry.name() : "", over, now));
    return new Bound(subject, !kept);
  }

  private boolean isLocal(String name) throws UsersUnavailable {
    return database.ask(client -> isLocal(client, name));
  }

  /** Whether a relational user has the name, and with it what is kept by that name. */
  private static boolean isLocal(JdbcClient client, String name) {
    return client
            .sql("SELECT COUNT(*) FROM users WHERE name = ?")
            .param(name)
            .query(Long.class)
            .single()
        > 0;
  }

  private static Optional<Known> known(JdbcClient client, String id, String lock) {
    return client
        .sql("SELECT sub, user_name FROM directory_user WHERE entry_id = ? " + lock)
        .param(id)
        .query((row, number) -> new Known(row.getString(1), row.getString(2)))
        .optional();
  }

  /**
   * Whether tokens have called that one by the name so far, and nobody else: by an entry that is
   * older than the random subjects of directories.
   */
  private static boolean keepsName(JdbcClient client, Entry entry) {
    Instant created = entry.created();
    return created != null
        && created.toEpochMilli()
            < client.sql("SELECT since FROM directory_start").query(Long.class).single()
        && client
                .sql(
                    """
                    SELECT COUNT(*) FROM user_end
                    WHERE sub = ? OR user_name = ? AND sub IS NOT NULL
                    """)
                .params(entry.name(), entry.name())
                .query(Long.class)
                .single()
            == 0
        && client
                .sql("SELECT COUNT(*) FROM directory_user WHERE sub = ? OR user_name = ?")
                .params(entry.name(), entry.name())
                .query(Long.class)
                .single()
            == 0;
  }

  private static String write(
      JdbcClient client, Entry entry, String subject, List<String> over, long now) {
    Optional<Known> known = known(client, entry.id(), "FOR UPDATE");
    if (known.isPresent() && entry.name().equals(known.get().name())) {
      return known.get().subject();
    }
    boolean local = isLocal(client, entry.name());
    Optional<Known> before =
        client
            .sql("SELECT sub, user_name FROM directory_user WHERE user_name = ? FOR UPDATE")
            .param(entry.name())
            .query((row, number) -> new Known(row.getString(1), row.getString(2)))
            .optional();
    if (before.isPresent()) {
      Known nameless = new Known(before.get().subject(), null);
      client
          .sql("UPDATE directory_user SET user_name = NULL WHERE user_name = ?")
          .param(entry.name())
          .update();
      if (!local) {
        SecondFactors.move(client, entry.name(), nameless.place());
      }
    }
    over.forEach(name -> UserEnds.end(client, name, now));
    if (known.isPresent()) {
      String place = known.get().place();
      if (!local && !isLocal(client, place)) {
        SecondFactors.move(client, place, entry.name());
      }
      client
          .sql("UPDATE directory_user SET user_name = ? WHERE entry_id = ?")
          .params(entry.name(), entry.id())
          .update();
      return known.get().subject();
    }
    if (!over.isEmpty() && !local) {
      // Of somebody who had the name and has gone.
      client.sql("DELETE FROM second_factor WHERE user_name = ?").param(entry.name()).update();
    }
    String given = subject.isEmpty() ? UUID.randomUUID().toString() : subject;
    client
        .sql("INSERT INTO directory_user (entry_id, sub, user_name) VALUES (?, ?, ?)")
        .params(entry.id(), given, entry.name())
        .update();
    return given;
  }

  /** Under which name the person came last whom tokens call so. */
  Optional<String> nameOf(String subject) throws UsersUnavailable {
    return database.ask(
        client ->
            client
                .sql("SELECT user_name FROM directory_user WHERE sub = ? AND user_name IS NOT NULL")
                .param(subject)
                .query(String.class)
                .optional());
  }
}
