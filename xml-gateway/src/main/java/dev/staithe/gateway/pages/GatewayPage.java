package dev.staithe.gateway.pages;

import dev.staithe.service.Networks;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Where operators see what the gateway does: for the networks that may read metrics, and for nobody
 * else. It comes anew every few seconds, unless asked to stand still (WCAG 2.2, 2.2.2).
 */
@Controller
final class GatewayPage {
  /** No script at all; styles and images of our own. */
  private static final String POLICY =
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none';"
          + " frame-ancestors 'none'; form-action 'none'";

  private final Overviews overviews;
  private final Networks allowed;

  GatewayPage(Overviews overviews, Networks allowed) {
    this.overviews = overviews;
    this.allowed = allowed;
  }

  @GetMapping("/")
  @Nullable String show(
      @RequestParam(name = "still", required = false) @Nullable String still,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws IOException {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    // As MetricsGate does; here, so that no other way to write the path leads around it.
    if (!allowed.contains(InetAddress.ofLiteral(request.getRemoteAddr()))) {
      response.setStatus(HttpServletResponse.SC_FORBIDDEN);
      response.setContentType("text/plain;charset=utf-8");
      response.getWriter().write("not from this address\n");
      return null;
    }
    model.addAttribute("still", still != null);
    model.addAttribute("overview", overviews.now());
    return "pages/gateway";
  }
}
