package dev.staithe.slcs.saml;

import dev.staithe.slcs.saml.metadata.Provider;
import dev.staithe.slcs.saml.metadata.Providers;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.web.util.UriUtils;

/**
 * Asks whoever has no session to log in, in the way that the client understands: an enhanced client
 * gets a request for its identity provider (SAML profiles section 4.2), a browser the page where it
 * chooses one, everybody else a line of text. Thread-safe.
 */
public final class SignIn {
  /** The page where people choose, and its parameters. */
  public static final String PAGE = "/login";

  /** The list that the page shows, as JSON. */
  static final String PROVIDERS = "/login/providers";

  static final String RETURN = "to";
  static final String PROVIDER = "idp";

  private final Providers providers;
  private final ServiceProvider self;
  private final AuthnRequests requests;
  private final BegunLogins begun;
  private final String url;

  SignIn(
      Providers providers,
      ServiceProvider self,
      AuthnRequests requests,
      BegunLogins begun,
      SamlSettings settings) {
    this.providers = providers;
    this.self = self;
    this.requests = requests;
    this.begun = begun;
    this.url = settings.url().toString();
  }

  /**
   * Answers a request that needs a session and has none. The provider is the one that the request
   * names by {@code ?idp=}, or the only one.
   */
  public void ask(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setHeader("Cache-Control", "no-store");
    String accept = request.getHeader("Accept");
    if (Paos.wanted(request)) {
      askEnhanced(request, response);
    } else if (accept != null && accept.contains("text/html") && reads(request)) {
      String query = request.getQueryString();
      String path = request.getRequestURI() + (query == null ? "" : "?" + query);
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader(
          "Location",
          url + PAGE + "?" + RETURN + "=" + UriUtils.encode(path, StandardCharsets.UTF_8));
    } else {
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
      response.setHeader("WWW-Authenticate", "SAML login=\"" + url + PAGE + "\"");
      line(response, "log in at " + url + PAGE);
    }
  }

  private static boolean reads(HttpServletRequest request) {
    return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
  }

  private void askEnhanced(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Provider provider = chosen(request).orElse(null);
    if (provider == null) {
      response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
      line(response, "name an identity provider that is known here by ?" + PROVIDER + "=");
      return;
    }
    String place = provider.ecp();
    if (place == null) {
      response.setStatus(HttpServletResponse.SC_NOT_IMPLEMENTED);
      line(response, "the identity provider " + provider.name() + " does not offer ECP");
      return;
    }
    if (!begun.admit(request, response)) {
      return;
    }
    String query = request.getQueryString();
    String returnTo =
        reads(request) ? request.getRequestURI() + (query == null ? "" : "?" + query) : "/session";
    String authnRequest = requests.enhanced(provider, place, request, ReturnPath.of(returnTo));
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType(Paos.TYPE);
    response.setCharacterEncoding("UTF-8");
    response.getWriter().write(Paos.request(authnRequest, self, provider));
  }

  /** The provider that the request names, or the only one. */
  Optional<Provider> chosen(HttpServletRequest request) {
    String name = request.getParameter(PROVIDER);
    return name == null ? providers.only() : providers.named(name);
  }

  static void line(HttpServletResponse response, String line) throws IOException {
    response.setContentType("text/plain");
    response.setCharacterEncoding("UTF-8");
    response.getWriter().write(line + "\n");
  }
}
