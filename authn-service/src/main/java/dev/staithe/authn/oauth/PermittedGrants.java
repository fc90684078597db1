package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Scope;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.grants.GrantText;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.ProtocolRequest;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.tokens.People;
import dev.staithe.authn.users.Account;
import java.security.Principal;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;

/**
 * What was granted, as far as its user still may have it: groups and rules change after a grant.
 * For refreshes, exchanges and introspection; who revokes a token finds it whatever it is worth.
 * Thread-safe.
 *
 * <ul>
 *   <li>A refresh that names no scope is for those that are left. The others stay granted: whoever
 *       comes back to a group has them again.
 *   <li>An access token with a scope that its user may no longer have is not found. What was signed
 *       cannot be made less.
 * </ul>
 */
final class PermittedGrants implements OAuth2AuthorizationService {
  private final Grants grants;
  private final Clients clients;
  private final ScopeGrants scopes;
  private final People people;

  PermittedGrants(Grants grants, Clients clients, ScopeGrants scopes, People people) {
    this.grants = grants;
    this.clients = clients;
    this.scopes = scopes;
    this.people = people;
  }

  @Override
  public void save(OAuth2Authorization grant) {
    grants.save(grant);
  }

  @Override
  public void remove(OAuth2Authorization grant) {
    grants.remove(grant);
  }

  @Override
  public @Nullable OAuth2Authorization findById(String id) {
    return grants.findById(id);
  }

  @Override
  public @Nullable OAuth2Authorization findByToken(String value, @Nullable OAuth2TokenType type) {
    OAuth2Authorization grant = grants.findByToken(value, type);
    if (grant == null
        || !(grant.getAttribute(Principal.class.getName()) instanceof SignedIn user)) {
      return grant;
    }
    if (OAuth2TokenType.REFRESH_TOKEN.equals(type)) {
      return ProtocolRequest.now().scopes().isEmpty() ? left(grant, user) : grant;
    }
    OAuth2Authorization.Token<OAuth2Token> token = grant.getToken(value);
    return token != null
            && token.getToken() instanceof OAuth2AccessToken access
            && !mayHave(user, access.getScopes())
        ? null
        : grant;
  }

  private boolean mayHave(SignedIn user, Collection<String> given) {
    // Introspection is asked often: nobody is asked for what everybody may have.
    return ScopeGrants.areForAll(given)
        || people
            .find(user.getPrincipal())
            .filter(account -> scopes.permitted(account, given).containsAll(given))
            .isPresent();
  }

  private OAuth2Authorization left(OAuth2Authorization grant, SignedIn user) {
    Set<String> granted = grant.getAuthorizedScopes();
    Optional<Account> account = people.find(user.getPrincipal());
    Optional<Client> client = clients.find(grant.getRegisteredClientId());
    if (account.isEmpty() || client.isEmpty()) {
      return grant; // which is refused where the token is made
    }
    Set<String> left = new HashSet<>(scopes.permitted(account.get(), granted));
    left.removeIf(each -> Scope.parse(each).filter(client.get()::mayAsk).isEmpty());
    // Where nothing is left the whole is refused for its scopes.
    return left.isEmpty() || left.size() == granted.size()
        ? grant
        : OAuth2Authorization.from(grant)
            .authorizedScopes(left)
            .attribute(GrantText.GRANTED, granted)
            .build();
  }
}
