package dev.staithe.authn.users;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Gives a relational user another name, within a transaction: password, groups, second factor and
 * subject go along. What was granted under either name is over.
 */
final class UserRename {
  private UserRename() {}

  /**
   * Moves what there is.
   *
   * @param from the name of a user whose row is locked
   * @param to a name that no relational user has
   */
  static void of(JdbcClient client, String from, String to, long now) {
    client
        .sql(
            """
            INSERT INTO users (name, display_name, mail, password_hash, enabled, created_at)
            SELECT CAST(? AS VARCHAR(64)), CASE WHEN display_name = name THEN ? ELSE display_name END,
                   mail, password_hash, enabled, created_at
            FROM users WHERE name = ?
            """)
        .params(to, to, from)
        .update();
    client.sql("UPDATE user_group SET user_name = ? WHERE user_name = ?").params(to, from).update();
    SecondFactors.move(client, from, to);
    UserEnds.move(client, from, to, now);
    client.sql("DELETE FROM users WHERE name = ?").param(from).update();
  }
}
