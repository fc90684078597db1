package dev.staithe.authn.oauth;

import dev.staithe.authn.users.Account;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Which scopes users may be given: rules from the configuration and from the store. What no rule
 * gives is refused ({@code invalid_scope}, RFC 6749 section 5.2); nothing is ever given that was
 * not asked for. Thread-safe; asks the store each time, so that a rule that was taken away is gone
 * at once, on every node.
 */
public final class ScopeGrants {
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

  /** Whether that user may be given that scope. */
  public boolean permits(Account account, Scope asked) {
    if (asked.path() == null && PLAIN.contains(asked.name())) {
      return true;
    }
    if (asked.name().equals(GROUPS) && asked.path() != null) {
      return account.groups().contains(asked.path());
    }
    return all().stream().anyMatch(rule -> rule.gives(account, asked));
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

  /** Takes a rule from the store; false where there is none. Tokens that were given last. */
  public boolean remove(GrantRule rule) {
    return store
            .sql("DELETE FROM oauth_scope_rule WHERE holder = ? AND scope = ?")
            .params(rule.holder(), rule.scope())
            .update()
        == 1;
  }

  private List<GrantRule> all() {
    List<GrantRule> all = new ArrayList<>(configured);
    all.addAll(stored());
    return all;
  }
}
