package dev.staithe.slcs.protect;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Which protected service a request is for: of several that cover its path, the longest. */
final class ProtectedServices {
  private final List<ProtectedService> longestFirst;

  ProtectedServices(List<ProtectedService> services) {
    longestFirst =
        services.stream()
            .sorted(Comparator.comparing((ProtectedService each) -> -each.path().length()))
            .toList();
  }

  Optional<ProtectedService> of(HttpServletRequest request) {
    String path = path(request);
    return longestFirst.stream().filter(each -> each.covers(path)).findFirst();
  }

  /** Decoded once by the server, which has refused what is ambiguous. */
  static String path(HttpServletRequest request) {
    return request.getPathInfo() == null
        ? request.getServletPath()
        : request.getServletPath() + request.getPathInfo();
  }
}
