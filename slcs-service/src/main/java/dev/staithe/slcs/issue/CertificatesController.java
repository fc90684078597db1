package dev.staithe.slcs.issue;

import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateRequest;
import dev.staithe.pki.ca.RevocationReason;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import dev.staithe.service.door.Origins;
import dev.staithe.slcs.ca.IssuedCertificate;
import dev.staithe.slcs.ca.Revocation;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.slcs.issue.CertificateOutcome.Issued;
import dev.staithe.slcs.issue.CertificateOutcome.Kind;
import dev.staithe.slcs.issue.CertificateOutcome.Refused;
import dev.staithe.slcs.session.CampusSession;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/**
 * Certificates by HTTP alone, for {@code curl} and the page: {@code POST /certificates} with a
 * request in its body, {@code GET /certificates} for one's own, {@code DELETE
 * /certificates/{serial}} to withdraw one.
 */
@RestController
@RequestMapping(CertificatesController.PATH)
final class CertificatesController {
  static final String PATH = "/certificates";

  private static final Logger log = LoggerFactory.getLogger(CertificatesController.class);
  private static final MediaType CHAIN = new MediaType("application", "pem-certificate-chain");
  private static final Pattern SERIAL = Pattern.compile("[0-9a-fA-F]{1,40}");

  private final CertificateIssuance issuing;
  private final OwnCertificates own;
  private final LoginNeeded login;
  private final Origins origins;

  CertificatesController(
      CertificateIssuance issuing, OwnCertificates own, LoginNeeded login, Origins origins) {
    this.issuing = issuing;
    this.own = own;
    this.login = login;
    this.origins = origins;
  }

  /** A certificate that was issued now. */
  record IssuedBody(String serial, String subject, String notAfter, String chain) {}

  /** A certificate that was issued some time ago; times as in RFC 3339. */
  record Shown(
      String serial, String subject, String notAfter, String issued, @Nullable String revoked) {
    static Shown of(IssuedCertificate entry) {
      return new Shown(
          entry.serial(),
          entry.subject(),
          entry.notAfter().toString(),
          entry.issued().toString(),
          entry.revoked() == null ? null : entry.revoked().toString());
    }
  }

  /** All of somebody's. */
  record ShownList(List<Shown> certificates) {}

  /** Why not. */
  record Refusal(String error, String message) {}

  @GetMapping
  ResponseEntity<Object> list(@RequestAttribute(CampusSession.ATTRIBUTE) CampusSession session) {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .contentType(MediaType.APPLICATION_JSON)
        .body(new ShownList(own.of(session.identity()).stream().map(Shown::of).toList()));
  }

  @PostMapping
  ResponseEntity<Object> issue(
      @RequestAttribute(CampusSession.ATTRIBUTE) CampusSession session, HttpServletRequest request)
      throws IOException, NotServed {
    Optional<String> foreign = origins.refusal(request);
    if (foreign.isPresent()) {
      throw new NotServed(new Refused(foreign.get(), Kind.NOT_ALLOWED, Duration.ZERO));
    }
    byte[] body =
        Body.read(request, CertificateRequest.MAX_BYTES)
            .orElseThrow(
                () ->
                    new NotServed(
                        413,
                        "too-large",
                        "a certificate request has at most "
                            + CertificateRequest.MAX_BYTES
                            + " bytes"));
    Duration wanted = null;
    String query = request.getQueryString();
    if (query != null && !query.isEmpty()) {
      Optional<Duration> told = Body.queryParameter(request, "lifetime").flatMap(Lifetime::of);
      if (told.isEmpty()) {
        throw badRequest(
            "the query is ?lifetime= and seconds, 90m, 12h or 2d: the request for the"
                + " certificate is the body");
      }
      wanted = told.get();
    }
    return switch (issuing.issue(session.identity(), body, wanted, "rest")) {
      case Issued issued -> issued(request, issued);
      case Refused refused -> throw new NotServed(refused);
    };
  }

  private static ResponseEntity<Object> issued(HttpServletRequest request, Issued issued) {
    // With the authority's own, by which whoever asked can judge the rest.
    String pem = Pem.encode(List.of(issued.certificate())) + Pem.encode(issued.above());
    var answer =
        ResponseEntity.created(URI.create(PATH + "/" + issued.serial()))
            .cacheControl(CacheControl.noStore());
    return Answers.wantsJson(request)
        ? answer
            .contentType(MediaType.APPLICATION_JSON)
            .body(
                new IssuedBody(
                    issued.serial(), issued.subject(), issued.notAfter().toString(), pem))
        : answer.contentType(CHAIN).body(pem.getBytes(StandardCharsets.US_ASCII));
  }

  @DeleteMapping("/{serial}")
  ResponseEntity<Object> revoke(
      @RequestAttribute(CampusSession.ATTRIBUTE) CampusSession session,
      @PathVariable String serial,
      HttpServletRequest request)
      throws NotServed {
    Optional<String> foreign = origins.refusal(request);
    if (foreign.isPresent()) {
      throw new NotServed(new Refused(foreign.get(), Kind.NOT_ALLOWED, Duration.ZERO));
    }
    RevocationReason reason;
    try {
      reason =
          RevocationReason.valueOf(
              Body.queryParameter(request, "reason")
                  .orElse("unspecified")
                  .toUpperCase(Locale.ROOT)
                  .replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw badRequest(
          "the reason is one of unspecified, key-compromise, affiliation-changed, superseded,"
              + " cessation-of-operation, privilege-withdrawn");
    }
    if (!SERIAL.matcher(serial).matches()
        || own.revoke(session.identity(), new BigInteger(serial, 16).toString(16), reason)
            == Revocation.NOT_FOUND) {
      // Of somebody else's nothing is told, not even that it is there.
      throw new NotServed(404, "unknown", "you have no certificate with this serial number");
    }
    return ResponseEntity.noContent().build();
  }

  /** Whoever has no session. */
  @ExceptionHandler
  void login(
      ServletRequestBindingException none, HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    login.answer(request, response);
  }

  /** The database does not answer, or the audit log cannot be written. */
  @ExceptionHandler({DataAccessException.class, UncheckedIOException.class})
  void unavailable(RuntimeException e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    log.error("certificates cannot be listed or withdrawn", e);
    Refused refused = new Refused("try again soon", Kind.UNAVAILABLE, Duration.ofSeconds(5));
    refuse(new NotServed(refused), request, response);
  }

  /** In JSON to whoever prefers it, else in one line. */
  @ExceptionHandler
  void refuse(NotServed e, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Answers.retryAfter(response, e.retryAfter);
    if (Answers.wantsJson(request)) {
      var told = new Refusal(e.kind, e.line);
      Answers.json(response, e.status, JsonMapper.shared().writeValueAsString(told));
    } else {
      Answers.line(response, e.status, e.line);
    }
  }

  private static NotServed badRequest(String line) {
    return new NotServed(new Refused(line, Kind.BAD_REQUEST, Duration.ZERO));
  }

  /** A call that ends with a refusal. */
  static final class NotServed extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String kind;
    private final String line;
    private final Duration retryAfter;

    NotServed(int status, String kind, String line) {
      this(status, kind, line, Duration.ZERO);
    }

    NotServed(Refused refused) {
      this(
          refused.kind().status(),
          refused.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          refused.line(),
          refused.retryAfter());
    }

    private NotServed(int status, String kind, String line, Duration retryAfter) {
      super(line, null, false, false);
      this.status = status;
      this.kind = kind;
      this.line = line;
      this.retryAfter = retryAfter;
    }
  }
}
