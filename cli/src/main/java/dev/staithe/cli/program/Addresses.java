package dev.staithe.cli.program;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where requests may go. */
public final class Addresses {
  private Addresses() {}

  /**
   * Reads the address of a service, with a slash at its end.
   *
   * @throws IOException where it is none, or not safe for passwords
   */
  public static URI service(String address) throws IOException {
    URI url;
    try {
      url = URI.create(address.endsWith("/") ? address : address + "/");
    } catch (IllegalArgumentException e) {
      throw new IOException(address + " is no URL");
    }
    if (!isSafe(url)) {
      throw new IOException(address + ": passwords and tokens go over https only");
    }
    return url;
  }

  /** Whether nobody on the way can listen: https, or this machine itself. */
  public static boolean isSafe(URI url) {
    return url.getHost() != null && ("https".equals(url.getScheme()) || isLoopback(url));
  }

  /** Whether it is plain http to this machine. */
  static boolean isLoopback(URI url) {
    String host = url.getHost();
    return "http".equals(url.getScheme())
        && host != null
        && (host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]"));
  }

  /** Scheme, host and port the same. */
  public static boolean sameOrigin(URI one, URI other) {
    return origin(one).equals(origin(other));
  }

  /** The host, with the port where that is not the usual one: what is shown to people. */
  public static String host(URI url) {
    return url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
  }

  /** An address in a page or header, null where it is none. */
  public static @Nullable URI resolve(URI from, String address) {
    String to = address.strip().replace(" ", "%20");
    if (to.startsWith("?")) {
      // java.net.URI resolves a mere query as RFC 2396 said: without the last part of the path.
      String base = from.toString();
      int end = base.indexOf('?');
      to = (end < 0 ? base : base.substring(0, end)) + to;
    }
    try {
      return from.resolve(to);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String origin(URI url) {
    int port = url.getPort() >= 0 ? url.getPort() : "https".equals(url.getScheme()) ? 443 : 80;
    String host = url.getHost() == null ? "" : url.getHost().toLowerCase(Locale.ROOT);
    return url.getScheme() + "://" + host + ":" + port;
  }
}
