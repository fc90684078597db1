package dev.staithe.slcs.issue;

import dev.staithe.pki.Pem;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Origins;
import dev.staithe.service.door.SoapDoor;
import dev.staithe.slcs.door.Caller;
import dev.staithe.slcs.door.LoginNeeded;
import dev.staithe.slcs.issue.CertificateOutcome.Issued;
import dev.staithe.slcs.issue.CertificateOutcome.Kind;
import dev.staithe.slcs.issue.CertificateOutcome.Refused;
import dev.staithe.slcs.session.CampusSession;
import dev.staithe.xml.Elements;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapFault;
import dev.staithe.xml.SoapMessage;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.HttpRequestHandler;
import org.w3c.dom.Element;

/**
 * {@code GetSLCSCertificate} of the ARC middleware's short-lived credential service, by SOAP 1.1 or
 * 1.2; its description at {@code ?wsdl}.
 */
final class SoapIssueDoor implements HttpRequestHandler {
  static final String PATH = "/soap/slcs";
  static final String NAMESPACE = "http://www.nordugrid.org/schemas/slcs";

  /** A request of 16 KiB in PEM, with the envelope around it. */
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(32 * 1024);

  private final CertificateIssuance issuing;
  private final LoginNeeded login;
  private final Origins origins;
  private final byte[] wsdl;

  /**
   * @param wsdl the description, UTF-8
   */
  SoapIssueDoor(CertificateIssuance issuing, LoginNeeded login, Origins origins, String wsdl) {
    this.issuing = issuing;
    this.login = login;
    this.origins = origins;
    this.wsdl = wsdl.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    if (request.getMethod().equals("GET")) {
      if ("wsdl".equalsIgnoreCase(request.getQueryString())) {
        Answers.send(response, 200, "text/xml;charset=utf-8", wsdl);
      } else {
        Answers.line(response, 404, "the description is at ?wsdl; requests are sent by POST");
      }
      return;
    }
    if (!request.getMethod().equals("POST")) {
      response.setHeader("Allow", "GET, POST");
      Answers.line(response, 405, "POST is expected");
      return;
    }
    Optional<CampusSession> session = Caller.session(request);
    if (session.isEmpty()) {
      login.answer(request, response);
      return;
    }
    Optional<SoapMessage.Request> message = SoapDoor.read(request, response, LIMITS);
    if (message.isEmpty()) {
      return;
    }
    SoapVersion version = message.get().version();
    Optional<String> foreign = origins.refusal(request);
    if (foreign.isPresent()) {
      Answers.fault(response, 403, version, SoapFault.sender(foreign.get()));
      return;
    }
    switch (answer(session.get(), message.get().payload())) {
      case Issued issued -> Answers.soap(response, version, text(issued));
      case Refused refused -> {
        Answers.retryAfter(response, refused.retryAfter());
        SoapFault fault =
            refused.kind() == Kind.UNAVAILABLE
                ? SoapFault.receiver(refused.line())
                : SoapFault.sender(refused.line());
        Answers.fault(response, fault.status(version), version, fault);
      }
    }
  }

  private CertificateOutcome answer(CampusSession session, Element payload) {
    if (!payload.getLocalName().equals("GetSLCSCertificateRequest")
        || !isOurs(payload.getNamespaceURI())) {
      return wrong("GetSLCSCertificateRequest of " + NAMESPACE + " is expected");
    }
    Optional<String> request = Soap.child(payload, "X509Request").flatMap(Soap::text);
    if (request.isEmpty()) {
      return wrong("GetSLCSCertificateRequest holds one X509Request with a PEM text");
    }
    Duration wanted = null;
    List<Element> lifetimes =
        Elements.children(payload).stream()
            .filter(child -> child.getLocalName().equals("LifeTime"))
            .toList();
    if (!lifetimes.isEmpty()) {
      Optional<Duration> told =
          lifetimes.size() > 1
              ? Optional.empty()
              : Soap.text(lifetimes.getFirst()).flatMap(Lifetime::of);
      if (told.isEmpty()) {
        return wrong("LifeTime is one number of seconds, or a duration such as PT12H");
      }
      wanted = told.get();
    }
    return issuing.issue(
        session.identity(), request.get().getBytes(StandardCharsets.UTF_8), wanted, "soap");
  }

  /** ARC's own client puts an unqualified child below the body, which then has the envelope's. */
  private static boolean isOurs(@Nullable String namespace) {
    if (namespace == null || namespace.equals(NAMESPACE)) {
      return true;
    }
    for (SoapVersion version : SoapVersion.values()) {
      if (version.namespace().equals(namespace)) {
        return true;
      }
    }
    return false;
  }

  private static Refused wrong(String line) {
    return new Refused(line, Kind.BAD_REQUEST, Duration.ZERO);
  }

  private static String text(Issued issued) {
    return "<slcs:GetSLCSCertificateResponse xmlns:slcs=\""
        + NAMESPACE
        + "\"><slcs:X509Certificate>"
        + XmlText.escape(Pem.encode(List.of(issued.certificate())))
        + "</slcs:X509Certificate><slcs:CACertificate>"
        + XmlText.escape(Pem.encode(issued.above()))
        + "</slcs:CACertificate></slcs:GetSLCSCertificateResponse>";
  }
}
