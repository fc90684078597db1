package dev.staithe.slcs.saml;

import dev.staithe.slcs.saml.metadata.Provider;
import dev.staithe.slcs.saml.metadata.SamlNamespaces;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.MessageText;
import dev.staithe.slcs.saml.response.Refusal;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.xml.Elements;
import dev.staithe.xml.XmlText;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.w3c.dom.Element;

/**
 * The envelopes of the enhanced client profile (SAML profiles section 4.2, reverse SOAP binding).
 */
final class Paos {
  static final String TYPE = "application/vnd.paos+xml";

  private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String PAOS = "urn:liberty:paos:2003-08";
  private static final String ECP = "urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp";

  private Paos() {}

  /** Whether the client says that it is one (section 4.2.3.1). */
  static boolean wanted(HttpServletRequest request) {
    String paos = request.getHeader("PAOS");
    String accept = request.getHeader("Accept");
    return paos != null
        && paos.contains(PAOS)
        && paos.contains(ECP)
        && accept != null
        && accept.contains(TYPE);
  }

  /** The envelope around a request (section 4.2.3.2). */
  static String request(String authnRequest, ServiceProvider self, Provider provider) {
    String consumer = XmlText.escapeAttribute(self.consumer());
    return """
    <?xml version="1.0" encoding="UTF-8"?>
    <S:Envelope xmlns:S="%1$s"><S:Header>\
    <paos:Request xmlns:paos="%2$s" S:mustUnderstand="1" S:actor="http://schemas.xmlsoap.org/soap/actor/next" responseConsumerURL="%4$s" service="%3$s"/>\
    <ecp:Request xmlns:ecp="%3$s" S:mustUnderstand="1" S:actor="http://schemas.xmlsoap.org/soap/actor/next" IsPassive="false">\
    <saml:Issuer xmlns:saml="%5$s">%6$s</saml:Issuer>\
    <samlp:IDPList xmlns:samlp="%7$s"><samlp:IDPEntry ProviderID="%8$s" Name="%9$s" Loc="%10$s"/></samlp:IDPList>\
    </ecp:Request>\
    <ecp:RelayState xmlns:ecp="%3$s" S:mustUnderstand="1" S:actor="http://schemas.xmlsoap.org/soap/actor/next">staithe</ecp:RelayState>\
    </S:Header><S:Body>%11$s</S:Body></S:Envelope>
    """
        .formatted(
            SOAP,
            PAOS,
            ECP,
            consumer,
            SamlNamespaces.ASSERTION,
            XmlText.escape(self.entityId()),
            SamlNamespaces.PROTOCOL,
            XmlText.escapeAttribute(provider.entityId()),
            XmlText.escapeAttribute(provider.displayName()),
            XmlText.escapeAttribute(provider.ecp() == null ? "" : provider.ecp()),
            authnRequest);
  }

  /** The message in the body of an envelope; the message itself where there is no envelope. */
  static MessageText body(MessageText text) {
    if (!(text instanceof MessageText.Parsed clean)
        || !Elements.is(clean.root(), SOAP, "Envelope")) {
      return text;
    }
    List<Element> bodies = Elements.children(clean.root(), SOAP, "Body");
    if (bodies.size() != 1) {
      return wrong("there is not one body in the envelope");
    }
    List<Element> messages = Elements.children(bodies.getFirst());
    return switch (messages.size()) {
      case 0 -> wrong("the envelope is empty");
      case 1 -> new MessageText.Parsed(messages.getFirst());
      default -> wrong("there are two messages in the envelope");
    };
  }

  private static MessageText wrong(String detail) {
    return new MessageText.Refused(new Refusal(Reason.MALFORMED, detail));
  }
}
