package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.ClientSecrets;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.clients.Scope;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.grants.GrantText;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.tokens.Audiences;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2DeviceCode;
import org.springframework.security.oauth2.core.OAuth2UserCode;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2DeviceAuthorizationRequestAuthenticationToken;

/**
 * Begins to let a device in (RFC 8628 section 3.1). Unlike the authorization server's own, it takes
 * the scope {@code openid}, which the field's command lines ask for, and remembers the audience.
 */
final class DeviceRequests implements AuthenticationProvider {
  private static final String LETTERS = "BCDFGHJKLMNPQRSTVWXZ"; // RFC 8628 section 6.1
  private static final int HALF = 4;

  private final Grants grants;
  private final Clients clients;
  private final Duration lifetime;
  private final String audience;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  DeviceRequests(Grants grants, Clients clients, Duration lifetime, String audience, Clock clock) {
    this.grants = grants;
    this.clients = clients;
    this.lifetime = lifetime;
    this.audience = audience;
    this.clock = clock;
  }

  @Override
  public boolean supports(Class<?> type) {
    return OAuth2DeviceAuthorizationRequestAuthenticationToken.class.isAssignableFrom(type);
  }

  @Override
  public Authentication authenticate(Authentication authentication) {
    var request = (OAuth2DeviceAuthorizationRequestAuthenticationToken) authentication;
    var asking = AskingClient.of(request.getPrincipal(), clients, Grant.DEVICE_CODE);
    Client client = asking.client();
    Set<String> scopes = new LinkedHashSet<>(request.getScopes());
    for (String scope : scopes) {
      if (Scope.parse(scope).filter(client::mayAsk).isEmpty()) {
        throw new OAuth2AuthenticationException(ScopeGrants.NOT_GRANTED);
      }
    }
    Set<String> asked = Audiences.of(request.getAdditionalParameters());
    Audiences.allowed(client, asked, audience);
    Instant now = clock.instant();
    var device = new OAuth2DeviceCode(ClientSecrets.create(), now, now.plus(lifetime));
    var user = new OAuth2UserCode(userCode(), now, now.plus(lifetime));
    grants.save(
        OAuth2Authorization.withRegisteredClient(asking.registered())
            .principalName(asking.caller().getName())
            .authorizationGrantType(AuthorizationGrantType.DEVICE_CODE)
            .token(device)
            .token(user)
            .attribute(OAuth2ParameterNames.SCOPE, scopes)
            .attribute(GrantText.AUDIENCE, new ArrayList<>(asked))
            .build());
    return new OAuth2DeviceAuthorizationRequestAuthenticationToken(
        asking.caller(), scopes, device, user);
  }

  /** Of 20 letters that form no words: 2.5e10 codes, for one who is logged in, for minutes. */
  private String userCode() {
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < 2 * HALF; i++) {
      if (i == HALF) {
        code.append('-');
      }
      code.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return code.toString();
  }
}
