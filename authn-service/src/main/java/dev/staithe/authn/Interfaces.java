package dev.staithe.authn;

import java.util.Set;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The parts of the service as the access log and its metrics name them. */
final class Interfaces {
  private static final Set<String> KNOWN = Set.of("identity", "json", "oauth2", "admin", "connect");

  private static final String OPENAM = "/openam/";

  private Interfaces() {}

  /** The first segment of the path where it is one of ours, {@code pages} for everything else. */
  static @Nullable String of(Request request) {
    String path = request.getHttpURI().getPath();
    if (path == null || path.length() < 2) {
      return "pages";
    }
    // The same calls by OpenAM's address.
    String ours = path.startsWith(OPENAM) ? path.substring(OPENAM.length() - 1) : path;
    int slash = ours.indexOf('/', 1);
    String first = ours.substring(1, slash < 0 ? ours.length() : slash);
    return KNOWN.contains(first) ? first : "pages";
  }
}
