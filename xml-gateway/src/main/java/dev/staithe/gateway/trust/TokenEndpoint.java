package dev.staithe.gateway.trust;

import dev.staithe.wss.policy.EndpointPolicy;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a context is asked for.
 *
 * @param name of the endpoint; a context is good there only
 * @param policy in force there, of a {@link dev.staithe.wss.policy.Binding.Conversation}; for a
 *     request for a new context too, which was opened by the bootstrap policy in it
 * @param addresses that are the endpoint's: as configured, and as this request was addressed
 */
public record TokenEndpoint(String name, EndpointPolicy policy, List<String> addresses) {
  /** Keeps its own list. */
  public TokenEndpoint {
    addresses = List.copyOf(addresses);
  }

  /** Whether an address is the endpoint's; scheme, host, usual ports and a last slash aside. */
  boolean isAt(String address) {
    String wanted = plain(address);
    return wanted != null && addresses.stream().anyMatch(each -> wanted.equals(plain(each)));
  }

  private static @Nullable String plain(String address) {
    try {
      URI uri = new URI(address);
      if (uri.getScheme() == null
          || uri.getHost() == null
          || uri.getRawUserInfo() != null
          || uri.getRawFragment() != null) {
        return null;
      }
      String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
      int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
      String path = uri.getRawPath();
      return scheme
          + "://"
          + uri.getHost().toLowerCase(Locale.ROOT)
          + ":"
          + port
          + (path.endsWith("/") ? path.substring(0, path.length() - 1) : path)
          + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
