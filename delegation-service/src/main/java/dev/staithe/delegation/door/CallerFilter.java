package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.Caller;
import dev.staithe.delegation.credential.Callers;
import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.service.door.Body;
import dev.staithe.service.door.Origins;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * What every call by REST passes: the caller is known by a certificate, and no page of another site
 * made a browser send it. Reading is judged like changing: asking for a key, which in some of the
 * shapes is a GET, is work, and no page of another site has business here. Thread-safe.
 */
final class CallerFilter extends OncePerRequestFilter {
  /** The attribute of a request that has who sends it, an {@link Owner}. */
  static final String OWNER = "dev.staithe.delegation.owner";

  /** All ways in by REST. */
  static final String[] PATHS = {
    "/whoami/*", "/delegation/*", "/delegations/*", "/arex/*", "/api/*"
  };

  private final Callers callers;
  private final Origins origins;
  private final RestRefusals refusals;

  CallerFilter(Callers callers, Origins origins, RestRefusals refusals) {
    this.callers = callers;
    this.origins = origins;
    this.refusals = refusals;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    switch (callers.of(certificates(request))) {
      case Caller.Refused(String line) ->
          RestRefusals.answer(request, response, new DelegationFault(Kind.NOT_ALLOWED, line));
      case Caller.Known(Owner owner) -> {
        Optional<String> foreign = origins.refusal(request);
        if (foreign.isPresent()) {
          refusals.note(request, "cross-site", owner, foreign.get());
          RestRefusals.answer(
              request, response, new DelegationFault(Kind.NOT_ALLOWED, foreign.get()));
        } else {
          request.setAttribute(OWNER, owner);
          response.setHeader("Cache-Control", "no-store");
          response.setHeader("X-Content-Type-Options", "nosniff");
          chain.doFilter(request, response);
        }
      }
    }
    Body.discard(request);
  }

  /** The certificates that came with the connection, the caller's own first; none: empty. */
  static X509Certificate[] certificates(HttpServletRequest request) {
    return request.getAttribute(Callers.CERTIFICATES) instanceof X509Certificate[] shown
        ? shown
        : new X509Certificate[0];
  }
}
