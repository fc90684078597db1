package dev.staithe.authn.oauth;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * What becomes of a browser that comes to the protocol's pages without a session: the login page,
 * or an error at the client that forbids pages ({@code prompt=none}, OpenID Connect Core 3.1.2.6).
 */
final class ProtocolEntry implements AuthenticationEntryPoint {
  private final Clients clients;

  ProtocolEntry(Clients clients) {
    this.clients = clients;
  }

  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException cause)
      throws IOException {
    String client = request.getParameter("client_id");
    String redirect = request.getParameter("redirect_uri");
    boolean silent =
        "none".equals(request.getParameter("prompt"))
            && client != null
            && redirect != null
            && clients.find(client).filter(c -> c.redirectUris().contains(redirect)).isPresent();
    if (!silent) {
      LoginRedirect.send(request, response);
      return;
    }
    String state = request.getParameter("state");
    UriComponentsBuilder target =
        UriComponentsBuilder.fromUriString(redirect).queryParam("error", "login_required");
    String location =
        state == null
            ? target.toUriString()
            : target.queryParam("state", "{state}").encode().buildAndExpand(state).toUriString();
    response.setStatus(HttpServletResponse.SC_FOUND);
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader(HttpHeaders.LOCATION, location);
  }
}
