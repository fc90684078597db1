package dev.staithe.delegation.handlers;

import dev.staithe.xml.Elements;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.transform.dom.DOMSource;
import org.springframework.ws.WebServiceMessage;
import org.springframework.ws.soap.SoapHeader;
import org.springframework.ws.soap.SoapHeaderElement;
import org.springframework.ws.soap.SoapMessage;
import org.w3c.dom.Element;

/** Writes what is told of a delegation into SOAP messages of Spring, and takes it out of them. */
final class SoapNotice {
  private SoapNotice() {}

  /** What a message told, and does not any more. */
  record NoticeFields(List<String> services, List<String> ids) {}

  static void write(Notice notice, WebServiceMessage into, DelegationPlace where) {
    if (where != DelegationPlace.BODY && into instanceof SoapMessage message) {
      SoapHeader header = message.getSoapHeader();
      if (header == null) {
        throw new IllegalStateException("a SOAP message that cannot have a header");
      }
      header.addHeaderElement(Notice.SERVICE_ELEMENT).setText(notice.service());
      header.addHeaderElement(Notice.ID_ELEMENT).setText(notice.id());
    }
    if (where != DelegationPlace.HEADER || !(into instanceof SoapMessage)) {
      Element body =
          payload(into)
              .map(payload -> (Element) payload.getParentNode())
              .orElseThrow(() -> new IllegalStateException("a SOAP message without a payload"));
      append(body, Notice.SERVICE_ELEMENT, notice.service());
      append(body, Notice.ID_ELEMENT, notice.id());
    }
  }

  /** Takes all out, wherever it stands: the method that is called sees a message without. */
  static NoticeFields take(WebServiceMessage from) {
    var services = new ArrayList<String>();
    var ids = new ArrayList<String>();
    if (from instanceof SoapMessage message && message.getSoapHeader() != null) {
      takeHeaders(message.getSoapHeader(), Notice.SERVICE_ELEMENT, services);
      takeHeaders(message.getSoapHeader(), Notice.ID_ELEMENT, ids);
    }
    Optional<Element> payload = payload(from);
    if (payload.isPresent()) {
      for (Element parent : parents(payload.get())) {
        takeChildren(parent, Notice.SERVICE_ELEMENT, services);
        takeChildren(parent, Notice.ID_ELEMENT, ids);
      }
    }
    return new NoticeFields(services, ids);
  }

  /** The request, and what is around it: handlers differ in where they put the two. */
  private static List<Element> parents(Element payload) {
    return payload.getParentNode() instanceof Element body
        ? List.of(payload, body)
        : List.of(payload);
  }

  private static void takeHeaders(SoapHeader header, QName name, List<String> into) {
    Iterator<SoapHeaderElement> found = header.examineHeaderElements(name);
    while (found.hasNext()) {
      String text = found.next().getText();
      into.add(text == null ? "" : text);
    }
    for (int i = 0; i < into.size(); i++) {
      header.removeHeaderElement(name);
    }
  }

  private static void takeChildren(Element parent, QName name, List<String> into) {
    for (Element child : Elements.children(parent)) {
      if (name.getLocalPart().equals(child.getLocalName())
          && name.getNamespaceURI().equals(child.getNamespaceURI())) {
        into.add(child.getTextContent());
        parent.removeChild(child);
      }
    }
  }

  private static void append(Element body, QName name, String text) {
    String prefix = name.getPrefix();
    Element added =
        body.getOwnerDocument()
            .createElementNS(name.getNamespaceURI(), prefix + ":" + name.getLocalPart());
    added.setAttributeNS(
        XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:" + prefix, name.getNamespaceURI());
    added.setTextContent(text);
    body.appendChild(added);
  }

  /** The live element, so that what is changed in it is changed in the message. */
  private static Optional<Element> payload(WebServiceMessage message) {
    return message.getPayloadSource() instanceof DOMSource source
            && source.getNode() instanceof Element payload
        ? Optional.of(payload)
        : Optional.empty();
  }
}
