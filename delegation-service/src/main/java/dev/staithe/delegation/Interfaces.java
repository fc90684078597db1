package dev.staithe.delegation;

import java.util.Map;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The parts of the service as the access log and its metrics name them. */
final class Interfaces {
  private static final Map<String, String> KNOWN =
      Map.of(
          "services", "soap",
          "gridsite-delegation.cgi", "soap",
          "whoami", "fts",
          "delegation", "fts",
          "delegations", "arex",
          "arex", "arex",
          "api", "api");

  private Interfaces() {}

  /** Which wire format the first segment of the path stands for; {@code pages} for all else. */
  static @Nullable String of(Request request) {
    String path = request.getHttpURI().getPath();
    if (path != null && path.startsWith("//")) {
      // As FTS's client writes it.
      path = path.substring(1);
    }
    if (path == null || path.length() < 2) {
      return "pages";
    }
    int slash = path.indexOf('/', 1);
    return KNOWN.getOrDefault(path.substring(1, slash < 0 ? path.length() : slash), "pages");
  }
}
