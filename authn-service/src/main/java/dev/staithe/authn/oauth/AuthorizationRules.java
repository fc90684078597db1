package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.tokens.Audiences;
import dev.staithe.authn.tokens.People;
import dev.staithe.authn.users.Account;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationContext;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationException;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationToken;

/**
 * What an authorization request may ask for besides what the client may: what the user may, and
 * which services the token is for. Said before anybody is asked to agree, and told to the client.
 */
final class AuthorizationRules
    implements Consumer<OAuth2AuthorizationCodeRequestAuthenticationContext> {
  private final Clients clients;
  private final ScopeGrants grants;
  private final People people;
  private final String audience;

  AuthorizationRules(Clients clients, ScopeGrants grants, People people, String audience) {
    this.clients = clients;
    this.grants = grants;
    this.people = people;
    this.audience = audience;
  }

  @Override
  public void accept(OAuth2AuthorizationCodeRequestAuthenticationContext context) {
    OAuth2AuthorizationCodeRequestAuthenticationToken request = context.getAuthentication();
    Client client = clients.find(request.getClientId()).orElse(null);
    if (client == null) {
      throw refused(new OAuth2Error(OAuth2ErrorCodes.INVALID_CLIENT), request, null);
    }
    try {
      if (given(request.getAdditionalParameters().get("request"))) {
        // OpenID Connect Core 6.1: whoever signed what is asked for must not be read otherwise.
        throw new OAuth2AuthenticationException("request_not_supported");
      }
      if (!client.proofKey() && !proven(request)) {
        throw new OAuth2AuthenticationException(
            new OAuth2Error(
                OAuth2ErrorCodes.INVALID_REQUEST,
                "code_challenge, or nonce with the scope openid, is needed",
                "https://www.rfc-editor.org/rfc/rfc9700#section-2.1.1"));
      }
      Audiences.allowed(client, Audiences.of(request.getAdditionalParameters()), audience);
      if (request.getPrincipal() instanceof SignedIn user) {
        Account account = people.of(user.getPrincipal());
        if (!grants.permitted(account, request.getScopes()).containsAll(request.getScopes())) {
          throw new OAuth2AuthenticationException(ScopeGrants.NOT_GRANTED);
        }
      }
    } catch (OAuth2AuthenticationException e) {
      String redirect = request.getRedirectUri();
      throw refused(
          e.getError(),
          request,
          redirect == null || redirect.isBlank() ? client.redirectUris().getFirst() : redirect);
    }
  }

  /** What keeps a stolen code from being put into another's browser. */
  private static boolean proven(OAuth2AuthorizationCodeRequestAuthenticationToken request) {
    Map<String, Object> parameters = request.getAdditionalParameters();
    return given(parameters.get("code_challenge"))
        || given(parameters.get("nonce")) && request.getScopes().contains("openid");
  }

  private static boolean given(@Nullable Object parameter) {
    return parameter instanceof String text && !text.isBlank();
  }

  /** Told to the client at that address; to the user alone where it is null. */
  static OAuth2AuthorizationCodeRequestAuthenticationException refused(
      OAuth2Error error,
      OAuth2AuthorizationCodeRequestAuthenticationToken request,
      @Nullable String redirect) {
    var answer =
        new OAuth2AuthorizationCodeRequestAuthenticationToken(
            request.getAuthorizationUri(),
            request.getClientId(),
            (Authentication) request.getPrincipal(),
            redirect,
            request.getState(),
            request.getScopes(),
            request.getAdditionalParameters());
    answer.setAuthenticated(true);
    return new OAuth2AuthorizationCodeRequestAuthenticationException(error, answer);
  }
}
