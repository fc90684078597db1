package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Judges messages by the description that the service serves, with Java's own validator of XML
 * Schema. What rpc/literal describes by types of parts is an element around them on the wire (SOAP
 * 1.1 section 7.1), and so it is here.
 */
final class Described {
  static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";
  private static final String XSD = XMLConstants.W3C_XML_SCHEMA_NS_URI;

  private final Document wsdl;
  private final Schema schema;

  /**
   * @param text the description
   */
  Described(byte[] text) {
    XmlDocument parsed = SafeXml.parse(text, XmlLimits.ofBytes(1 << 18));
    assertThat(parsed).isInstanceOf(XmlDocument.Parsed.class);
    this.wsdl = ((XmlDocument.Parsed) parsed).document();
    Element types = elements(XSD, "schema").getFirst();
    // Alone it lacks what the description around it declares.
    for (String prefix : List.of("xsd", "tns")) {
      types.setAttributeNS(
          XMLConstants.XMLNS_ATTRIBUTE_NS_URI,
          "xmlns:" + prefix,
          wsdl.getDocumentElement().getAttribute("xmlns:" + prefix));
    }
    for (Element operation : operations()) {
      String name = operation.getAttribute("name");
      addParts(types, name, name + "Request");
      addParts(types, name + "Response", name + "Response");
    }
    try {
      this.schema = SchemaFactory.newInstance(XSD).newSchema(new DOMSource(types));
    } catch (SAXException e) {
      throw new AssertionError("the schema of the description is wrong", e);
    }
  }

  /** Adds the element of rpc/literal where the message's parts are described by type. */
  private void addParts(Element types, String element, String message) {
    Element found =
        elements(WSDL, "message").stream()
            .filter(each -> each.getAttribute("name").equals(message))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no message " + message));
    List<Element> parts = below(found, "part");
    if (parts.stream().anyMatch(part -> part.hasAttribute("element"))) {
      return;
    }
    Element around = append(types, "element", "name", element);
    Element sequence = append(append(around, "complexType", "", ""), "sequence", "", "");
    for (Element part : parts) {
      Element child = append(sequence, "element", "name", part.getAttribute("name"));
      child.setAttribute("type", part.getAttribute("type"));
    }
  }

  private Element append(Element parent, String name, String attribute, String value) {
    Element made = wsdl.createElementNS(XSD, "xsd:" + name);
    if (!attribute.isEmpty()) {
      made.setAttribute(attribute, value);
    }
    parent.appendChild(made);
    return made;
  }

  /** Those of the port type. */
  List<Element> operations() {
    return below(elements(WSDL, "portType").getFirst(), "operation");
  }

  private static List<Element> below(Element parent, String name) {
    var found = new ArrayList<Element>();
    NodeList children = parent.getElementsByTagNameNS(WSDL, name);
    for (int at = 0; at < children.getLength(); at++) {
      found.add((Element) children.item(at));
    }
    return found;
  }

  /** All of that name. */
  List<Element> elements(String namespace, String name) {
    var found = new ArrayList<Element>();
    NodeList all = wsdl.getElementsByTagNameNS(namespace, name);
    for (int at = 0; at < all.getLength(); at++) {
      found.add((Element) all.item(at));
    }
    return found;
  }

  /**
   * Fails where the description does not have such an element.
   *
   * @param element of a body, or of a fault's detail
   */
  void assertHas(Element element) {
    try {
      schema.newValidator().validate(new DOMSource(element));
    } catch (SAXException e) {
      throw new AssertionError(element.getNodeName() + " is not as described", e);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
