package dev.staithe.authn.users;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Since when what a user grants counts: whatever was granted in a session that began before is
 * over. It is written in the transaction that changes a password, disables, deletes or makes a
 * user, and whenever all sessions of a user are ended; it outlives sessions, their log and the user
 * itself. Thread-safe; for users of LDAP too.
 */
public final class UserEnds {
  private final Database database;

  /** On tables that the migrations of {@code db/users} have made. */
  public UserEnds(Database database) {
    this.database = database;
  }

  /**
   * All that the user granted in sessions that began before is over.
   *
   * @param name as {@link UserName} keeps it
   * @param now to the millisecond; an earlier time than is known changes nothing
   */
  public void end(String name, Instant now) throws UsersUnavailable {
    database.together(
        client -> {
          end(client, name, now.toEpochMilli());
          return name;
        });
  }

  /** The same within a transaction that does more. */
  static void end(JdbcClient client, String name, long now) {
    int known =
        client
            .sql("UPDATE user_end SET not_before = GREATEST(not_before, ?) WHERE user_name = ?")
            .params(now, name)
            .update();
    if (known == 0) {
      client
          .sql("INSERT INTO user_end (user_name, not_before) VALUES (?, ?)")
          .params(name, now)
          .update();
    }
  }

  /** A user begins, under a subject that nobody else has had or will have. */
  static void begin(JdbcClient client, String name, long now) {
    end(client, name, now);
    give(client, name, UUID.randomUUID().toString());
  }

  /** The subject of one name goes to another, and what was granted under either is over. */
  static void move(JdbcClient client, String from, String to, long now) {
    end(client, from, now);
    end(client, to, now);
    String subject =
        client
            .sql("SELECT COALESCE(sub, user_name) FROM user_end WHERE user_name = ?")
            .param(from)
            .query(String.class)
            .single();
    // Whoever gets the old name is another, and so is whoever had the new one.
    give(client, from, UUID.randomUUID().toString());
    give(client, to, subject);
  }

  private static void give(JdbcClient client, String name, String subject) {
    client.sql("UPDATE user_end SET sub = ? WHERE user_name = ?").params(subject, name).update();
  }

  /**
   * Whose sessions that began before have granted nothing.
   *
   * @param name as {@link UserName} keeps it
   */
  public record End(String name, Instant notBefore) {}

  /** Those of that time. */
  public List<End> between(Instant first, Instant last) throws UsersUnavailable {
    return database.ask(
        client ->
            client
                .sql("SELECT user_name, not_before FROM user_end WHERE not_before BETWEEN ? AND ?")
                .params(first.toEpochMilli(), last.toEpochMilli())
                .query(
                    (row, number) ->
                        new End(row.getString(1), Instant.ofEpochMilli(row.getLong(2))))
                .list());
  }

  /** Sessions of that user that began before have granted nothing; 1970 where nothing is known. */
  public Instant notBefore(String name) throws UsersUnavailable {
    return database.ask(
        client ->
            client
                .sql("SELECT not_before FROM user_end WHERE user_name = ?")
                .param(name)
                .query(Long.class)
                .optional()
                .map(Instant::ofEpochMilli)
                .orElse(Instant.EPOCH));
  }
}
