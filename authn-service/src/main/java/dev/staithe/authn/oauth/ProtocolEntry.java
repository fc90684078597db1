package dev.staithe.authn.oauth;

import dev.staithe.authn.browser.LoginRedirect;
import dev.staithe.authn.clients.Clients;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;

/**
 * What becomes of a browser that comes to the protocol's pages without a session: the login page,
 * or an error at the client that forbids pages ({@code prompt=none}, OpenID Connect Core 3.1.2.6)
 * or for whose request the login was somebody else's.
 */
final class ProtocolEntry implements AuthenticationEntryPoint {
  /** Attribute of a request that no other login is asked for. */
  static final String NO_OTHER = ProtocolEntry.class.getName() + ".noOther";

  private final Clients clients;
  private final AuthorizationAnswer answer;

  ProtocolEntry(Clients clients, AuthorizationAnswer answer) {
    this.clients = clients;
    this.answer = answer;
  }

  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException cause)
      throws IOException {
    String client = request.getParameter("client_id");
    String redirect = request.getParameter("redirect_uri");
    boolean silent =
        ("none".equals(request.getParameter("prompt")) || request.getAttribute(NO_OTHER) != null)
            && client != null
            && redirect != null
            && clients
                .find(client)
                .filter(c -> RedirectRules.isAmong(c.redirectUris(), redirect))
                .isPresent();
    if (!silent) {
      LoginRedirect.send(request, response);
      return;
    }
    answer.send(
        response, redirect, Map.of("error", "login_required"), request.getParameter("state"));
  }
}
