package dev.staithe.authn.oauth;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;

/**
 * Which pages of other sites may ask from within a browser (CORS): for what is public anyway every
 * one, for tokens and UserInfo those that are listed. Cookies never go with it.
 */
final class BrowserApplications implements CorsConfigurationSource {
  private static final Set<String> PUBLIC =
      Set.of(
          "/.well-known/openid-configuration",
          "/.well-known/oauth-authorization-server",
          "/oauth2/jwks");
  private static final Set<String> LISTED = Set.of("/oauth2/token", "/oauth2/revoke", "/userinfo");

  private final CorsConfiguration everybody;
  private final @Nullable CorsConfiguration listed;

  BrowserApplications(List<String> origins) {
    this.everybody = allowing(List.of("*"));
    this.listed = origins.isEmpty() ? null : allowing(origins);
  }

  private static CorsConfiguration allowing(List<String> origins) {
    var cors = new CorsConfiguration();
    cors.setAllowedOrigins(origins);
    cors.setAllowedMethods(List.of("GET", "POST"));
    cors.setAllowedHeaders(List.of("Authorization", "Content-Type"));
    cors.setExposedHeaders(List.of("WWW-Authenticate", "Retry-After"));
    cors.setMaxAge(3600L);
    return cors;
  }

  @Override
  public @Nullable CorsConfiguration getCorsConfiguration(HttpServletRequest request) {
    String path = request.getServletPath();
    return PUBLIC.contains(path) ? everybody : LISTED.contains(path) ? listed : null;
  }
}
