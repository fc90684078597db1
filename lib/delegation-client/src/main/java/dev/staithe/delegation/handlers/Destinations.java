package dev.staithe.delegation.handlers;

import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * To whom calls are made in somebody's name, and told of a delegation.
 *
 * @param servers their addresses, of which scheme, host and port count; empty for all
 */
public record Destinations(List<URI> servers) {
  /** Copies the list. */
  public Destinations {
    servers = List.copyOf(servers);
  }

  boolean cover(URI called) {
    return servers.isEmpty()
        || servers.stream().anyMatch(each -> origin(each).equals(origin(called)));
  }

  private static String origin(URI url) {
    int port = url.getPort() >= 0 ? url.getPort() : "https".equals(url.getScheme()) ? 443 : 80;
    String host = url.getHost() == null ? "" : url.getHost().toLowerCase(Locale.ROOT);
    return url.getScheme() + "://" + host + ":" + port;
  }
}
