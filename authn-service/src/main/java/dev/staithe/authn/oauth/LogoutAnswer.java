package dev.staithe.authn.oauth;

import dev.staithe.authn.browser.LoginRedirect;
import dev.staithe.authn.browser.SessionCookie;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.grants.SignedIn;
import dev.staithe.authn.grants.Unavailable;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.oidc.OidcIdToken;
import org.springframework.security.oauth2.server.authorization.oidc.authentication.OidcLogoutAuthenticationToken;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;

/**
 * A logout that a client began (OpenID Connect RP-Initiated Logout 1.0). With an ID token of the
 * browser's very session it is done at once; else the user is asked, because any site can send a
 * browser here. What comes by a form of another site's page, with which browsers send no cookie of
 * ours, is asked for once more by a GET, with which they do.
 */
final class LogoutAnswer implements AuthenticationSuccessHandler, AuthenticationFailureHandler {
  private static final Logger LOG = LoggerFactory.getLogger(LogoutAnswer.class);
  private static final String ASK = "/logout";
  private static final String DONE = "/signed-out";
  private static final String PENDING = DONE + "?pending";
  private static final List<String> PARAMETERS =
      List.of("id_token_hint", "post_logout_redirect_uri", "client_id", "state");

  private final SessionCookie cookie;
  private final SessionLink sessions;

  LogoutAnswer(SessionCookie cookie, SessionLink sessions) {
    this.cookie = cookie;
    this.sessions = sessions;
  }

  @Override
  public void onAuthenticationSuccess(
      HttpServletRequest request, HttpServletResponse response, Authentication authentication)
      throws IOException {
    var logout = (OidcLogoutAuthenticationToken) authentication;
    if (logout.getPrincipal() instanceof SignedIn user) {
      OidcIdToken hint = logout.getIdToken();
      String session = hint == null ? null : hint.getClaimAsString("sid");
      if (!user.session().id().toString().equals(session)) {
        send(response, ASK);
        return;
      }
      boolean complete;
      try {
        complete =
            cookie
                .read(request)
                .map(token -> SessionLink.isComplete(sessions.end(token)))
                .orElse(true);
      } catch (Unavailable e) {
        // Not thrown on: the endpoint would take it for a request that is wrong.
        LOG.warn("a logout is answered 503: {}", e.getMessage());
        response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        return;
      }
      cookie.clear(response);
      if (!complete) {
        // The client would take it for done, and say so.
        send(response, PENDING);
        return;
      }
    } else if (isForm(request)) {
      send(response, byGet(request));
      return;
    }
    send(response, target(logout.getPostLogoutRedirectUri(), logout.getState()));
  }

  private static boolean isForm(HttpServletRequest request) {
    return request.getMethod().equals("POST");
  }

  private static String byGet(HttpServletRequest request) {
    Map<String, String> same = new LinkedHashMap<>();
    for (String name : PARAMETERS) {
      String value = request.getParameter(name);
      if (value != null) {
        same.put(name, value);
      }
    }
    String address = AuthorizationAnswer.with(request.getServletPath(), same);
    return address.length() > LoginRedirect.LONGEST ? ASK : address;
  }

  /** The address was found among the client's by the one who checked the request. */
  private static String target(@Nullable String uri, @Nullable String state) {
    if (uri == null || uri.isEmpty()) {
      return DONE;
    }
    return AuthorizationAnswer.with(
        uri, state == null || state.isEmpty() ? Map.of() : Map.of("state", state));
  }

  /** What names no session of ours, or a target that is not the client's: the user decides. */
  @Override
  public void onAuthenticationFailure(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException exception)
      throws IOException {
    boolean signedIn = SecurityContextHolder.getContext().getAuthentication() instanceof SignedIn;
    send(response, signedIn || isForm(request) ? ASK : DONE);
  }

  private static void send(HttpServletResponse response, String where) {
    response.setStatus(HttpServletResponse.SC_FOUND);
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader(HttpHeaders.LOCATION, where);
  }
}
