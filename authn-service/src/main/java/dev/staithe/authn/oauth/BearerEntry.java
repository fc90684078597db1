package dev.staithe.authn.oauth;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.server.resource.BearerTokenError;
import org.springframework.security.web.AuthenticationEntryPoint;

/**
 * Asks for a token, and says what is wrong with the one that came (RFC 6750 section 3). Nothing of
 * it is from the request: the address in its Host header may be anybody's. Nor is anything of what
 * went wrong inside.
 */
final class BearerEntry implements AuthenticationEntryPoint {
  private static final int RETRY_SECONDS = 2;

  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException cause) {
    int status = HttpServletResponse.SC_UNAUTHORIZED;
    String challenge = "Bearer";
    if (cause instanceof OAuth2AuthenticationException refused) {
      OAuth2Error error = refused.getError();
      if (error.getErrorCode().equals(OAuth2ErrorCodes.TEMPORARILY_UNAVAILABLE)) {
        response.setIntHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        return;
      }
      challenge += " error=\"" + error.getErrorCode() + "\"";
      status =
          error instanceof BearerTokenError told
              ? told.getHttpStatus().value()
              : HttpServletResponse.SC_BAD_REQUEST;
    }
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge);
    response.setStatus(status);
  }
}
