package dev.staithe.authn.clients;

import dev.staithe.authn.users.Account;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;

/**
 * Which scopes users may be given: rules from the configuration and from the store. What no rule
 * gives is refused ({@code invalid_scope}, RFC 6749 section 5.2); nothing is ever given that was
 * not asked for. Thread-safe; asks the store whenever a rule of its could count, so that one that
 * was taken away is gone at once, on every node.
 */
public final class ScopeGrants {
  /** Why there is no token. */
  public static final OAuth2Error NOT_GRANTED =
      new OAuth2Error(
          OAuth2ErrorCodes.INVALID_SCOPE,
          "a scope is unknown or not granted",
          "https://www.rfc-editor.org/rfc/rfc6749#section-5.2");

  /** What every user may have where the client may ask for it: it says who one is, not more. */
  private static final Set<String> PLAIN =
      Set.of("openid", "profile", "email", "offline_access", "wlcg", "wlcg:1.0", "wlcg.groups");

  private static final String GROUPS = "wlcg.groups";

  private final List<GrantRule> configured;
  private final JdbcClient store;

  /** On tables that the migrations of {@code db/oauth} have made. */
  public ScopeGrants(List<GrantRule> configured, DataSource source) {
    this.configured = List.copyOf(configured);
    this.store = JdbcClient.create(source);
  }

  /** Whether every user may be given all of these: then nobody has to be asked. */
  public static boolean areForAll(Collection<String> scopes) {
    return scopes.stream()
        .allMatch(each -> Scope.parse(each).filter(ScopeGrants::isForAll).isPresent());
  }

  private static boolean isForAll(Scope scope) {
    return scope.path() == null && PLAIN.contains(scope.name());
  }

  /** Those of the scopes that this user may be given; asks the store once at most. */
  public Set<String> permitted(Account account, Collection<String> scopes) {
    Set<String> permitted = new HashSet<>();
    List<GrantRule> stored = null;
    for (String each : scopes) {
      Scope scope = Scope.parse(each).orElse(null);
      if (scope == null) {
        continue;
      }
      boolean given = permitsUnasked(account, scope);
      if (!given) {
        stored = stored == null ? stored() : stored;
        given = gives(stored, account, scope);
      }
      if (given) {
        permitted.add(each);
      }
    }
    return permitted;
  }

  /** Whether the scope is given without a rule of the store. */
  private boolean permitsUnasked(Account account, Scope scope) {
    if (scope.name().equals(GROUPS) && scope.path() != null) {
      return account.groups().contains(scope.path());
    }
    return isForAll(scope) || gives(configured, account, scope);
  }

  private static boolean gives(List<GrantRule> rules, Account account, Scope scope) {
    return rules.stream().anyMatch(rule -> rule.gives(account, scope));
  }

  /** The rules of the store, sorted. */
  public List<GrantRule> stored() {
    return store
        .sql("SELECT holder, scope FROM oauth_scope_rule ORDER BY holder, scope")
        .query((row, number) -> new GrantRule(row.getString(1), row.getString(2)))
        .list();
  }

  /** Adds a rule to the store; false where it is there. */
  public boolean add(GrantRule rule) {
    try {
      return store
              .sql("INSERT INTO oauth_scope_rule (holder, scope) VALUES (?, ?)")
              .params(rule.holder(), rule.scope())
              .update()
          == 1;
    } catch (DuplicateKeyException e) {
      return false;
    }
  }

  /**
   * Takes a rule from the store; false where there is none. Services that check signatures alone
   * take tokens of before until they end.
   */
  public boolean remove(GrantRule rule) {
    return store
            .sql("DELETE FROM oauth_scope_rule WHERE holder = ? AND scope = ?")
            .params(rule.holder(), rule.scope())
            .update()
        == 1;
  }
}
