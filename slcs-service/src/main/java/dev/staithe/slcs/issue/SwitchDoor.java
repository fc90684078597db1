package dev.staithe.slcs.issue;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.Pem;
import dev.staithe.pki.ca.CertificateRequest;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import dev.staithe.slcs.door.Caller;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.slcs.issue.CertificateOutcome.Issued;
import dev.staithe.slcs.issue.CertificateOutcome.Refused;
import dev.staithe.slcs.session.CampusIdentity;
import dev.staithe.slcs.session.CampusSession;
import dev.staithe.xml.XmlText;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.web.HttpRequestHandler;

/**
 * The protocol of SWITCHslcs: a login answers with a token and what to ask for, and a form with the
 * token and a request brings the certificate. Its clients read an answer only where the status is
 * 200, so that refusals have it too and say {@code Error} inside.
 */
final class SwitchDoor implements HttpRequestHandler {
  static final String LOGIN = "/SLCS/login";
  static final String CERTIFICATE = "/SLCS/certificate";

  private static final Logger log = LoggerFactory.getLogger(SwitchDoor.class);
  private static final String XML = "text/xml;charset=utf-8";

  /** A request of 16 KiB, URL-encoded, and the token. */
  private static final int LARGEST_FORM = 4 * CertificateRequest.MAX_BYTES;

  private final CertificateIssuance issuing;
  private final OneTimeTokens tokens;
  private final LoginNeeded login;
  private final String certificateUrl;

  /**
   * @param url of this service
   */
  SwitchDoor(CertificateIssuance issuing, OneTimeTokens tokens, LoginNeeded login, URI url) {
    this.issuing = issuing;
    this.tokens = tokens;
    this.login = login;
    this.certificateUrl = url + CERTIFICATE;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    String path = request.getServletPath() + Optional.ofNullable(request.getPathInfo()).orElse("");
    String expected = path.equals(LOGIN) ? "GET" : "POST";
    if (!request.getMethod().equals(expected)) {
      response.setHeader("Allow", expected);
      Answers.line(response, 405, expected + " is expected");
      return;
    }
    try {
      if (path.equals(LOGIN)) {
        Optional<CampusSession> session = Caller.session(request);
        if (session.isEmpty()) {
          login.answer(request, response);
        } else {
          login(session.get().identity(), response);
        }
      } else {
        certificate(request, response);
      }
    } catch (DataAccessException e) {
      log.error("the database does not answer", e);
      error(response, path.equals(LOGIN) ? "Login" : "Certificate", "try again soon");
    }
  }

  private void login(CampusIdentity who, HttpServletResponse response) throws IOException {
    DistinguishedName name;
    switch (issuing.nameOf(who, "slcs")) {
      case NameOutcome.Named named -> name = named.name();
      case NameOutcome.Nameless(String line) -> {
        error(response, "Login", line);
        return;
      }
    }
    Optional<String> token = tokens.make(who);
    if (token.isEmpty()) {
      error(response, "Login", "the identity provider tells more about you than can be kept");
      return;
    }
    send(
        response,
        "<SLCSLoginResponse><Status>Success</Status><AuthorizationToken>"
            + token.get()
            + "</AuthorizationToken><CertificateRequest url=\""
            + XmlText.escapeAttribute(certificateUrl)
            + "\"><Subject>"
            + XmlText.escape(name.rfc4514())
            + "</Subject>"
            + "<CertificateExtension name=\"KeyUsage\" oid=\"2.5.29.15\" critical=\"true\">"
            + "DigitalSignature,KeyEncipherment</CertificateExtension>"
            + "<CertificateExtension name=\"ExtendedKeyUsage\" oid=\"2.5.29.37\""
            + " critical=\"false\">ClientAuth</CertificateExtension>"
            + "</CertificateRequest></SLCSLoginResponse>");
  }

  private void certificate(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<byte[]> body = Body.read(request, LARGEST_FORM);
    if (body.isEmpty()) {
      error(response, "Certificate", "the form is too large");
      return;
    }
    String form = new String(body.get(), StandardCharsets.UTF_8);
    Optional<String> token = Body.parameter(form, "AuthorizationToken");
    Optional<String> wanted = Body.parameter(form, "CertificateSigningRequest");
    if (token.isEmpty() || wanted.isEmpty()) {
      error(
          response,
          "Certificate",
          "a form with one AuthorizationToken and one CertificateSigningRequest is expected");
      return;
    }
    Optional<CampusIdentity> who = tokens.take(token.get());
    if (who.isEmpty()) {
      error(response, "Certificate", "the token is not known, was used before or is too old");
      return;
    }
    byte[] bytes = wanted.get().getBytes(StandardCharsets.UTF_8);
    switch (issuing.issue(who.get(), bytes, null, "slcs")) {
      case Issued issued -> send(response, text(issued));
      case Refused refused -> error(response, "Certificate", refused.line());
    }
  }

  private static String text(Issued issued) {
    return "<SLCSCertificateResponse><Status>Success</Status><Subject>"
        + XmlText.escape(
            DistinguishedName.of(issued.certificate().getSubjectX500Principal()).rfc4514())
        + "</Subject><Certificate format=\"PEM\">"
        + XmlText.escape(Pem.encode(issued.chain()))
        + "</Certificate></SLCSCertificateResponse>";
  }

  private static void error(HttpServletResponse response, String kind, String line)
      throws IOException {
    send(
        response,
        "<SLCS"
            + kind
            + "Response><Status>Error</Status><Error>"
            + XmlText.escape(line)
            + "</Error></SLCS"
            + kind
            + "Response>");
  }

  private static void send(HttpServletResponse response, String xml) throws IOException {
    Answers.send(
        response,
        200,
        XML,
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + xml).getBytes(StandardCharsets.UTF_8));
  }
}
