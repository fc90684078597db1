package dev.staithe.storage;

import dev.staithe.storage.authz.Networks;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets {@code /.staithe/metrics} and the details of {@code /.staithe/health} be read from the
 * configured networks only; others see the bare status of health.
 */
final class MetricsGate extends OncePerRequestFilter {
  private static final String BARE_STATUS = "/.staithe/health/status";

  private final Networks allowed;

  MetricsGate(Networks allowed) {
    this.allowed = allowed;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean known = allowed.contains(InetAddress.ofLiteral(request.getRemoteAddr()));
    String path = request.getRequestURI();
    if (known || path.equals(BARE_STATUS)) {
      chain.doFilter(request, response);
      return;
    }
    if (path.equals("/.staithe/health")) {
      request.getRequestDispatcher(BARE_STATUS).forward(request, response);
      return;
    }
    response.setStatus(HttpServletResponse.SC_FORBIDDEN);
    response.setContentType("text/plain;charset=utf-8");
    response.getWriter().write("not from this address\n");
  }
}
