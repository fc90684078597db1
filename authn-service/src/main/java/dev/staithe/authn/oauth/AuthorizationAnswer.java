package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Clients;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationCode;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationException;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2AuthorizationCodeRequestAuthenticationToken;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.web.util.UriUtils;

/**
 * What a browser brings back to the client: a code, or why there is none, and in either case who
 * says so ({@code iss}, RFC 9207), so that a client of several servers is not made to give one's
 * code to another.
 */
final class AuthorizationAnswer
    implements AuthenticationSuccessHandler, AuthenticationFailureHandler {
  private final String issuer;
  private final Clients clients;

  AuthorizationAnswer(String issuer, Clients clients) {
    this.issuer = issuer;
    this.clients = clients;
  }

  @Override
  public void onAuthenticationSuccess(
      HttpServletRequest request, HttpServletResponse response, Authentication done) {
    var answer = (OAuth2AuthorizationCodeRequestAuthenticationToken) done;
    OAuth2AuthorizationCode code = answer.getAuthorizationCode();
    String redirect = answer.getRedirectUri();
    if (code == null || redirect == null) {
      throw new IllegalStateException("a request that was granted has a code and an address");
    }
    send(response, redirect, Map.of("code", code.getTokenValue()), answer.getState());
  }

  @Override
  public void onAuthenticationFailure(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    OAuth2Error error =
        failure instanceof OAuth2AuthenticationException oauth
            ? oauth.getError()
            : new OAuth2Error("server_error");
    OAuth2AuthorizationCodeRequestAuthenticationToken answer =
        failure instanceof OAuth2AuthorizationCodeRequestAuthenticationException refused
            ? refused.getAuthorizationCodeRequestAuthentication()
            : null;
    String redirect = answer == null ? null : answer.getRedirectUri();
    if (answer == null || redirect == null || !isRegistered(answer.getClientId(), redirect)) {
      response.sendError(HttpServletResponse.SC_BAD_REQUEST, error.toString());
      return;
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("error", error.getErrorCode());
    if (error.getDescription() != null && !error.getDescription().isBlank()) {
      parameters.put("error_description", error.getDescription());
    }
    if (error.getUri() != null && !error.getUri().isBlank()) {
      parameters.put("error_uri", error.getUri());
    }
    send(response, redirect, parameters, answer.getState());
  }

  /** Whatever was looked at before something was found wrong. */
  private boolean isRegistered(String client, String address) {
    return clients
        .find(client)
        .filter(each -> RedirectRules.isAmong(each.redirectUris(), address))
        .isPresent();
  }

  /** Sends the browser on; the address is one that is registered. */
  void send(
      HttpServletResponse response,
      String redirect,
      Map<String, String> parameters,
      @Nullable String state) {
    Map<String, String> all = new LinkedHashMap<>(parameters);
    if (state != null && !state.isEmpty()) {
      all.put("state", state);
    }
    all.put("iss", issuer);
    response.setStatus(HttpServletResponse.SC_FOUND);
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader(HttpHeaders.LOCATION, with(redirect, all));
  }

  /**
   * A registered address with parameters more. All else stays as it is (RFC 6749 section 3.1.2):
   * taken apart and put together again, some that may be registered would be others, or none.
   */
  static String with(String address, Map<String, String> parameters) {
    StringBuilder target = new StringBuilder(URI.create(address).toASCIIString());
    parameters.forEach(
        (name, value) ->
            target
                .append(target.indexOf("?") < 0 ? '?' : '&')
                .append(name)
                .append('=')
                .append(UriUtils.encode(value, StandardCharsets.UTF_8)));
    return target.toString();
  }
}
