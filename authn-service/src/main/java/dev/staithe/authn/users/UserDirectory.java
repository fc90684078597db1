package dev.staithe.authn.users;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The relational users, and those of LDAP behind them. A relational user hides one of LDAP with the
 * same name, so that an administrator of this service can log in while LDAP is down.
 */
public final class UserDirectory implements Users {
  private final JdbcUsers local;
  private final @Nullable LdapUsers ldap;
  private final String administrators;
  private final Set<String> administeredBy;

  /**
   * Relational users only where there is no LDAP.
   *
   * @param administrators the group of this service that LDAP gives to nobody by its name: whoever
   *     may make a group there would administer here
   * @param administeredBy the groups of LDAP whose members are in it on purpose
   */
  public UserDirectory(
      JdbcUsers local,
      @Nullable LdapUsers ldap,
      String administrators,
      Collection<String> administeredBy) {
    this.local = local;
    this.ldap = ldap;
    this.administrators = administrators;
    this.administeredBy = Set.copyOf(administeredBy);
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
    if (found.isPresent() || ldap == null) {
      return found;
    }
    found = ldap.find(name);
    return found.isPresent() && hides(found.get(), name)
        ? Optional.empty()
        : found.map(this::mapped);
  }

  /**
   * Whether a relational user has the name of one of LDAP who was asked for by another, as by a
   * second value or a mail address.
   */
  public boolean hides(Account found, String asked) throws UsersUnavailable {
    return !UserName.of(asked).equals(Optional.of(found.name()))
        && local.find(found.name()).isPresent();
  }

  /** The account that tokens call so, whose name is the one under which it came last. */
  public Optional<Account> findBySubject(String subject) throws UsersUnavailable {
    Optional<Account> found = local.findBySubject(subject);
    if (found.isPresent() || ldap == null) {
      return found;
    }
    Optional<String> name = ldap.nameOf(subject);
    return name.isEmpty()
        ? Optional.empty()
        : find(name.get()).filter(account -> account.subject().equals(subject));
  }

  private Account mapped(Account account) {
    boolean administers = account.groups().stream().anyMatch(administeredBy::contains);
    if (administers == account.groups().contains(administrators)) {
      return account;
    }
    SortedSet<String> groups = new TreeSet<>(account.groups());
    if (administers) {
      groups.add(administrators);
    } else {
      groups.remove(administrators);
    }
    return new Account(
        account.name(),
        account.displayName(),
        account.mail(),
        groups,
        account.enabled(),
        account.hasSecondFactor(),
        account.subject());
  }
}
