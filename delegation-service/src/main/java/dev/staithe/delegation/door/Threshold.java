package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.Caller;
import dev.staithe.delegation.credential.Callers;
import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.service.AuditLog;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import dev.staithe.service.door.Origins;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What every call by REST passes: the caller is known by a certificate, no page of another site
 * made a browser send it, and its body is no larger than a chain may be. Thread-safe.
 */
final class Threshold {
  /** Bytes of a question in JSON, with a request in it. */
  static final int LARGEST_QUESTION = 64 * 1024;

  /**
   * Bytes of a chain: far more than what is taken, so that one that is too long is refused by who
   * notes what was refused. Only callers whose certificate is believed get as far.
   */
  static final int LARGEST_CHAIN = 2 << 20;

  private static final Logger log = LoggerFactory.getLogger(Threshold.class);

  private final Callers callers;
  private final Origins origins;
  private final AuditLog audit;

  Threshold(Callers callers, Origins origins, AuditLog audit) {
    this.callers = callers;
    this.origins = origins;
    this.audit = audit;
  }

  /** What is behind. */
  @FunctionalInterface
  interface Inside {
    /**
     * Serves somebody.
     *
     * @throws BadRequest where the caller is told that the request cannot be read
     */
    void serve(Owner caller, HttpServletRequest request, HttpServletResponse response)
        throws IOException, BadRequest;
  }

  /**
   * Lets a request in or answers it. Reading is judged like changing: asking for a key, which in
   * some of the shapes is a GET, is work, and no page of another site has business here.
   */
  void pass(HttpServletRequest request, HttpServletResponse response, Inside inside)
      throws IOException {
    switch (caller(request)) {
      case Caller.Refused(String line) -> {
        Body.discard(request);
        refuse(request, response, new DelegationFault(Kind.NOT_ALLOWED, line));
      }
      case Caller.Known(Owner owner) -> {
        Optional<String> foreign = origins.refusal(request);
        if (foreign.isPresent()) {
          note(request, "cross-site", owner, foreign.get());
          Body.discard(request);
          refuse(request, response, new DelegationFault(Kind.NOT_ALLOWED, foreign.get()));
          return;
        }
        serve(owner, request, response, inside);
      }
    }
  }

  private void serve(
      Owner owner, HttpServletRequest request, HttpServletResponse response, Inside inside)
      throws IOException {
    try {
      inside.serve(owner, request, response);
    } catch (BadRequest e) {
      refuseUnheard(owner, request, response, new DelegationFault(Kind.BAD_REQUEST, e.line()));
    } catch (DataAccessException e) {
      log.error("the database does not answer", e);
      refuse(request, response, new DelegationFault(Kind.UNAVAILABLE, "try again soon"));
    }
  }

  /** Who sends a request. */
  Caller caller(HttpServletRequest request) {
    return callers.of(certificates(request));
  }

  /** The certificates that came with the connection, the caller's own first; none: empty. */
  static X509Certificate[] certificates(HttpServletRequest request) {
    return request.getAttribute(Callers.CERTIFICATES) instanceof X509Certificate[] shown
        ? shown
        : new X509Certificate[0];
  }

  /**
   * The body as text; a certificate or a request in PEM is ASCII, and what is not is harmless.
   *
   * @param most bytes
   * @return empty where it is too large; then the answer is written
   */
  Optional<String> text(
      Owner owner, HttpServletRequest request, HttpServletResponse response, int most)
      throws IOException {
    Optional<byte[]> body = Body.read(request, most);
    if (body.isEmpty()) {
      String line = "a body has at most " + most + " bytes";
      refuseUnheard(owner, request, response, new DelegationFault(Kind.TOO_LARGE, line));
    }
    return body.map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /** Says no to what the delegations never hear of, so that it is noted here. */
  void refuseUnheard(
      Owner owner, HttpServletRequest request, HttpServletResponse response, DelegationFault fault)
      throws IOException {
    note(request, word(fault.kind()), owner, fault.line());
    Body.discard(request);
    refuse(request, response, fault);
  }

  private static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Says no: as JSON to whoever prefers it, and else in one line. */
  static void refuse(
      HttpServletRequest request, HttpServletResponse response, DelegationFault fault)
      throws IOException {
    refuse(request, response, Statuses.of(fault.kind()), fault);
  }

  /** The same with a status of the shape's own. */
  static void refuse(
      HttpServletRequest request, HttpServletResponse response, int status, DelegationFault fault)
      throws IOException {
    if (fault.kind() == Kind.UNAVAILABLE) {
      Answers.retryAfter(response, Duration.ofSeconds(DelegationFault.RETRY_AFTER_SECONDS));
    }
    if (Answers.wantsJson(request)) {
      var json = JsonMapper.shared().createObjectNode();
      json.put("error", word(fault.kind()));
      json.put("message", fault.line());
      Answers.json(response, status, json.toString());
    } else {
      Answers.line(response, status, fault.line());
    }
  }

  /** Answers a method that there is not. */
  static void notThere(HttpServletRequest request, HttpServletResponse response, String allow)
      throws IOException {
    Body.discard(request);
    response.setHeader("Allow", allow);
    Answers.line(response, 405, allow.replace(", ", " or ") + " is expected");
  }

  /** The path below the server, decoded once by it. */
  static String path(HttpServletRequest request) {
    return request.getServletPath() + Optional.ofNullable(request.getPathInfo()).orElse("");
  }

  /** Whether the method is one that only reads. */
  static boolean reads(HttpServletRequest request) {
    return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
  }

  private void note(HttpServletRequest request, String outcome, Owner owner, String line) {
    audit
        .line("delegation.call", outcome)
        .with("who", owner.subject().name())
        .with("method", request.getMethod())
        .with("path", path(request))
        .with("reason", line)
        .write();
  }
}
