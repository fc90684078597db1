package dev.staithe.authn.oauth;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.server.authorization.authentication.OAuth2ClientAuthenticationToken;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.web.authentication.AuthenticationConverter;

/**
 * Clients without a secret where the authorization server by itself takes none: a command line that
 * lets a device in (RFC 8628 section 3.1), refreshes (RFC 6749 section 6; safe by rotation, RFC
 * 9700 section 2.2.2) or revokes (RFC 7009 section 2.1) its own tokens.
 */
final class PublicClients implements AuthenticationConverter, AuthenticationProvider {
  private static final Set<String> GRANTS =
      Set.of(Grant.DEVICE_CODE.parameter(), Grant.REFRESH_TOKEN.parameter());
  private static final Set<String> PATHS = Set.of("/oauth2/device_authorization", "/oauth2/revoke");
  private static final String TOKEN = "/oauth2/token";

  private final RegisteredClientRepository clients;

  PublicClients(RegisteredClientRepository clients) {
    this.clients = clients;
  }

  private static final class Unproven extends OAuth2ClientAuthenticationToken {
    private static final long serialVersionUID = 1;

    Unproven(String id) {
      super(id, ClientAuthenticationMethod.NONE, null, Map.of());
    }
  }

  @Override
  public @Nullable Authentication convert(HttpServletRequest request) {
    String path = request.getServletPath();
    boolean here =
        path.equals(TOKEN)
            ? GRANTS.contains(String.valueOf(request.getParameter("grant_type")))
            : PATHS.contains(path);
    String id = request.getParameter("client_id");
    boolean alone =
        id != null
            && !id.isEmpty()
            && request.getParameterValues("client_id").length == 1
            && request.getParameter("client_secret") == null
            && request.getParameter("client_assertion") == null
            && request.getHeader(HttpHeaders.AUTHORIZATION) == null;
    return here && alone && request.getMethod().equals("POST") ? new Unproven(id) : null;
  }

  @Override
  public boolean supports(Class<?> type) {
    return Unproven.class.isAssignableFrom(type);
  }

  @Override
  public Authentication authenticate(Authentication authentication) {
    RegisteredClient client = clients.findByClientId(String.valueOf(authentication.getPrincipal()));
    if (client == null
        || !client.getClientAuthenticationMethods().contains(ClientAuthenticationMethod.NONE)) {
      throw new OAuth2AuthenticationException(
          new OAuth2Error(
              OAuth2ErrorCodes.INVALID_CLIENT,
              "the client is unknown, or has a secret",
              "https://www.rfc-editor.org/rfc/rfc6749#section-5.2"));
    }
    return new OAuth2ClientAuthenticationToken(client, ClientAuthenticationMethod.NONE, null);
  }
}
