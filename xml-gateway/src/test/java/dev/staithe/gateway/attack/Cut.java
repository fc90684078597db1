package dev.staithe.gateway.attack;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapVersion;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** A secured message under the knife: its pieces can be moved, doubled and replaced. */
final class Cut {
  static final String SOAP = SoapVersion.SOAP_1_1.namespace();
  final Document document;

  Cut(byte[] envelope) {
    document =
        ((XmlDocument.Parsed) SafeXml.parse(envelope, XmlLimits.ofBytes(16L << 20))).document();
  }

  Element envelope() {
    return document.getDocumentElement();
  }

  Element header() {
    return child(envelope(), "Header");
  }

  Element body() {
    return child(envelope(), "Body");
  }

  Element security() {
    return child(header(), "Security");
  }

  /** The first element of that name anywhere, the outermost first. */
  Element first(String namespace, String name) {
    return (Element) document.getElementsByTagNameNS(namespace, name).item(0);
  }

  List<Element> all(String namespace, String name) {
    var found = new ArrayList<Element>();
    var list = document.getElementsByTagNameNS(namespace, name);
    for (int i = 0; i < list.getLength(); i++) {
      found.add((Element) list.item(i));
    }
    return found;
  }

  static Element child(Element parent, String name) {
    return Soap.child(parent, name).orElseThrow();
  }

  /** A new body as Mallory wants it. */
  Element evilBody(String id) {
    Element body = document.createElementNS(SOAP, prefixed("Body"));
    if (!id.isEmpty()) {
      body.setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:wsu", Namespaces.WSU);
      body.setAttributeNS(Namespaces.WSU, "wsu:Id", id);
    }
    Element pay = document.createElementNS("urn:pay", "p:pay");
    Element amount = document.createElementNS("urn:pay", "p:amount");
    amount.appendChild(document.createTextNode("1000000"));
    pay.appendChild(amount);
    body.appendChild(pay);
    return body;
  }

  Element wrapper() {
    return document.createElementNS("urn:mallory", "m:wrapper");
  }

  private String prefixed(String name) {
    String prefix = envelope().getPrefix();
    return prefix == null ? name : prefix + ":" + name;
  }

  /** Puts a node in the place of another, which is given back. */
  static <T extends Node> T replace(T old, Node other) {
    old.getParentNode().replaceChild(other, old);
    return old;
  }

  static String id(Element element) {
    return element.getAttributeNS(Namespaces.WSU, "Id");
  }

  byte[] bytes() {
    return text().getBytes(StandardCharsets.UTF_8);
  }

  String text() {
    return XmlText.fragment(envelope());
  }
}
