package dev.staithe.authn.oauth;

import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SignedIn;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AccessTokenAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2ClientAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2DeviceCodeAuthenticationProvider;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2DeviceCodeAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
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

  private final Grants grants;
  private final OAuth2TokenGenerator<? extends OAuth2Token> generator;
  private final DevicePatience patience;

  DeviceTokens(
      Grants grants,
      OAuth2TokenGenerator<? extends OAuth2Token> generator,
      DevicePatience patience) {
    this.grants = grants;
    this.generator = generator;
    this.patience = patience;
  }

  @Override
  public boolean supports(Class<?> type) {
    return OAuth2DeviceCodeAuthenticationToken.class.isAssignableFrom(type);
  }

  @Override
  public Authentication authenticate(Authentication authentication) {
    var question = (OAuth2DeviceCodeAuthenticationToken) authentication;
    var redemption = new Redemption(question);
    Authentication done = decided(question, redemption);
    OidcIdToken id = redemption.identity;
    if (id == null || !(done instanceof OAuth2AccessTokenAuthenticationToken tokens)) {
      return done;
    }
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
  private Authentication decided(
      OAuth2DeviceCodeAuthenticationToken question, Redemption redemption) {
    try {
      return new OAuth2DeviceCodeAuthenticationProvider(redemption, generator)
          .authenticate(question);
    } catch (OAuth2AuthenticationException e) {
      if (e.getError().getErrorCode().equals(PENDING)
          && patience.tooEarly(question.getDeviceCode())) {
        throw new OAuth2AuthenticationException(SLOW_DOWN);
      }
      throw e;
    }
  }

  /**
   * The grants for one question, which keeps all tokens in the step that spends the code. A store
   * that failed between two steps would leave a code that is spent, and a device that is told it
   * was refused.
   */
  private final class Redemption implements OAuth2AuthorizationService {
    private final OAuth2DeviceCodeAuthenticationToken question;
    private @Nullable OidcIdToken identity;

    Redemption(OAuth2DeviceCodeAuthenticationToken question) {
      this.question = question;
    }

    @Override
    public void save(OAuth2Authorization grant) {
      OidcIdToken made = identity(grant);
      grants.save(made == null ? grant : OAuth2Authorization.from(grant).token(made).build());
      identity = made;
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
      return grants.findByToken(value, type);
    }

    /** Null where the device has no tokens now, or asked for none of that kind. */
    private @Nullable OidcIdToken identity(OAuth2Authorization grant) {
      OAuth2Authorization.Token<OAuth2AccessToken> access = grant.getToken(OAuth2AccessToken.class);
      if (access == null
          || !access.getToken().getScopes().contains("openid")
          || !(grant.getAttribute(Principal.class.getName()) instanceof SignedIn user)
          || !(question.getPrincipal() instanceof OAuth2ClientAuthenticationToken client)
          || !(client.getRegisteredClient() instanceof RegisteredClient registered)) {
        return null;
      }
      OAuth2Token made =
          generator.generate(
              DefaultOAuth2TokenContext.builder()
                  .registeredClient(registered)
                  .principal(user)
                  .authorizationServerContext(AuthorizationServerContextHolder.getContext())
                  .authorization(grant)
                  .authorizedScopes(grant.getAuthorizedScopes())
                  .tokenType(new OAuth2TokenType(OidcParameterNames.ID_TOKEN))
                  .authorizationGrantType(AuthorizationGrantType.DEVICE_CODE)
                  .authorizationGrant(question)
                  .build());
      return made instanceof Jwt jwt
          ? new OidcIdToken(
              jwt.getTokenValue(), jwt.getIssuedAt(), jwt.getExpiresAt(), jwt.getClaims())
          : null;
    }
  }
}
