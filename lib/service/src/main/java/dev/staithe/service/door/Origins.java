package dev.staithe.service.door;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * Tells requests that a page of somebody else's made a browser send: its cookie would come along.
 * The cookie's own rule ({@code SameSite=Lax}) lets through what comes from a neighbour in the same
 * domain, and this does not. Thread-safe.
 */
public final class Origins {
  private final String own;

  /**
   * @param url of this service
   */
  public Origins(URI url) {
    this.own = origin(url);
  }

  /**
   * Judges a request that changes something.
   *
   * @return why it is refused, one line; empty where it comes from our own pages or from no browser
   */
  public Optional<String> refusal(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return Optional.of("a page of another site may not ask for this");
    }
    String origin = request.getHeader("Origin");
    // Every browser sends it with what is not a GET; "null" is that of a page that hides its own.
    if (origin != null && !origin.equals(own)) {
      return Optional.of("a page of another origin than " + own + " may not ask for this");
    }
    return Optional.empty();
  }

  private static String origin(URI url) {
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    boolean usual =
        url.getPort() < 0
            || (scheme.equals("https") && url.getPort() == 443)
            || (scheme.equals("http") && url.getPort() == 80);
    return scheme
        + "://"
        + String.valueOf(url.getHost()).toLowerCase(Locale.ROOT)
        + (usual ? "" : ":" + url.getPort());
  }
}
