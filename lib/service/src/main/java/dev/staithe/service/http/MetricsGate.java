package dev.staithe.service.http;

import dev.staithe.service.Networks;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets {@code /.staithe/metrics} and the details of {@code /.staithe/health} be read from the
 * configured networks only; others see the bare status of health, for which the application has the
 * health groups {@code status}, {@code liveness} and {@code readiness}. As a bean it stands before
 * all servlets, which is right where they serve nothing else; where they do, {@link
 * #beforeOwnPaths} leaves the others open. Safe for many threads.
 */
public final class MetricsGate extends OncePerRequestFilter {
  private static final String BARE_STATUS = "/.staithe/health/status";
  private static final Set<String> BARE =
      Set.of(BARE_STATUS, "/.staithe/health/liveness", "/.staithe/health/readiness");

  private final Networks allowed;
  private final Predicate<HttpServletRequest> open;

  /** Opens to these. */
  public MetricsGate(Networks allowed) {
    this(allowed, request -> false);
  }

  /**
   * Opens to these.
   *
   * @param open what everybody may ask for beside
   */
  public MetricsGate(Networks allowed, Predicate<HttpServletRequest> open) {
    this.allowed = allowed;
    this.open = open;
  }

  /** The gate before {@code /.staithe/} alone, as the servlet container reads paths. */
  public static FilterRegistrationBean<MetricsGate> beforeOwnPaths(Networks allowed) {
    FilterRegistrationBean<MetricsGate> gate =
        new FilterRegistrationBean<>(new MetricsGate(allowed));
    gate.addUrlPatterns("/.staithe/*");
    gate.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return gate;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean known = allowed.contains(InetAddress.ofLiteral(request.getRemoteAddr()));
    String path = request.getRequestURI();
    if (known || BARE.contains(path) || open.test(request)) {
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
