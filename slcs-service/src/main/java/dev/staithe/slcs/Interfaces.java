package dev.staithe.slcs;

import java.util.Set;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The parts of the service as the access log and its metrics name them. */
final class Interfaces {
  private static final Set<String> KNOWN =
      Set.of("saml2", "login", "certificates", "people", "soap", "SLCS", "ocsp", "echo");

  private Interfaces() {}

  /** The first segment of the path where it is one of ours, {@code pages} for everything else. */
  static @Nullable String of(Request request) {
    String path = request.getHttpURI().getPath();
    if (path == null || path.length() < 2) {
      return "pages";
    }
    int slash = path.indexOf('/', 1);
    String first = path.substring(1, slash < 0 ? path.length() : slash);
    return KNOWN.contains(first) ? first : "pages";
  }
}
