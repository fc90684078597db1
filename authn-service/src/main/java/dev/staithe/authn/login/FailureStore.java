package dev.staithe.authn.login;

import dev.staithe.authn.users.Database;
import dev.staithe.authn.users.UsersUnavailable;
import java.util.HashMap;
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

  /** What is kept of two subjects; nothing is {@link Failures#NONE}. */
  Map<String, Failures> find(String one, String other) throws UsersUnavailable {
    return database.ask(
        client -> {
          Map<String, Failures> found = new HashMap<>();
          client
              .sql(
                  """
                  SELECT subject, failures, since, locked_until FROM login_failure
                  WHERE subject IN (?, ?)
                  """)
              .param(one)
              .param(other)
              .query(
                  row -> {
                    found.put(
                        row.getString("subject"),
                        new Failures(
                            row.getInt("failures"),
                            row.getLong("since"),
                            row.getLong("locked_until")));
                  });
          return found;
        });
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
