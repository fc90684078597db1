package dev.staithe.storage.locks;

import dev.staithe.storage.files.StoragePath;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The {@code Destination} of COPY and MOVE (RFC 4918 section 10.3). */
public sealed interface Destination {
  /** A path of this server. */
  record Local(StoragePath path) implements Destination {}

  /** Refused with that status. */
  record Refused(int status, String line) implements Destination {}

  /**
   * Reads it.
   *
   * @param authorities {@code host:port} by which this server is known, in lower case
   */
  static Destination parse(@Nullable String header, Set<String> authorities) {
    if (header == null || header.isBlank()) {
      return new Refused(400, "the Destination header is missing");
    }
    URI uri;
    try {
      uri = new URI(header.trim());
    } catch (URISyntaxException malformed) {
      return new Refused(400, "the Destination header is no URI");
    }
    if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
      return new Refused(400, "the Destination header has user information, a query or a fragment");
    }
    if (!uri.isAbsolute() && uri.getRawAuthority() != null) {
      return new Refused(400, "the Destination header names a host without a scheme");
    }
    String rawPath = uri.getRawPath();
    if (rawPath == null || rawPath.isEmpty()) {
      return new Refused(400, "the Destination header has no path");
    }
    if (uri.isAbsolute() && !isOwn(uri, authorities)) {
      return new Refused(502, "the Destination is on another server");
    }
    return switch (StoragePath.parse(rawPath)) {
      case StoragePath.Parsed.Invalid invalid ->
          new Refused(400, "Destination: " + invalid.reason());
      case StoragePath.Parsed.Valid valid -> new Local(valid.path());
    };
  }

  /** Whether an absolute URI means this server. */
  static boolean isOwn(URI uri, Set<String> authorities) {
    // Java knows no host where its name has an underscore, as services of compose files may.
    String authority = uri.getHost() == null ? uri.getRawAuthority() : uri.getHost();
    if (authority == null) {
      return false;
    }
    boolean tls =
        "https".equalsIgnoreCase(uri.getScheme()) || "davs".equalsIgnoreCase(uri.getScheme());
    int port = uri.getPort() >= 0 ? uri.getPort() : tls ? 443 : 80;
    boolean whole = uri.getHost() == null && authority.matches(".*:\\d+");
    return authorities.contains(
        (whole ? authority : authority + ":" + port).toLowerCase(Locale.ROOT));
  }
}
