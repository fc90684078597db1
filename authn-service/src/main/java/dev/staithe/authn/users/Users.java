package dev.staithe.authn.users;

import java.util.Optional;

/** Where accounts come from. Safe for many threads; calls may block, on virtual threads too. */
public sealed interface Users permits JdbcUsers, LdapUsers, UserDirectory {
  /**
   * The account of that name, enabled or not.
   *
   * @param name as a person types it; what {@link UserName} refuses is nobody's
   * @throws UsersUnavailable where the store does not answer in time
   */
  Optional<Account> find(String name) throws UsersUnavailable;
}
