package dev.staithe.authn.login;

import dev.staithe.authn.users.Database;
import dev.staithe.authn.users.UsersUnavailable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The failures of all nodes. Thread-safe. */
final class FailureStore {
  private final Database database;

  /**
   * What is kept.
   *
   * @param failures since that time
   * @param since in ms since 1970
   * @param lockedUntil in ms since 1970, 0 for never locked
   */
  record Failures(int failures, long since, long lockedUntil) {
    static final Failures NONE = new Failures(0, 0, 0);
  }

  FailureStore(Database database) {
    this.database = database;
  }

  /**
   * What was found in one look.
   *
   * @param lastLogin of the place, in ms since 1970; 0 for none
   */
  record Found(Map<String, Failures> failures, long lastLogin) {
    Failures of(String subject) {
      return failures.getOrDefault(subject, Failures.NONE);
    }
  }

  /** What is kept of some subjects, and of one of them as a place. */
  Found find(List<String> subjects, String place) throws UsersUnavailable {
    return database.ask(
        client -> {
          Map<String, Failures> failures = new HashMap<>();
          long[] lastLogin = new long[1];
          client
              .sql(
                  """
                  SELECT subject, failures, since, locked_until FROM login_failure
                  WHERE subject IN (:subjects)
                  UNION ALL SELECT subject, 0, last_login, -1 FROM login_place
                  WHERE subject = :place
                  """)
              .param("subjects", subjects)
              .param("place", place)
              .query(
                  row -> {
                    if (row.getLong("locked_until") < 0) {
                      lastLogin[0] = row.getLong("since");
                    } else {
                      failures.put(
                          row.getString("subject"),
                          new Failures(
                              row.getInt("failures"),
                              row.getLong("since"),
                              row.getLong("locked_until")));
                    }
                  });
          return new Found(failures, lastLogin[0]);
        });
  }

  /** Notes that somebody logged in from a place. */
  void remember(String place, long now) throws UsersUnavailable {
    database.together(
        client -> {
          int known =
              client
                  .sql("UPDATE login_place SET last_login = ? WHERE subject = ?")
                  .params(now, place)
                  .update();
          return known > 0
              ? known
              : client
                  .sql("INSERT INTO login_place (last_login, subject) VALUES (?, ?)")
                  .params(now, place)
                  .update();
        });
  }

  /** Forgets the places from which nobody logged in since a time. */
  int forgetPlacesBefore(long time) throws UsersUnavailable {
    return database.ask(
        client -> client.sql("DELETE FROM login_place WHERE last_login < ?").param(time).update());
  }

  /**
   * Counts one more failure, and locks where the rule says so. The row is locked meanwhile, so that
   * no node's count is lost.
   */
  Failures count(String subject, GuardSettings.Rule rule, long now) throws UsersUnavailable {
    return database.together(
        client -> {
          Optional<Failures> before = locked(client, subject);
          boolean fresh = before.isEmpty() || isForgotten(before.get(), rule, now);
          int failures = fresh ? 1 : Math.min(before.get().failures(), 1_000_000) + 1;
          long since = fresh ? now : before.get().since();
          long lock = rule.lock(failures).toMillis();
          long until = lock == 0 ? 0 : now + lock;
          if (before.isEmpty()) {
            // Where another node was quicker this fails on the key, and all is done once more.
            client
                .sql(
                    """
                    INSERT INTO login_failure (failures, since, locked_until, subject)
                    VALUES (?, ?, ?, ?)
                    """)
                .param(failures)
                .param(since)
                .param(until)
                .param(subject)
                .update();
          } else {
            client
                .sql(
                    """
                    UPDATE login_failure SET failures = ?, since = ?, locked_until = ?
                    WHERE subject = ?
                    """)
                .param(failures)
                .param(since)
                .param(until)
                .param(subject)
                .update();
          }
          return new Failures(failures, since, until);
        });
  }

  private static Optional<Failures> locked(JdbcClient client, String subject) {
    return client
        .sql(
            """
            SELECT failures, since, locked_until FROM login_failure WHERE subject = ? FOR UPDATE
            """)
        .param(subject)
        .query(
            (row, number) ->
                new Failures(
                    row.getInt("failures"), row.getLong("since"), row.getLong("locked_until")))
        .optional();
  }

  /** Also where it began in the future: then a clock was set back. */
  static boolean isForgotten(Failures failures, GuardSettings.Rule rule, long now) {
    long age = now - failures.since();
    return age > rule.window().toMillis() || age < -LoginGuard.SKEW_MILLIS;
  }

  void forget(String subject) throws UsersUnavailable {
    database.ask(
        client ->
            client.sql("DELETE FROM login_failure WHERE subject = ?").param(subject).update());
  }

  /** Removes what began before a time. */
  int forgetBefore(long time) throws UsersUnavailable {
    return database.ask(
        client -> client.sql("DELETE FROM login_failure WHERE since < ?").param(time).update());
  }
}
