package dev.staithe.delegation.door;

import dev.staithe.delegation.credential.Caller;
import dev.staithe.delegation.credential.Callers;
import dev.staithe.delegation.credential.DelegationFault;
import dev.staithe.delegation.credential.DelegationFault.Kind;
import dev.staithe.delegation.credential.Owner;
import dev.staithe.service.door.Answers;
import dev.staithe.service.door.Body;
import dev.staithe.service.door.Origins;
import dev.staithe.service.door.SoapDoor;
import dev.staithe.service.log.AuditLog;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapFault;
import dev.staithe.xml.SoapMessage;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlLimits;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.HttpRequestHandler;
import org.w3c.dom.Element;

/**
 * Delegation by SOAP 1.1 or 1.2: GridSite's of three namespaces, and ARC's. All are at one address,
 * since clients of each have one setting for it; the namespace of what is asked for tells them
 * apart. What {@code SOAPAction} says counts only for the form of a refusal of what cannot be read:
 * clients send an empty one, or their namespace.
 */
final class SoapDelegationDoor implements HttpRequestHandler {
  static final String PATH = "/services/delegation";

  /**
   * Far more than a chain that is taken, so that one that is too long is refused by who can say so
   * in the caller's own form. Only callers whose certificate is believed get as far.
   */
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(2 << 20);

  /** Of a caller that is not let in: an operation's name stands far before that. */
  private static final XmlLimits GLANCE = XmlLimits.ofBytes(16 << 10);

  private static final Logger LOG = LoggerFactory.getLogger(SoapDelegationDoor.class);
  private static final Duration RETRY = Duration.ofSeconds(DelegationFault.RETRY_AFTER_SECONDS);

  private final Callers callers;
  private final GridSiteOperations gridSite;
  private final ArcOperations arc;
  private final Origins origins;
  private final AuditLog audit;
  private final Map<String, String> descriptions;

  /**
   * @param descriptions by the query that asks for them, in lower case
   */
  SoapDelegationDoor(
      Callers callers,
      GridSiteOperations gridSite,
      ArcOperations arc,
      Origins origins,
      AuditLog audit,
      Map<String, String> descriptions) {
    this.callers = callers;
    this.gridSite = gridSite;
    this.arc = arc;
    this.origins = origins;
    this.audit = audit;
    this.descriptions = Map.copyOf(descriptions);
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (request.getMethod()) {
      case "GET", "HEAD" -> describe(request, response);
      case "POST" -> {
        switch (callers.of(CallerFilter.certificates(request))) {
          case Caller.Known(Owner owner) -> take(owner, request, response);
          case Caller.Refused(String line) -> turnAway(line, request, response);
        }
      }
      default -> {
        response.setHeader("Allow", "GET, POST");
        Answers.line(response, 405, "POST is expected");
      }
    }
  }

  private void describe(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String query = request.getQueryString();
    String wsdl = query == null ? null : descriptions.get(query.toLowerCase(Locale.ROOT));
    if (wsdl == null) {
      Answers.line(
          response,
          404,
          "the descriptions are at ?wsdl (GridSite 1.1), ?wsdl2 (2.1) and ?wsdlarc;"
              + " requests are sent by POST");
      return;
    }
    Answers.send(response, 200, "text/xml;charset=utf-8", wsdl.getBytes(StandardCharsets.UTF_8));
  }

  /** Refuses whoever is not let in; no more is read than tells which interface is meant. */
  private static void turnAway(
      String line, HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (SoapDoor.version(request).isEmpty()) {
      Body.discard(request);
      Answers.line(response, 403, line);
      return;
    }
    SoapMessage glance = Soap.read(request.getInputStream(), GLANCE, Set.of());
    QName payload =
        switch (glance) {
          case SoapMessage.Request read ->
              new QName(read.payload().getNamespaceURI(), read.payload().getLocalName());
          case SoapMessage.Refused(_, _, QName seen) -> seen;
        };
    Body.discard(request);
    Answers.fault(
        response,
        403,
        glance.version(),
        SoapFault.sender(line),
        detail(request, payload, new DelegationFault(Kind.NOT_ALLOWED, line)));
  }

  private static String detail(
      HttpServletRequest request, @Nullable QName payload, DelegationFault why) {
    return NamedFault.of(NamedFault.meant(payload, request.getHeader("SOAPAction")), why, true)
        .detail();
  }

  private void take(Owner owner, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    // A browser shows its person's certificate to every page that makes it ask.
    Optional<String> foreign = origins.refusal(request);
    if (foreign.isPresent()) {
      note(owner, "cross-site", foreign.get());
      turnAway(foreign.get(), request, response);
      return;
    }
    if (SoapDoor.version(request).isEmpty()) {
      String line = "SOAP is expected: Content-Type text/xml or application/soap+xml";
      note(owner, "bad-request", line);
      Body.discard(request);
      // A form's type, or none, is what any page can make a browser send.
      Answers.line(response, 415, line);
      return;
    }
    switch (Soap.read(request.getInputStream(), LIMITS, Set.of())) {
      case SoapMessage.Request read -> answer(owner, read, response);
      case SoapMessage.Refused(SoapVersion version, SoapFault fault, QName payload) -> {
        note(owner, "bad-request", fault.line());
        Body.discard(request);
        // SOAP 1.1 section 4.4: a detail would say that the body is at fault, and not the header.
        String detail =
            fault.code() == SoapFault.Code.SENDER
                ? detail(request, payload, new DelegationFault(Kind.BAD_REQUEST, fault.line()))
                : "";
        Answers.fault(response, fault.status(version), version, fault, detail);
      }
    }
  }

  private void answer(Owner owner, SoapMessage.Request read, HttpServletResponse response)
      throws IOException {
    SoapVersion version = read.version();
    switch (answer(owner, read.payload())) {
      case SoapAnswer.Done(String xml) -> Answers.soap(response, version, xml);
      case SoapAnswer.Fault(DelegationFault why, String detail, boolean unheard) -> {
        if (unheard) {
          note(owner, "bad-request", why.line());
        }
        SoapFault fault = SoapFault.sender(why.line());
        if (why.kind() == Kind.UNAVAILABLE) {
          Answers.retryAfter(response, RETRY);
          fault = SoapFault.receiver(why.line());
        }
        Answers.fault(response, fault.status(version), version, fault, detail);
      }
    }
  }

  private SoapAnswer answer(Owner owner, Element operation) {
    String namespace = operation.getNamespaceURI();
    Optional<GridSiteDialect> dialect = GridSiteDialect.of(namespace);
    try {
      if (dialect.isPresent()) {
        return gridSite.answer(dialect.get(), owner, operation);
      }
      if (ArcOperations.NAMESPACE.equals(namespace)) {
        return arc.answer(owner, operation);
      }
    } catch (DataAccessException | TransactionException e) {
      LOG.error("the database does not answer", e);
      return NamedFault.of(
          namespace, new DelegationFault(Kind.UNAVAILABLE, "try again soon"), false);
    }
    return new SoapAnswer.Fault(
        new DelegationFault(
            Kind.BAD_REQUEST,
            "an operation of GridSite's or ARC's delegation is expected: of "
                + GridSiteDialect.V1.namespace()
                + ", "
                + GridSiteDialect.V2.namespace()
                + " or "
                + ArcOperations.NAMESPACE),
        "",
        true);
  }

  /** Refusals of which the delegations never hear. */
  private void note(Owner owner, String outcome, String line) {
    audit
        .line("delegation.call", outcome)
        .with("who", owner.subject().name())
        .with("path", PATH)
        .with("reason", line)
        .write();
  }
}
