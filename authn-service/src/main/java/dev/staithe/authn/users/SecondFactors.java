package dev.staithe.authn.users;

import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What is kept of second factors, by user name, for users of LDAP too. The secrets come sealed, the
 * recovery codes hashed: this class cannot read them. Thread-safe, and each code is good once on
 * all nodes together.
 */
public final class SecondFactors {
  private final Database database;

  /**
   * What is kept for a user.
   *
   * @param secret sealed; null before the first confirmation
   * @param pending sealed, waiting for its confirmation; null where none waits
   * @param sealedFor the name that the user had when the factor was made
   */
  public record StoredFactors(
      byte @Nullable [] secret, byte @Nullable [] pending, String sealedFor) {
    /** Tells nothing of the secrets. */
    @Override
    public String toString() {
      return "StoredFactors[secret=" + (secret != null) + ", pending=" + (pending != null) + "]";
    }
  }

  /** On tables that the migrations of {@code db/users} have made. */
  public SecondFactors(Database database) {
    this.database = database;
  }

  /** Whether the user has one that was confirmed. */
  public boolean has(String user) throws UsersUnavailable {
    return find(user).map(kept -> kept.secret() != null).orElse(false);
  }

  /** What is kept for a user. */
  public Optional<StoredFactors> find(String user) throws UsersUnavailable {
    return database.ask(
        client ->
            client
                .sql(
                    """
                    SELECT secret, pending, COALESCE(sealed_for, user_name) AS sealed_for
                    FROM second_factor WHERE user_name = ?
                    """)
                .param(user)
                .query(
                    (row, number) ->
                        new StoredFactors(
                            row.getBytes("secret"),
                            row.getBytes("pending"),
                            row.getString("sealed_for")))
                .optional());
  }

  /** Keeps a sealed secret that waits for its confirmation; the one in use stays in use. */
  public void begin(String user, byte[] pending) throws UsersUnavailable {
    database.together(
        client -> {
          int updated =
              client
                  .sql("UPDATE second_factor SET pending = ? WHERE user_name = ?")
                  .param(pending)
                  .param(user)
                  .update();
          if (updated == 0) {
            client
                .sql("INSERT INTO second_factor (user_name, pending, last_step) VALUES (?, ?, 0)")
                .param(user)
                .param(pending)
                .update();
          }
          return updated;
        });
  }

  /**
   * Forgets a secret that waits for its confirmation.
   *
   * @param pending as it was read: another that began meanwhile goes on waiting
   */
  public void giveUp(String user, byte[] pending) throws UsersUnavailable {
    database.ask(
        client ->
            client
                .sql("UPDATE second_factor SET pending = NULL WHERE user_name = ? AND pending = ?")
                .param(user)
                .param(pending)
                .update());
  }

  /**
   * Puts the pending secret in use and replaces the recovery codes.
   *
   * @param pending as it was read: another that began meanwhile is not confirmed by this
   * @param step the time step of the code that confirmed it, used up by that
   * @return false where that secret waits no longer
   */
  public boolean confirm(String user, byte[] pending, long step, Collection<String> codeHashes)
      throws UsersUnavailable {
    return database.together(
        client -> {
          int updated =
              client
                  .sql(
                      """
                      UPDATE second_factor SET secret = pending, pending = NULL, last_step = ?
                      WHERE user_name = ? AND pending = ?
                      """)
                  .param(step)
                  .param(user)
                  .param(pending)
                  .update();
          if (updated == 1) {
            client.sql("DELETE FROM recovery_code WHERE user_name = ?").param(user).update();
            for (String hash : codeHashes) {
              client
                  .sql("INSERT INTO recovery_code (user_name, code_hash) VALUES (?, ?)")
                  .param(user)
                  .param(hash)
                  .update();
            }
          }
          return updated == 1;
        });
  }

  /**
   * Uses up a time step and those before it (RFC 6238 section 5.2: a code is accepted once).
   *
   * @return false where that or a later one was used before, here or on another node
   */
  public boolean useStep(String user, long step) throws UsersUnavailable {
    return database.ask(
        client ->
            client
                    .sql(
                        """
                        UPDATE second_factor SET last_step = ?
                        WHERE user_name = ? AND secret IS NOT NULL AND last_step < ?
                        """)
                    .param(step)
                    .param(user)
                    .param(step)
                    .update()
                == 1);
  }

  /**
   * Uses up a recovery code.
   *
   * @return false where there is none of that hash, or none any more
   */
  public boolean useRecoveryCode(String user, String hash) throws UsersUnavailable {
    return database.ask(
        client ->
            client
                    .sql("DELETE FROM recovery_code WHERE user_name = ? AND code_hash = ?")
                    .param(user)
                    .param(hash)
                    .update()
                == 1);
  }

  /** How many recovery codes are left. */
  public int recoveryCodes(String user) throws UsersUnavailable {
    return database.ask(
        client ->
            client
                .sql("SELECT COUNT(*) FROM recovery_code WHERE user_name = ?")
                .param(user)
                .query(Integer.class)
                .single());
  }

  /** Gives the second factor of one name to another name, in place of any that was there. */
  static void move(JdbcClient client, String from, String to) {
    client.sql("DELETE FROM second_factor WHERE user_name = ?").param(to).update();
    client
        .sql(
            """
            INSERT INTO second_factor (user_name, secret, pending, last_step, sealed_for)
            SELECT CAST(? AS VARCHAR(64)), secret, pending, last_step, COALESCE(sealed_for, user_name)
            FROM second_factor WHERE user_name = ?
            """)
        .params(to, from)
        .update();
    client
        .sql("UPDATE recovery_code SET user_name = ? WHERE user_name = ?")
        .params(to, from)
        .update();
    client.sql("DELETE FROM second_factor WHERE user_name = ?").param(from).update();
  }

  /**
   * Forgets the user's second factor and recovery codes.
   *
   * @return whether there was one
   */
  public boolean remove(String user) throws UsersUnavailable {
    return database.ask(
        client ->
            client.sql("DELETE FROM second_factor WHERE user_name = ?").param(user).update() == 1);
  }
}
