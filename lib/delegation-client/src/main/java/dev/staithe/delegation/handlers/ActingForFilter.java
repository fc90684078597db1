package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.DelegationRefusal;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the scope of a call, and lets it act for its caller where its fields tell a delegation;
 * what follows sees a request without them, and the caller as its user. A request whose delegation
 * cannot be used is refused with one line. Thread-safe.
 */
public final class ActingForFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(ActingForFilter.class);
  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  private final Delegatee delegatee;

  /** To be put in front of what may act for its callers. */
  public ActingForFilter(Delegatee delegatee) {
    this.delegatee = delegatee;
  }

  @Override
  public void doFilter(ServletRequest asked, ServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    var request = (HttpServletRequest) asked;
    var call =
        new Call(
            request.getAttribute(CERTIFICATES) instanceof X509Certificate[] shown
                ? List.of(shown)
                : List.of());
    try {
      call.serve(
          () -> {
            serve(call, request, (HttpServletResponse) answer, chain);
            return call;
          });
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  private void serve(
      Call call, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<DelegationRefusal> refusal =
        delegatee.take(
            call,
            Collections.list(request.getHeaders(Notice.SERVICE_FIELD)),
            Collections.list(request.getHeaders(Notice.ID_FIELD)));
    if (refusal.isEmpty()) {
      try {
        chain.doFilter(new Served(request, call), response);
      } catch (IOException | ServletException | RuntimeException e) {
        DelegationRefusal further = NothingDelegated.in(e);
        if (further == null || response.isCommitted()) {
          throw e;
        }
        // The method calls somebody else, for whom the delegation does not go far enough.
        response.reset();
        refuse(response, further);
      }
    } else {
      refuse(response, refusal.get());
    }
  }

  private static void refuse(HttpServletResponse response, DelegationRefusal refusal)
      throws IOException {
    LOG.info("A call with a delegation is refused: {} {}", refusal.kind(), refusal.line());
    response.setStatus(
        switch (refusal.kind()) {
          case BAD_REQUEST -> 400;
          case UNAVAILABLE, UNREACHABLE, TOO_MANY -> 503;
          case LATE -> 504;
          case BAD_ANSWER -> 502;
          default -> 403;
        });
    response.setContentType("text/plain;charset=utf-8");
    byte[] line =
        ("the delegation cannot be used: " + refusal.line() + "\n")
            .getBytes(StandardCharsets.UTF_8);
    response.setContentLength(line.length);
    response.getOutputStream().write(line);
  }

  /** What the method that is called sees: nothing of a delegation, and the caller as its user. */
  private static final class Served extends HttpServletRequestWrapper {
    private final Call call;

    Served(HttpServletRequest request, Call call) {
      super(request);
      this.call = call;
    }

    private static boolean isNotice(@Nullable String field) {
      return Notice.SERVICE_FIELD.equalsIgnoreCase(field)
          || Notice.ID_FIELD.equalsIgnoreCase(field);
    }

    @Override
    public @Nullable String getHeader(String name) {
      return isNotice(name) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return isNotice(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
      return Collections.enumeration(
          Collections.list(super.getHeaderNames()).stream()
              .filter(name -> !isNotice(name))
              .toList());
    }

    /** Where nothing else says who it is: the caller, whose certificate was judged. */
    @Override
    public @Nullable Principal getUserPrincipal() {
      Principal known = super.getUserPrincipal();
      return known == null
          ? call.acting().map(acting -> new Person(acting.subject().name())).orElse(null)
          : known;
    }

    @Override
    public @Nullable String getRemoteUser() {
      Principal known = getUserPrincipal();
      return known == null ? null : known.getName();
    }
  }

  private record Person(String name) implements Principal {
    @Override
    public String getName() {
      return name;
    }
  }
}
