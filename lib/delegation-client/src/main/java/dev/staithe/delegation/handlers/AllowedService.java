package dev.staithe.delegation.handlers;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * A service of delegation that may be asked for proxies. Others never are, whatever a call says: it
 * would make this service send requests to any place (SSRF), and show its certificate there.
 *
 * @param url its address, as delegators tell it; https, or http on the machine itself
 * @param language how it is spoken to
 */
public record AllowedService(URI url, DelegationLanguage language) {
  /** Checks the address. */
  public AllowedService {
    if (!isSafe(url)) {
      throw new IllegalArgumentException(url + " is no https URL of a service");
    }
  }

  /** Whether an address that was told is this one; the case of the host and a last slash aside. */
  boolean isAt(String told) {
    return canonical(told).filter(canonical(url)::equals).isPresent();
  }

  private static boolean isSafe(URI url) {
    String host = url.getHost();
    return host != null
        && url.getUserInfo() == null
        && url.getQuery() == null
        && url.getFragment() == null
        && ("https".equals(url.getScheme())
            || "http".equals(url.getScheme())
                && (host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]")));
  }

  private static Optional<String> canonical(String told) {
    try {
      URI url = new URI(told.strip());
      // Only what is safe has a form that can be compared.
      return isSafe(url) ? Optional.of(canonical(url)) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static String canonical(URI url) {
    int port = url.getPort() >= 0 ? url.getPort() : "https".equals(url.getScheme()) ? 443 : 80;
    String path = url.getRawPath();
    return url.getScheme()
        + "://"
        + url.getHost().toLowerCase(Locale.ROOT)
        + ":"
        + port
        + (path.endsWith("/") ? path : path + "/");
  }
}
