package dev.staithe.delegation.client;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapMessage;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.w3c.dom.Element;

/** Asks by SOAP 1.1, and reads answers by local names only: services disagree about the rest. */
final class SoapCalls {
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(1 << 20);

  private final Exchange exchange;
  private final URI service;

  SoapCalls(HttpClient http, URI service) {
    this.exchange = new Exchange(http);
    this.service = service;
  }

  /**
   * Sends a payload to which the answer has nothing to say but that it is done: some services leave
   * the body of the envelope empty then.
   *
   * @param expected local name of the answer's payload where there is one
   */
  Outcome<String> tell(String payload, String expected) {
    return switch (send(payload)) {
      case Outcome.Refused<Exchange.Reply> refused -> refused.to();
      case Outcome.Done<Exchange.Reply>(Exchange.Reply reply) -> {
        if (reply.status() / 100 == 2 && hasEmptyBody(reply)) {
          yield new Outcome.Done<>("");
        }
        yield switch (read(reply, expected)) {
          case Outcome.Refused<Element> refused -> refused.to();
          case Outcome.Done<Element> _ -> new Outcome.Done<>("");
        };
      }
    };
  }

  private static boolean hasEmptyBody(Exchange.Reply reply) {
    if (!(SafeXml.parse(reply.body(), LIMITS) instanceof XmlDocument.Parsed parsed)
        || !"Envelope".equals(parsed.document().getDocumentElement().getLocalName())) {
      return false;
    }
    return find(parsed.document().getDocumentElement(), "Body")
        .filter(body -> body.getElementsByTagName("*").getLength() == 0)
        .isPresent();
  }

  /**
   * Sends a payload.
   *
   * @param expected local name of the answer's payload
   */
  Outcome<Element> call(String payload, String expected) {
    return switch (send(payload)) {
      case Outcome.Refused<Exchange.Reply> refused -> refused.to();
      case Outcome.Done<Exchange.Reply>(Exchange.Reply reply) -> read(reply, expected);
    };
  }

  private Outcome<Exchange.Reply> send(String payload) {
    Map<String, String> headers =
        Map.of(
            "Content-Type",
            SoapVersion.SOAP_1_1.contentType(),
            "Accept",
            "text/xml",
            "SOAPAction",
            "\"\"");
    byte[] envelope = Soap.answer(SoapVersion.SOAP_1_1, payload);
    return exchange.send("POST", service, headers, envelope);
  }

  private static Outcome<Element> read(Exchange.Reply reply, String expected) {
    if (Soap.ofContentType(reply.type()).isEmpty()) {
      return Outcome.refused(
          reply.status() / 100 == 2 ? Kind.BAD_ANSWER : DelegationJson.kind(reply.status()),
          "the service answers HTTP " + reply.status() + " and no SOAP");
    }
    return switch (envelope(reply.body())) {
      case SoapMessage.Refused refused ->
          Outcome.refused(Kind.BAD_ANSWER, "the service's answer: " + refused.fault().line());
      case SoapMessage.Request(SoapVersion _, var _, Element payload) -> {
        if ("Fault".equals(payload.getLocalName())) {
          yield new Outcome.Refused<>(fault(payload, reply.status()));
        }
        yield expected.equals(payload.getLocalName())
            ? new Outcome.Done<>(payload)
            : Outcome.refused(Kind.BAD_ANSWER, "the service answers with something else");
      }
    };
  }

  private static SoapMessage envelope(byte[] body) {
    try {
      return Soap.read(new ByteArrayInputStream(body), LIMITS, Set.of());
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be read", e);
    }
  }

  /** What is most telling in a fault: ARC's name for it, and the text that its detail holds. */
  private static DelegationRefusal fault(Element fault, int status) {
    Kind kind =
        find(fault, "WrongReferenceFault").isPresent()
            ? Kind.UNKNOWN
            : status == 503 || mayPass(fault) ? Kind.UNAVAILABLE : Kind.BAD_REQUEST;
    for (String name : new String[] {"message", "msg", "Description", "faultstring", "Text"}) {
      Optional<String> line = find(fault, name).flatMap(Soap::text).filter(t -> !t.isBlank());
      if (line.isPresent()) {
        return new DelegationRefusal(kind, line.get());
      }
    }
    return new DelegationRefusal(kind, "the service answers with a fault and no reason");
  }

  /**
   * Whether the same may succeed later: the fault is the service's own (SOAP 1.1 §4.4.1, SOAP 1.2
   * part 1 §5.4.6). What an application refuses is {@code Server.userException} with Axis, and does
   * not pass; nor does what ARC does not support.
   */
  private static boolean mayPass(Element fault) {
    String code =
        text(fault, "faultcode")
            .or(() -> find(fault, "Code").flatMap(parts -> text(parts, "Value")))
            .orElse("");
    String name = code.substring(code.indexOf(':') + 1);
    return (name.equals("Server") || name.equals("Receiver"))
        && find(fault, "UnsupportedFault").isEmpty();
  }

  /** The text of the first element of a name, wherever below an element. */
  static Optional<String> text(Element below, String localName) {
    return find(below, localName).flatMap(Soap::text).map(String::strip).filter(t -> !t.isEmpty());
  }

  private static Optional<Element> find(Element below, String localName) {
    for (Element element : Elements.children(below)) {
      if (localName.equals(element.getLocalName())) {
        return Optional.of(element);
      }
      Optional<Element> deeper = find(element, localName);
      if (deeper.isPresent()) {
        return deeper;
      }
    }
    return Optional.empty();
  }
}
