package dev.staithe.authn.oauth;

import dev.staithe.authn.clients.Grant;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
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
 * 9700 section 2.2.2) or revokes (RFC 7009 section 2.1) its own tokens. Each may also say who it is
 * by {@code Authorization: Basic} with an empty password, as oidc-agent does, where it redeems a
 * code too.
 */
final class PublicClients implements AuthenticationConverter, AuthenticationProvider {
  private static final Set<String> GRANTS =
      Set.of(Grant.DEVICE_CODE.parameter(), Grant.REFRESH_TOKEN.parameter());
  private static final Set<String> PATHS = Set.of("/oauth2/device_authorization", "/oauth2/revoke");
  private static final String TOKEN = "/oauth2/token";
  private static final String CODE = Grant.AUTHORIZATION_CODE.parameter();
  private static final String BASIC = "Basic ";

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
    String grant = String.valueOf(request.getParameter("grant_type"));
    boolean here = path.equals(TOKEN) ? GRANTS.contains(grant) : PATHS.contains(path);
    boolean code = path.equals(TOKEN) && grant.equals(CODE);
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    String basic = header == null ? null : withoutPassword(header);
    String given = request.getParameter("client_id");
    String id = given == null ? basic : given;
    if (id == null || id.isEmpty()) {
      return null;
    }
    String secret = request.getParameter("client_secret");
    boolean alone =
        (given == null || request.getParameterValues("client_id").length == 1)
            && (secret == null || secret.isEmpty())
            && request.getParameter("client_assertion") == null
            && (header == null || id.equals(basic));
    if (!alone || !request.getMethod().equals("POST")) {
      return null;
    }
    if (code && basic != null) {
      // Its verifier is compared with the challenge by the authorization server.
      Map<String, Object> parameters = new HashMap<>();
      request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
      parameters.remove("client_id");
      return new OAuth2ClientAuthenticationToken(
          id, ClientAuthenticationMethod.NONE, null, parameters);
    }
    return here ? new Unproven(id) : null;
  }

  /** The name of {@code Basic} credentials that have no password; null where they are others. */
  private static @Nullable String withoutPassword(String header) {
    if (!header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      return null;
    }
    try {
      byte[] decoded = Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
      String text = new String(decoded, StandardCharsets.UTF_8);
      return text.endsWith(":") && text.indexOf(':') == text.length() - 1
          ? URLDecoder.decode(text.substring(0, text.length() - 1), StandardCharsets.UTF_8)
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
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
