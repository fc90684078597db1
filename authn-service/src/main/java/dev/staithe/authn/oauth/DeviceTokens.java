package dev.staithe.authn.oauth;

import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SignedIn;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AccessTokenAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2DeviceCodeAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2DeviceCodeAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.context.AuthorizationServerContextHolder;
import org.springframework.security.oauth2.server.authorization.token.DefaultOAuth2TokenContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenGenerator;

/**
 * Gives a device that asked for {@code openid} an ID token beside the others, which the
 * authorization server by itself does not, and which it wants at the first refresh; and tells one
 * that asks too often to slow down.
 */
final class DeviceTokens implements AuthenticationProvider {
  static final String PENDING = "authorization_pending";
  static final String SLOW_DOWN = "slow_down";

  private final OAuth2DeviceCodeAuthenticationProvider server;
  private final Grants grants;
  private final OAuth2TokenGenerator<? extends OAuth2Token> generator;
  private final DevicePatience patience;

  DeviceTokens(
      OAuth2DeviceCodeAuthenticationProvider server,
      Grants grants,
      OAuth2TokenGenerator<? extends OAuth2Token> generator,
      DevicePatience patience) {
    this.server = server;
    this.grants = grants;
    this.generator = generator;
    this.patience = patience;
  }

  @Override
  public boolean supports(Class<?> type) {
    return server.supports(type);
  }

  @Override
  public Authentication authenticate(Authentication authentication) {
    Authentication done = decided((OAuth2DeviceCodeAuthenticationToken) authentication);
    if (!(done instanceof OAuth2AccessTokenAuthenticationToken tokens)
        || !tokens.getAccessToken().getScopes().contains("openid")) {
      return done;
    }
    OAuth2Authorization grant =
        grants.findByToken(tokens.getAccessToken().getTokenValue(), OAuth2TokenType.ACCESS_TOKEN);
    if (grant == null
        || !(grant.getAttribute(Principal.class.getName()) instanceof SignedIn user)) {
      return done;
    }
    OAuth2Token made =
        generator.generate(
            DefaultOAuth2TokenContext.builder()
                .registeredClient(tokens.getRegisteredClient())
                .principal(user)
                .authorizationServerContext(AuthorizationServerContextHolder.getContext())
                .authorization(grant)
                .authorizedScopes(grant.getAuthorizedScopes())
                .tokenType(new OAuth2TokenType(OidcParameterNames.ID_TOKEN))
                .authorizationGrantType(AuthorizationGrantType.DEVICE_CODE)
                .authorizationGrant((OAuth2DeviceCodeAuthenticationToken) authentication)
                .build());
    if (!(made instanceof Jwt jwt)) {
      return done;
    }
    var id =
        new OidcIdToken(
            jwt.getTokenValue(), jwt.getIssuedAt(), jwt.getExpiresAt(), jwt.getClaims());
    grants.save(OAuth2Authorization.from(grant).token(id).build());
    Map<String, Object> more = new LinkedHashMap<>(tokens.getAdditionalParameters());
    more.put(OidcParameterNames.ID_TOKEN, id.getTokenValue());
    return new OAuth2AccessTokenAuthenticationToken(
        tokens.getRegisteredClient(),
        (Authentication) tokens.getPrincipal(),
        tokens.getAccessToken(),
        tokens.getRefreshToken(),
        more);
  }

  /** What there is to say; of a question that is still open, whether it was asked too early. */
  private Authentication decided(OAuth2DeviceCodeAuthenticationToken question) {
    try {
      return server.authenticate(question);
    } catch (OAuth2AuthenticationException e) {
      if (e.getError().getErrorCode().equals(PENDING)
          && patience.tooEarly(question.getDeviceCode())) {
        throw new OAuth2AuthenticationException(SLOW_DOWN);
      }
      throw e;
    }
  }
}
