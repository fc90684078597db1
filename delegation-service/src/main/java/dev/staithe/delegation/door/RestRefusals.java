package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import dev.staithe.service.log.AuditLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Says no by REST: in JSON to whoever prefers it, else in one line. Problem details (RFC 9457) are
 * not what clients of FTS and A-REX read. Thread-safe.
 */
@ControllerAdvice
final class RestRefusals {
  private static final Logger log = LoggerFactory.getLogger(RestRefusals.class);

  /** In the order in which they are told. */
  private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "DELETE");

  private final AuditLog audit;

  RestRefusals(AuditLog audit) {
    this.audit = audit;
  }

  @ExceptionHandler
  void refused(CallRefused e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (e.isUnheard() && request.getAttribute(CallerFilter.OWNER) instanceof Owner owner) {
      note(request, word(e.fault().kind()), owner, e.fault().line());
    }
    answer(request, response, e.status(), e.fault());
  }

  @ExceptionHandler
  void unavailable(DataAccessException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    log.error("the database does not answer", e);
    answer(request, response, new DelegationFault(Kind.UNAVAILABLE, "try again soon"));
  }

  @ExceptionHandler
  void otherMethod(
      HttpRequestMethodNotSupportedException e,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    List<String> known =
        List.of(Optional.ofNullable(e.getSupportedMethods()).orElse(new String[0]));
    List<String> there =
        METHODS.stream()
            .filter(each -> known.contains(each.equals("HEAD") ? "GET" : each))
            .toList();
    Body.discard(request);
    response.setHeader("Allow", String.join(", ", there));
    Answers.line(response, 405, String.join(" or ", there) + " is expected");
  }

  @ExceptionHandler
  void otherType(
      HttpMediaTypeNotSupportedException e,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    Answers.line(response, 415, "JSON is expected: Content-Type application/json");
  }

  @ExceptionHandler
  void nothing(NoResourceFoundException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Body.discard(request);
    Answers.line(response, 404, "there is nothing of this name");
  }

  /** Writes a line of the audit log of a call that the delegations never heard of. */
  void note(HttpServletRequest request, String outcome, Owner owner, String line) {
    audit
        .line("delegation.call", outcome)
        .with("who", owner.subject().name())
        .with("method", request.getMethod())
        .with("path", path(request))
        .with("reason", line)
        .write();
  }

  /** Says no with the status that goes with the kind. */
  static void answer(
      HttpServletRequest request, HttpServletResponse response, DelegationFault fault)
      throws IOException {
    answer(request, response, Statuses.of(fault.kind()), fault);
  }

  private static void answer(
      HttpServletRequest request, HttpServletResponse response, int status, DelegationFault fault)
      throws IOException {
    Body.discard(request);
    if (fault.kind() == Kind.UNAVAILABLE) {
      Answers.retryAfter(response, Duration.ofSeconds(DelegationFault.RETRY_AFTER_SECONDS));
    }
    if (Answers.wantsJson(request)) {
      var told = new ErrorBody(word(fault.kind()), fault.line());
      Answers.json(response, status, JsonMapper.shared().writeValueAsString(told));
    } else {
      Answers.line(response, status, fault.line());
    }
  }

  /** A refusal in JSON. */
  private record ErrorBody(String error, String message) {}

  private static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The path below the server, decoded once by it. */
  static String path(HttpServletRequest request) {
    return request.getServletPath() + Optional.ofNullable(request.getPathInfo()).orElse("");
  }
}
