package dev.staithe.authn.tokens;

import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.grants.Unavailable;
import dev.staithe.authn.users.Account;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.oidc.OidcUserInfo;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.oidc.authentication.OidcUserInfoAuthenticationToken;
import org.springframework.security.oauth2.server.resource.BearerTokenErrors;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;

/**
 * Who the user of a token is (OpenID Connect Core 5.3), as the account says now: for tokens of
 * devices too, which have no ID token.
 */
public final class UserInfo implements AuthenticationProvider {
  private static final Logger LOG = LoggerFactory.getLogger(UserInfo.class);

  private final Grants grants;
  private final People people;

  public UserInfo(Grants grants, People people) {
    this.grants = grants;
    this.people = people;
  }

  @Override
  public boolean supports(Class<?> type) {
    return OidcUserInfoAuthenticationToken.class.isAssignableFrom(type);
  }

  @Override
  public Authentication authenticate(Authentication authentication) {
    try {
      return told(authentication);
    } catch (DataAccessException | Unavailable e) {
      // Thrown on, the endpoint would tell the client what it says, as of a request that is wrong.
      LOG.warn("UserInfo is answered 503: {}", e.getClass().getSimpleName());
      throw new OAuth2AuthenticationException(OAuth2ErrorCodes.TEMPORARILY_UNAVAILABLE);
    }
  }

  private Authentication told(Authentication authentication) {
    if (!(authentication.getPrincipal() instanceof AbstractOAuth2TokenAuthenticationToken<?> bearer)
        || !bearer.isAuthenticated()) {
      throw invalid();
    }
    OAuth2Authorization grant =
        grants.findByToken(bearer.getToken().getTokenValue(), OAuth2TokenType.ACCESS_TOKEN);
    OAuth2Authorization.Token<OAuth2AccessToken> token =
        grant == null ? null : grant.getToken(OAuth2AccessToken.class);
    if (grant == null || token == null || !token.isActive()) {
      throw invalid();
    }
    Set<String> scopes = token.getToken().getScopes();
    if (!scopes.contains("openid")
        || !(grant.getAttribute(Principal.class.getName()) instanceof SignedIn user)) {
      throw new OAuth2AuthenticationException(
          BearerTokenErrors.insufficientScope(
              "the token is for no user, or lacks a scope", "openid"));
    }
    Account account = people.find(user.getPrincipal()).orElseThrow(UserInfo::invalid);
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("sub", account.subject());
    claims.putAll(TokenClaims.profile(account, scopes));
    List<String> groups = TokenClaims.groups(account, scopes);
    if (!groups.isEmpty()) {
      claims.put("wlcg.groups", groups);
    }
    return new OidcUserInfoAuthenticationToken(bearer, new OidcUserInfo(claims));
  }

  private static OAuth2AuthenticationException invalid() {
    return new OAuth2AuthenticationException(
        BearerTokenErrors.invalidToken("the token is not good"));
  }
}
