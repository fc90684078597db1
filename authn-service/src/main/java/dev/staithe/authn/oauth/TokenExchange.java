package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.clients.Scope;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.grants.GrantText;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.tokens.Audiences;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.OAuth2Token;
import org.springframework.security.oauth2.core.endpoint.OAuth2ParameterNames;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AccessTokenAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2TokenExchangeAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.context.AuthorizationServerContextHolder;
import org.springframework.security.oauth2.server.authorization.settings.OAuth2TokenFormat;
import org.springframework.security.oauth2.server.authorization.token.DefaultOAuth2TokenContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenGenerator;

/**
 * Exchanges a user's token for one with as much or less (RFC 8693): each scope has to lie within
 * one of the subject token's. The new token ends with the same session, but outlives its time where
 * the subject token does, and says who acts. Where both have {@code offline_access} and the client
 * may refresh, it is given a refresh token, for what waits in queues longer than a token lives;
 * without one the new token does not claim that scope. With {@code openid} an ID token comes beside
 * the refresh token, as with each refresh (OpenID Connect Core section 12.2): the authorization
 * server makes that one after the one before.
 *
 * <p>Subject tokens are found by their digest among those that we issued and that are good. Nothing
 * that a token says of itself is believed, its algorithm least of all.
 */
final class TokenExchange implements AuthenticationProvider {
  private static final String OFFLINE = "offline_access";

  private final PermittedGrants grants;
  private final Clients clients;
  private final OAuth2TokenGenerator<? extends OAuth2Token> generator;

  TokenExchange(
      PermittedGrants grants,
      Clients clients,
      OAuth2TokenGenerator<? extends OAuth2Token> generator) {
    this.grants = grants;
    this.clients = clients;
    this.generator = generator;
  }

  @Override
  public boolean supports(Class<?> type) {
    return OAuth2TokenExchangeAuthenticationToken.class.isAssignableFrom(type);
  }

  @Override
  public Authentication authenticate(Authentication authentication) {
    var request = (OAuth2TokenExchangeAuthenticationToken) authentication;
    var asking = AskingClient.of(request.getPrincipal(), clients, Grant.TOKEN_EXCHANGE);
    Client client = asking.client();
    if (request.getActorToken() != null && !request.getActorToken().isEmpty()) {
      throw refused(OAuth2ErrorCodes.INVALID_REQUEST, "the actor is the client itself");
    }
    OAuth2Authorization subject =
        grants.findByToken(request.getSubjectToken(), OAuth2TokenType.ACCESS_TOKEN);
    OAuth2Authorization.Token<OAuth2AccessToken> token =
        subject == null ? null : subject.getToken(OAuth2AccessToken.class);
    if (subject == null
        || token == null
        || !token.isActive()
        || !(subject.getAttribute(Principal.class.getName()) instanceof SignedIn user)) {
      throw refused(OAuth2ErrorCodes.INVALID_GRANT, "the subject token is not good");
    }
    Set<String> scopes = scopes(request, client, token.getToken().getScopes());
    boolean lasting = scopes.contains(OFFLINE) && client.grants().contains(Grant.REFRESH_TOKEN);
    if (!lasting) {
      scopes.remove(OFFLINE);
    }
    DefaultOAuth2TokenContext.Builder context =
        DefaultOAuth2TokenContext.builder()
            .registeredClient(asking.registered())
            .authorization(subject)
            .principal(user)
            .authorizationServerContext(AuthorizationServerContextHolder.getContext())
            .authorizedScopes(scopes)
            .tokenType(OAuth2TokenType.ACCESS_TOKEN)
            .authorizationGrantType(AuthorizationGrantType.TOKEN_EXCHANGE)
            .authorizationGrant(request);
    if (!(generator.generate(context.build()) instanceof Jwt jwt)) {
      throw new OAuth2AuthenticationException(OAuth2ErrorCodes.SERVER_ERROR);
    }
    var access =
        new OAuth2AccessToken(
            OAuth2AccessToken.TokenType.BEARER,
            jwt.getTokenValue(),
            jwt.getIssuedAt(),
            jwt.getExpiresAt(),
            scopes);
    Set<String> granted = new LinkedHashSet<>(scopes);
    if (subject.getAuthorizedScopes().contains(OFFLINE)) {
      // Else the token would be over as it is made, where the session's time is.
      granted.add(OFFLINE);
    }
    OAuth2Authorization.Builder grant =
        OAuth2Authorization.withRegisteredClient(asking.registered())
            .principalName(subject.getPrincipalName())
            .authorizationGrantType(AuthorizationGrantType.TOKEN_EXCHANGE)
            .authorizedScopes(granted)
            .attribute(Principal.class.getName(), user)
            // A refresh stays within the audience that was asked for now.
            .attribute(GrantText.AUDIENCE, Audiences.of(request))
            .token(
                access,
                metadata -> {
                  metadata.put(OAuth2Authorization.Token.CLAIMS_METADATA_NAME, jwt.getClaims());
                  metadata.put(
                      OAuth2TokenFormat.class.getName(),
                      OAuth2TokenFormat.SELF_CONTAINED.getValue());
                });
    OAuth2RefreshToken refresh =
        lasting
                && generator.generate(context.tokenType(OAuth2TokenType.REFRESH_TOKEN).build())
                    instanceof OAuth2RefreshToken made
            ? made
            : null;
    Map<String, Object> more = new LinkedHashMap<>();
    more.put(OAuth2ParameterNames.ISSUED_TOKEN_TYPE, request.getRequestedTokenType());
    if (refresh != null) {
      grant.refreshToken(refresh);
      if (scopes.contains("openid")) {
        OidcIdToken id = identity(context);
        grant.token(id);
        more.put(OidcParameterNames.ID_TOKEN, id.getTokenValue());
      }
    }
    grants.save(grant.build());
    return new OAuth2AccessTokenAuthenticationToken(
        asking.registered(), asking.caller(), access, refresh, more);
  }

  private OidcIdToken identity(DefaultOAuth2TokenContext.Builder context) {
    var type = new OAuth2TokenType(OidcParameterNames.ID_TOKEN);
    if (!(generator.generate(context.tokenType(type).build()) instanceof Jwt jwt)) {
      throw new OAuth2AuthenticationException(OAuth2ErrorCodes.SERVER_ERROR);
    }
    return new OidcIdToken(
        jwt.getTokenValue(), jwt.getIssuedAt(), jwt.getExpiresAt(), jwt.getClaims());
  }

  private static Set<String> scopes(
      OAuth2TokenExchangeAuthenticationToken request, Client client, Set<String> given) {
    Set<String> scopes = new LinkedHashSet<>();
    if (request.getScopes().isEmpty()) {
      for (String each : given) {
        if (Scope.parse(each).filter(client::mayAsk).isPresent()) {
          scopes.add(each);
        }
      }
      return scopes;
    }
    for (String each : request.getScopes()) {
      Scope asked = Scope.parse(each).orElse(null);
      boolean held =
          asked != null
              && client.mayAsk(asked)
              && given.stream().flatMap(one -> Scope.parse(one).stream()).anyMatch(asked::within);
      if (!held) {
        throw new OAuth2AuthenticationException(ScopeGrants.NOT_GRANTED);
      }
      scopes.add(each);
    }
    return scopes;
  }

  private static OAuth2AuthenticationException refused(String code, String description) {
    return new OAuth2AuthenticationException(
        new OAuth2Error(code, description, "https://www.rfc-editor.org/rfc/rfc8693#section-2.2.2"));
  }
}
