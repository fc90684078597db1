package dev.staithe.authn.users;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A relational user with the hash of the password.
 *
 * @param passwordHash null where no password is set; never shown, never logged
 * @param since as {@link UserEnds#notBefore} said when the hash was read
 */
public record StoredUser(Account account, @Nullable String passwordHash, Instant since) {
  /** Without the hash. */
  @Override
  public String toString() {
    return "StoredUser[" + account.name() + "]";
  }
}
