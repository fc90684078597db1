package dev.staithe.authn.users;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The relational users, and those of LDAP behind them. A relational user hides one of LDAP with the
 * same name, so that an administrator of this service can log in while LDAP is down.
 */
public final class UserDirectory implements Users {
  private final JdbcUsers local;
  private final @Nullable LdapUsers ldap;

  /** Relational users only where there is no LDAP. */
  public UserDirectory(JdbcUsers local, @Nullable LdapUsers ldap) {
    this.local = local;
    this.ldap = ldap;
  }

  /** The relational users. */
  public JdbcUsers local() {
    return local;
  }

  /** Those of LDAP, where there is one. */
  public Optional<LdapUsers> ldap() {
    return Optional.ofNullable(ldap);
  }

  @Override
  public Optional<Account> find(String name) throws UsersUnavailable {
    Optional<Account> found = local.find(name);
    return found.isPresent() || ldap == null ? found : ldap.find(name);
  }
}
