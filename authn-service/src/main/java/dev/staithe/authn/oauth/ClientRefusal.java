package dev.staithe.authn.oauth;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;

/**
 * Tells a client that it has not proven who it is, by the code alone, and with 401 how it could
 * (RFC 6749 section 5.2, RFC 9110 section 15.5.2).
 */
final class ClientRefusal implements AuthenticationFailureHandler {
  @Override
  public void onAuthenticationFailure(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    SecurityContextHolder.clearContext();
    String code =
        failure instanceof OAuth2AuthenticationException refused
            ? refused.getError().getErrorCode()
            : OAuth2ErrorCodes.INVALID_CLIENT;
    boolean unproven = code.equals(OAuth2ErrorCodes.INVALID_CLIENT);
    response.setStatus(
        unproven ? HttpServletResponse.SC_UNAUTHORIZED : HttpServletResponse.SC_BAD_REQUEST);
    if (unproven) {
      response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"clients\"");
    }
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setContentType("application/json");
    response.getWriter().write("{\"error\":\"" + code + "\"}");
  }
}
