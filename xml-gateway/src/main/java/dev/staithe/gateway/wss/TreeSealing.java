package dev.staithe.gateway.wss;

import dev.staithe.wss.Departure;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.Sealing;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlRefused;
import dev.staithe.xml.XmlText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.ext.WSSecurityException;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Protects one answer, as its request was. */
final class TreeSealing {
  private final Surroundings surroundings;
  private final Departure departure;
  private final EndpointPolicy policy;
  private final Document document;
  private final SoapVersion version;

  TreeSealing(Surroundings surroundings, Departure departure) throws RefusedMessage {
    this.surroundings = surroundings;
    this.departure = departure;
    Expectation expectation = departure.expectation();
    this.policy = expectation.policy();
    this.document =
        switch (SafeXml.parse(departure.envelope(), Envelope.limits(expectation.limits()))) {
          case XmlDocument.Parsed(Document parsed) -> parsed;
          case XmlDocument.Empty() ->
              throw new RefusedMessage(Refusal.MALFORMED, "an empty answer");
          case XmlDocument.Refused(XmlRefused.Kind kind, String reason) ->
              throw new RefusedMessage(
                  Refusal.MALFORMED, "an answer that cannot be read: " + reason);
        };
    this.version = departure.reply().version();
    if (!Elements.is(document.getDocumentElement(), version.namespace(), "Envelope")) {
      throw new RefusedMessage(
          Refusal.MALFORMED, "an answer that is no envelope of its request's SOAP");
    }
  }

  Sealing.Sealed seal() throws RefusedMessage {
    if (departure.reply().keys() instanceof Reply.Keys.None && !policy.timestamp()) {
      return Sealing.Sealed.unsigned(written());
    }
    byte[] signature;
    try {
      signature = protect();
    } catch (WSSecurityException e) {
      throw new RefusedMessage(Refusal.MALFORMED, "an answer that cannot be protected");
    }
    return new Sealing.Sealed(written(), signature);
  }

  private byte @Nullable [] protect() throws WSSecurityException, RefusedMessage {
    Element header = header();
    for (Element old : Elements.children(header, Namespaces.WSSE, "Security")) {
      // Ours replaces whatever the back end wrote; there is one at most (BSP 1.1 R5206).
      if (Envelope.forUs(old, version)) {
        header.removeChild(old);
      }
    }
    List<Element> blocks = Elements.children(header);
    var security = new WSSecHeader(document);
    Element securityElement = security.insertSecurityHeader();
    Element timestamp = policy.timestamp() ? timestamp(securityElement) : null;
    if (departure.reply().keys() instanceof Reply.Keys.None) {
      return null;
    }
    var seals = Seals.of(departure.reply().keys(), policy, security, surroundings.own());
    List<Element> signed = new ArrayList<>();
    Element body = Elements.child(document.getDocumentElement(), version.namespace(), "Body");
    if (body == null) {
      throw new RefusedMessage(Refusal.MALFORMED, "an answer without a body");
    }
    if (policy.signed().body()) {
      signed.add(body);
    }
    if (timestamp != null) {
      signed.add(timestamp);
    }
    for (Element block : blocks) {
      if (TreeOpening.wanted(policy.signed(), block)) {
        signed.add(block);
      }
    }
    if (policy.signatureConfirmation()) {
      signed.addAll(confirmations(securityElement));
    }
    List<WSEncryptionPart> encrypted = new ArrayList<>();
    if (policy.encrypted().body()) {
      encrypted.add(part(body, "Content"));
    }
    for (Element block : blocks) {
      if (TreeOpening.wanted(policy.encrypted(), block)) {
        encrypted.add(part(block, "Header"));
      }
    }
    List<WSEncryptionPart> covered = signed.stream().map(each -> part(each, "Content")).toList();
    byte[] value;
    if (policy.encryptBeforeSigning()) {
      seals.encrypt(encrypted);
      Element signature = seals.sign(covered);
      value = value(signature);
      if (policy.encryptSignature()) {
        seals.encrypt(List.of(part(signature, "Element")));
      }
    } else {
      Element signature = seals.sign(covered);
      value = value(signature);
      if (policy.encryptSignature()) {
        encrypted.add(part(signature, "Element"));
      }
      seals.encrypt(encrypted);
    }
    seals.finish();
    if (timestamp != null) {
      place(securityElement, timestamp);
    }
    return value;
  }

  /** Read before anything encrypts it. */
  private static byte[] value(Element signature) {
    Element value = Elements.child(signature, Namespaces.DS, "SignatureValue");
    if (value == null) {
      throw new IllegalStateException("a signature without a value");
    }
    return Base64.getMimeDecoder().decode(Elements.text(value));
  }

  private void place(Element security, Element timestamp) {
    if (policy.layout() == EndpointPolicy.Layout.LAX_TIMESTAMP_LAST) {
      security.appendChild(timestamp);
    } else {
      security.insertBefore(timestamp, security.getFirstChild());
    }
  }

  private Element header() {
    Element root = document.getDocumentElement();
    Element header = Elements.child(root, version.namespace(), "Header");
    if (header == null) {
      String prefix = root.getPrefix();
      header =
          document.createElementNS(
              version.namespace(), prefix == null ? "Header" : prefix + ":Header");
      root.insertBefore(header, root.getFirstChild());
    }
    return header;
  }

  private Element timestamp(Element security) {
    Instant now = surroundings.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    Element timestamp = document.createElementNS(Namespaces.WSU, "wsu:Timestamp");
    timestamp.setAttributeNS(
        javax.xml.XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsu", Namespaces.WSU);
    append(timestamp, "wsu:Created", now.toString());
    append(
        timestamp,
        "wsu:Expires",
        now.plus(departure.expectation().limits().freshness()).toString());
    security.appendChild(timestamp);
    return timestamp;
  }

  private void append(Element parent, String name, String text) {
    Element child = document.createElementNS(Namespaces.WSU, name);
    child.setTextContent(text);
    parent.appendChild(child);
  }

  /** WSS 1.1 section 8.5: one for each signature, and an empty one where there was none. */
  private List<Element> confirmations(Element security) {
    List<@Nullable byte[]> values = new ArrayList<>(departure.reply().confirmed());
    if (values.isEmpty()) {
      values.add(null);
    }
    List<Element> made = new ArrayList<>();
    for (byte @Nullable [] value : values) {
      Element confirmation =
          document.createElementNS(Namespaces.WSSE11, "wsse11:SignatureConfirmation");
      confirmation.setAttributeNS(
          javax.xml.XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsse11", Namespaces.WSSE11);
      if (value != null) {
        confirmation.setAttributeNS(null, "Value", Base64.getEncoder().encodeToString(value));
      }
      security.appendChild(confirmation);
      made.add(confirmation);
    }
    return made;
  }

  /** Named by an identifier and the element itself, so that nothing is looked up by its name. */
  private static WSEncryptionPart part(Element element, String modifier) {
    String id = element.getAttributeNS(Namespaces.WSU, "Id");
    if (id.isEmpty()) {
      id = Elements.attribute(element, "Id");
    }
    if (id.isEmpty()) {
      id = "id-" + UUID.randomUUID();
      element.setAttributeNS(
          javax.xml.XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsu", Namespaces.WSU);
      element.setAttributeNS(Namespaces.WSU, "wsu:Id", id);
    }
    var part = new WSEncryptionPart(id, modifier);
    part.setElement(element);
    return part;
  }

  /**
   * As text. WSS4J leaves declarations out that its own serializer would add: {@link XmlText} says
   * every namespace that is used.
   */
  private byte[] written() {
    return XmlText.fragment(document.getDocumentElement()).getBytes(StandardCharsets.UTF_8);
  }
}
