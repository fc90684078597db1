package dev.staithe.gateway;

import java.util.Set;
import org.eclipse.jetty.server.Request;

/** The parts of the service as the access log and its metrics name them. */
final class Interfaces {
  private final Set<String> paths;

  Interfaces(Set<String> paths) {
    this.paths = Set.copyOf(paths);
  }

  /** The path where it is an endpoint's, {@code pages} for everything else. */
  String of(Request request) {
    String path = request.getHttpURI().getCanonicalPath();
    return path != null && paths.contains(path) ? path : "pages";
  }
}
