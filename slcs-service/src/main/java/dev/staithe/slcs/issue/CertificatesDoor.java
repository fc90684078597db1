package dev.staithe.slcs.issue;

import dev.staithe.pki.CertificateRequest;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RevocationReason;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import dev.staithe.service.door.Origins;
import dev.staithe.slcs.ca.IssuedCertificate;
import dev.staithe.slcs.ca.Revocation;
import dev.staithe.slcs.door.Caller;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.slcs.issue.Issuance.Issued;
import dev.staithe.slcs.issue.Issuance.Kind;
import dev.staithe.slcs.issue.Issuance.Refused;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.CampusSession;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.web.HttpRequestHandler;
import tools.jackson.databind.json.JsonMapper;

/**
 * Certificates by HTTP alone, for {@code curl} and the page: {@code POST /certificates} with a
 * request in its body, {@code GET /certificates} for one's own, {@code DELETE
 * /certificates/{serial}} to withdraw one.
 */
final class CertificatesDoor implements HttpRequestHandler {
  static final String PATH = "/certificates";

  private static final Logger log = LoggerFactory.getLogger(CertificatesDoor.class);
  private static final String CHAIN = "application/pem-certificate-chain";
  private static final Pattern SERIAL = Pattern.compile("[0-9a-fA-F]{1,40}");

  private final Issuing issuing;
  private final OwnCertificates own;
  private final LoginNeeded login;
  private final Origins origins;

  CertificatesDoor(Issuing issuing, OwnCertificates own, LoginNeeded login, Origins origins) {
    this.issuing = issuing;
    this.own = own;
    this.login = login;
    this.origins = origins;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    Optional<CampusSession> session = Caller.session(request);
    if (session.isEmpty()) {
      login.answer(request, response);
      return;
    }
    try {
      serve(session.get().identity(), request, response);
    } catch (DataAccessException e) {
      log.error("the database does not answer", e);
      refuse(
          request,
          response,
          new Refused("try again soon", Kind.UNAVAILABLE, Duration.ofSeconds(5)));
    }
  }

  private void serve(CampusIdentity who, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getServletPath() + Optional.ofNullable(request.getPathInfo()).orElse("");
    boolean all = path.equals(PATH);
    String method = request.getMethod();
    if (all && (method.equals("GET") || method.equals("HEAD"))) {
      list(who, response);
    } else if (all && method.equals("POST")) {
      if (comesFromHere(request, response)) {
        issue(who, request, response);
      }
    } else if (!all && method.equals("DELETE")) {
      if (comesFromHere(request, response)) {
        revoke(who, path.substring(PATH.length() + 1), request, response);
      }
    } else {
      response.setHeader("Allow", all ? "GET, HEAD, POST" : "DELETE");
      Answers.line(response, 405, all ? "GET or POST is expected" : "DELETE is expected");
    }
  }

  private boolean comesFromHere(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<String> foreign = origins.refusal(request);
    if (foreign.isPresent()) {
      refuse(request, response, new Refused(foreign.get(), Kind.NOT_ALLOWED, Duration.ZERO));
    }
    return foreign.isEmpty();
  }

  private void issue(CampusIdentity who, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<byte[]> body = Body.read(request, CertificateRequest.MAX_BYTES);
    if (body.isEmpty()) {
      Answers.line(
          response,
          413,
          "a certificate request has at most " + CertificateRequest.MAX_BYTES + " bytes");
      return;
    }
    Duration wanted = null;
    String query = request.getQueryString();
    if (query != null && !query.isEmpty()) {
      Optional<Duration> told =
          Body.queryParameter(request, "lifetime").flatMap(text -> Lifetime.of(text));
      if (told.isEmpty()) {
        refuse(
            request,
            response,
            new Refused(
                "the query is ?lifetime= and seconds, 90m, 12h or 2d: the request for the"
                    + " certificate is the body",
                Kind.BAD_REQUEST,
                Duration.ZERO));
        return;
      }
      wanted = told.get();
    }
    switch (issuing.issue(who, body.get(), wanted, "rest")) {
      case Issued issued -> answer(request, response, issued);
      case Refused refused -> refuse(request, response, refused);
    }
  }

  private static void answer(
      HttpServletRequest request, HttpServletResponse response, Issued issued) throws IOException {
    // With the authority's own, by which whoever asked can judge the rest.
    String pem = Pem.encode(List.of(issued.certificate())) + Pem.encode(issued.above());
    response.setHeader("Location", PATH + "/" + issued.serial());
    if (Answers.wantsJson(request)) {
      var json = JsonMapper.shared().createObjectNode();
      json.put("serial", issued.serial());
      json.put("subject", issued.subject());
      json.put("notAfter", issued.notAfter().toString());
      json.put("chain", pem);
      Answers.json(response, 201, json.toString());
    } else {
      Answers.send(response, 201, CHAIN, pem.getBytes(StandardCharsets.US_ASCII));
    }
  }

  private static void refuse(
      HttpServletRequest request, HttpServletResponse response, Refused refused)
      throws IOException {
    Answers.retryAfter(response, refused.retryAfter());
    int status = refused.kind().status();
    if (Answers.wantsJson(request)) {
      var json = JsonMapper.shared().createObjectNode();
      json.put("error", refused.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
      json.put("message", refused.line());
      Answers.json(response, status, json.toString());
    } else {
      Answers.line(response, status, refused.line());
    }
  }

  private void list(CampusIdentity who, HttpServletResponse response) throws IOException {
    var json = JsonMapper.shared().createObjectNode();
    var list = json.putArray("certificates");
    for (IssuedCertificate entry : own.of(who)) {
      var one = list.addObject();
      one.put("serial", entry.serial());
      one.put("subject", entry.subject());
      one.put("notAfter", entry.notAfter().toString());
      one.put("issued", entry.issued().toString());
      one.put("revoked", entry.revoked() == null ? null : entry.revoked().toString());
    }
    Answers.json(response, 200, json.toString());
  }

  private void revoke(
      CampusIdentity who, String serial, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    RevocationReason reason;
    try {
      reason =
          RevocationReason.valueOf(
              Body.queryParameter(request, "reason")
                  .orElse("unspecified")
                  .toUpperCase(Locale.ROOT)
                  .replace('-', '_'));
    } catch (IllegalArgumentException e) {
      Answers.line(
          response,
          400,
          "the reason is one of unspecified, key-compromise, affiliation-changed, superseded,"
              + " cessation-of-operation, privilege-withdrawn");
      return;
    }
    if (!SERIAL.matcher(serial).matches()
        || own.revoke(who, new BigInteger(serial, 16).toString(16), reason)
            == Revocation.NOT_FOUND) {
      // Of somebody else's nothing is told, not even that it is there.
      Answers.line(response, 404, "you have no certificate with this serial number");
      return;
    }
    response.setStatus(204);
  }
}
