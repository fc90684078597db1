package dev.staithe.authn.oauth;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenError;
import org.springframework.security.web.AuthenticationEntryPoint;

/**
 * Asks for a token, and says what is wrong with the one that came (RFC 6750 section 3). Nothing of
 * it is from the request: the address in its Host header may be anybody's.
 */
final class BearerEntry implements AuthenticationEntryPoint {
  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException cause) {
    int status = HttpServletResponse.SC_UNAUTHORIZED;
    String challenge = "Bearer";
    if (cause instanceof OAuth2AuthenticationException refused) {
      challenge += " error=\"" + refused.getError().getErrorCode() + "\"";
      if (refused.getError() instanceof BearerTokenError error) {
        status = error.getHttpStatus().value();
      }
    }
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge);
    response.setStatus(status);
  }
}
