package dev.staithe.authn.users;

import org.jspecify.annotations.Nullable;

/**
 * A relational user with the hash of the password.
 *
 * @param passwordHash null where no password is set; never shown, never logged
 */
public record StoredUser(Account account, @Nullable String passwordHash) {
  /** Without the hash. */
  @Override
  public String toString() {
    return "StoredUser[" + account.name() + "]";
  }
}
