package dev.staithe.slcs.protect;

import dev.staithe.pki.grid.ClientVerdict;
import dev.staithe.service.door.Origins;
import dev.staithe.slcs.door.Admission;
import dev.staithe.slcs.door.Caller;
import dev.staithe.slcs.session.CampusSession;
import dev.staithe.tls.ClientCertificates;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Stands in front of services of any kind and admits to them who may: by certificate, by a session
 * of a campus or of authn-service, by attributes. Thread-safe.
 */
final class ServiceGate implements Filter {
  private static final Logger log = LoggerFactory.getLogger(ServiceGate.class);
  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  private final ProtectedServices services;
  private final @Nullable ClientCertificates certificates;
  private final Predicate<X509Certificate> withdrawn;
  private final BearerTokens tokens;
  private final Upstream upstream;
  private final Refusals refusals;
  private final Origins origins;

  /**
   * @param certificates null where clients are not asked for certificates
   * @param withdrawn whether our own authority has withdrawn a certificate, which no list in a
   *     folder may say yet
   */
  ServiceGate(
      ProtectedServices services,
      @Nullable ClientCertificates certificates,
      Predicate<X509Certificate> withdrawn,
      BearerTokens tokens,
      Upstream upstream,
      Refusals refusals,
      Origins origins) {
    this.services = services;
    this.certificates = certificates;
    this.withdrawn = withdrawn;
    this.tokens = tokens;
    this.upstream = upstream;
    this.refusals = refusals;
    this.origins = origins;
  }

  @Override
  public void doFilter(ServletRequest asked, ServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    var request = (HttpServletRequest) asked;
    var response = (HttpServletResponse) answer;
    if (BearerTokens.issues(request)) {
      tokens.session().ifPresent(session -> Caller.note(request, session));
    }
    ProtectedService service = services.of(request).orElse(null);
    if (service == null) {
      chain.doFilter(request, response);
      return;
    }
    Guest guest = admit(service, request, response);
    if (guest == null) {
      return;
    }
    if (!guest.has(service.require())) {
      refusals.denied(request, response, "your account may not use this service");
      return;
    }
    if (guest.by() == Protection.SAML && !SAFE.contains(request.getMethod())) {
      Optional<String> foreign = origins.refusal(request);
      if (foreign.isPresent()) {
        refusals.denied(request, response, foreign.get());
        return;
      }
    }
    if (request.getContentLengthLong() > service.largest()) {
      refusals.tooLarge(request, response, service.largest());
      return;
    }
    if (service.upstream() != null) {
      upstream.pass(service, service.upstream(), guest, request, response);
      return;
    }
    new Admission(service.largest()).note(request);
    chain.doFilter(request, response);
  }

  /** Null where nobody is admitted; then the answer is written. */
  private @Nullable Guest admit(
      ProtectedService service, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    Set<Protection> by = service.protection();
    if (by.contains(Protection.NONE)) {
      return Guest.ANYBODY;
    }
    Optional<CampusSession> proven = tokens.session();
    if (by.contains(Protection.SESSION) && proven.isPresent()) {
      return new Guest(Protection.SESSION, proven.get().identity(), null);
    }
    Optional<CampusSession> session = Caller.session(request);
    if (by.contains(Protection.SAML) && session.isPresent()) {
      return new Guest(Protection.SAML, session.get().identity(), null);
    }
    if (by.contains(Protection.CERTIFICATE)
        && certificates != null
        && request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain
        && chain.length > 0) {
      switch (certificates.verdict(List.of(chain))) {
        case ClientVerdict.Accepted accepted -> {
          try {
            if (Stream.of(chain).anyMatch(withdrawn)) {
              refusals.denied(request, response, "the certificate was revoked");
              return null;
            }
          } catch (DataAccessException e) {
            log.error("nobody can say whether a certificate was revoked", e);
            refusals.later(request, response);
            return null;
          }
          return new Guest(Protection.CERTIFICATE, null, accepted.subject());
        }
        case ClientVerdict.Refused(String reason) -> refusals.denied(request, response, reason);
      }
      return null;
    }
    if (by.contains(Protection.SAML)) {
      refusals.login(request, response);
    } else if (by.contains(Protection.SESSION)) {
      refusals.bearerNeeded(request, response);
    } else {
      refusals.denied(request, response, "a client certificate is needed for this service");
    }
    return null;
  }
}
