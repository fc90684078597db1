package dev.staithe.xml;

import javax.xml.XMLConstants;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/** Builds a tree from a guarded reader, so that the limits hold while it grows. */
final class DomBuilder {
  private DomBuilder() {}

  /**
   * The whole document.
   *
   * @param remarks whether comments and processing instructions are left out; else refused
   */
  static Document build(GuardedReader reader, Document document, boolean remarks)
      throws XmlRefused {
    return build(reader, document, XMLStreamConstants.END_DOCUMENT, remarks);
  }

  /** Only the element that the reader is at the start of; leaves the reader at its end. */
  static Element piece(GuardedReader reader, Document document) throws XmlRefused {
    return build(reader, document, XMLStreamConstants.END_ELEMENT, true).getDocumentElement();
  }

  private static Document build(GuardedReader reader, Document document, int last, boolean remarks)
      throws XmlRefused {
    Node current = document;
    int event = reader.getEventType();
    while (event != XMLStreamConstants.END_DOCUMENT) {
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> {
          Element element = element(reader, document);
          current.appendChild(element);
          current = element;
        }
        case XMLStreamConstants.END_ELEMENT -> {
          Node parent = current.getParentNode();
          current = parent == null ? document : parent;
          if (current == document && last == XMLStreamConstants.END_ELEMENT) {
            return document;
          }
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          if (current != document) {
            appendText(current, reader.getText(), document);
          }
        }
        case XMLStreamConstants.COMMENT, XMLStreamConstants.PROCESSING_INSTRUCTION -> {
          if (!remarks) {
            throw new XmlRefused(
                XmlRefused.Kind.FORBIDDEN, "there is a comment or a processing instruction");
          }
        }
        default -> {
          // The document's own beginning.
        }
      }
      event = reader.next();
    }
    return document;
  }

  /** One text node for each run, however the parser cut it. */
  private static void appendText(Node parent, String text, Document document) {
    if (parent.getLastChild() instanceof Text last) {
      last.appendData(text);
    } else {
      parent.appendChild(document.createTextNode(text));
    }
  }

  private static Element element(XMLStreamReader reader, Document document) {
    Element element =
        document.createElementNS(
            emptyToNull(reader.getNamespaceURI()),
            qualified(reader.getPrefix(), reader.getLocalName()));
    for (int i = 0; i < reader.getNamespaceCount(); i++) {
      String prefix = reader.getNamespacePrefix(i);
      String uri = reader.getNamespaceURI(i);
      element.setAttributeNS(
          XMLConstants.XMLNS_ATTRIBUTE_NS_URI,
          prefix == null || prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix,
          uri == null ? "" : uri);
    }
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      element.setAttributeNS(
          emptyToNull(reader.getAttributeNamespace(i)),
          qualified(reader.getAttributePrefix(i), reader.getAttributeLocalName(i)),
          reader.getAttributeValue(i));
    }
    return element;
  }

  private static String qualified(@Nullable String prefix, String localName) {
    return prefix == null || prefix.isEmpty() ? localName : prefix + ":" + localName;
  }

  private static @Nullable String emptyToNull(@Nullable String value) {
    return value == null || value.isEmpty() ? null : value;
  }
}
