package dev.staithe.cli.campus;

import dev.staithe.cli.program.Addresses;
import dev.staithe.cli.program.Page;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * The messages of a login without pages: the enhanced client or proxy profile (SAML profiles §4.2).
 * What is signed is passed on as it came.
 */
final class Ecp {
  /** What a client sends that can do it (§4.2.3.1). */
  static final Map<String, String> OFFER =
      Map.of(
          "Accept",
          "text/html;q=0.5, application/vnd.paos+xml",
          "PAOS",
          "ver=\"urn:liberty:paos:2003-08\";" + "\"urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp\"");

  static final String PAOS_TYPE = "application/vnd.paos+xml";
  private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String PAOS = "urn:liberty:paos:2003-08";
  private static final String ECP = "urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp";
  private static final String SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol";
  private static final String UNKNOWN_PERSON = "urn:oasis:names:tc:SAML:2.0:status:AuthnFailed";
  private static final String SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";

  private Ecp() {}

  /**
   * What the service wants of an identity provider.
   *
   * @param consumer where the answer goes
   * @param relayState the service's own header, as it came; empty where there is none
   * @param message the signed request
   * @param provider where it is to be sent; null where the service does not say
   */
  record Request(URI consumer, String relayState, String message, @Nullable URI provider) {
    /** What is sent to the identity provider: without the service's headers (§4.2.3.4). */
    String toProvider() {
      return envelope("", message);
    }
  }

  /**
   * What the identity provider answers.
   *
   * @param consumer where it means its answer to go
   * @param message as it came
   * @param success false where it refuses
   * @param unknownPerson whether it refuses for the name or the password
   * @param status why, for people; may be empty
   */
  record Answer(
      String consumer, String message, boolean success, boolean unknownPerson, String status) {
    /** What is sent to the service (§4.2.3.6). */
    String toService(Request request) {
      return envelope(request.relayState(), message);
    }

    /** Without the message. */
    @Override
    public String toString() {
      return "Answer[" + consumer + "]";
    }
  }

  /** Reads the service's request; empty where the page is none. */
  static Optional<Request> request(Page page) {
    Element envelope = envelope(page);
    Element header = Elements.child(envelope, SOAP, "Header");
    Element paos = Elements.child(header, PAOS, "Request");
    Element message = Elements.child(Elements.child(envelope, SOAP, "Body"), SAMLP, "AuthnRequest");
    if (paos == null || message == null) {
      return Optional.empty();
    }
    URI consumer = Addresses.resolve(page.address(), paos.getAttribute("responseConsumerURL"));
    if (consumer == null) {
      return Optional.empty();
    }
    Element relay = Elements.child(header, ECP, "RelayState");
    Element entry =
        Elements.child(
            Elements.child(Elements.child(header, ECP, "Request"), SAMLP, "IDPList"),
            SAMLP,
            "IDPEntry");
    String at = entry == null ? "" : entry.getAttribute("Loc");
    if (at.isEmpty()) {
      at = message.getAttribute("Destination");
    }
    return Optional.of(
        new Request(
            consumer,
            relay == null ? "" : XmlText.fragment(relay),
            XmlText.fragment(message),
            at.isEmpty() ? null : Addresses.resolve(page.address(), at)));
  }

  /** Reads the identity provider's answer; empty where the page is none. */
  static Optional<Answer> answer(Page page) {
    Element envelope = envelope(page);
    Element told = Elements.child(Elements.child(envelope, SOAP, "Header"), ECP, "Response");
    Element message = Elements.child(Elements.child(envelope, SOAP, "Body"), SAMLP, "Response");
    if (message == null) {
      return Optional.empty();
    }
    Element status = Elements.child(message, SAMLP, "Status");
    Element code = Elements.child(status, SAMLP, "StatusCode");
    Element detail = Elements.child(code, SAMLP, "StatusCode");
    Element said = Elements.child(status, SAMLP, "StatusMessage");
    String line = said == null ? "" : Page.oneLine(said.getTextContent());
    return Optional.of(
        new Answer(
            told == null ? "" : told.getAttribute("AssertionConsumerServiceURL"),
            XmlText.fragment(message),
            code != null && code.getAttribute("Value").equals(SUCCESS),
            // SimpleSAMLphp has no code for it, but this word.
            detail != null && detail.getAttribute("Value").equals(UNKNOWN_PERSON)
                || line.contains("WRONGUSERPASS"),
            line));
  }

  /** What the service is told where the two do not agree on who gets the answer (§4.2.3.5). */
  static String fault() {
    return envelope(
        "",
        "<S:Fault><faultcode>S:Server</faultcode>"
            + "<faultstring>AssertionConsumerServiceURL and responseConsumerURL differ</faultstring>"
            + "</S:Fault>");
  }

  private static String envelope(String header, String body) {
    return "<S:Envelope xmlns:S=\""
        + SOAP
        + "\">"
        + (header.isEmpty() ? "" : "<S:Header>" + header + "</S:Header>")
        + "<S:Body>"
        + body
        + "</S:Body></S:Envelope>";
  }

  private static @Nullable Element envelope(Page page) {
    if (page.status() != 200
        || !(SafeXml.parse(
                page.body().getBytes(StandardCharsets.UTF_8), XmlLimits.ofBytes(4L * 1024 * 1024))
            instanceof XmlDocument.Parsed parsed)) {
      return null;
    }
    Element root = parsed.document().getDocumentElement();
    return Elements.is(root, SOAP, "Envelope") ? root : null;
  }
}
