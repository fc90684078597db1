package dev.staithe.xml;

import javax.xml.XMLConstants;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Builds a tree from a guarded reader, so that the limits hold while it grows. Takes time in
 * proportion to what is read, however the parser cuts it.
 */
final class DomBuilder {
  private final GuardedReader reader;
  private final Document document;
  // A run of text: each reference to a character is a piece of its own.
  private final StringBuilder text = new StringBuilder();
  private Node current;
  private long nodes;

  private DomBuilder(GuardedReader reader, Document document) {
    this.reader = reader;
    this.document = document;
    this.current = document;
  }

  /**
   * The whole document.
   *
   * @param asides what is left out, and not refused
   */
  static Document build(GuardedReader reader, Document document, NonContent asides)
      throws XmlRefused {
    return new DomBuilder(reader, document).build(XMLStreamConstants.END_DOCUMENT, asides);
  }

  /** Only the element that the reader is at the start of; leaves the reader at its end. */
  static Element piece(GuardedReader reader, Document document) throws XmlRefused {
    return new DomBuilder(reader, document)
        .build(XMLStreamConstants.END_ELEMENT, NonContent.ALL)
        .getDocumentElement();
  }

  private Document build(int last, NonContent asides) throws XmlRefused {
    int event = reader.getEventType();
    while (event != XMLStreamConstants.END_DOCUMENT) {
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> {
          endText();
          reader.limitTree(nodes += 1L + reader.getAttributeCount() + reader.getNamespaceCount());
          Element element = element(reader, document);
          current.appendChild(element);
          current = element;
        }
        case XMLStreamConstants.END_ELEMENT -> {
          endText();
          Node parent = current.getParentNode();
          current = parent == null ? document : parent;
          if (current == document && last == XMLStreamConstants.END_ELEMENT) {
            return document;
          }
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          if (current != document) {
            text.append(reader.getTextCharacters(), reader.getTextStart(), reader.getTextLength());
          }
        }
        case XMLStreamConstants.COMMENT, XMLStreamConstants.PROCESSING_INSTRUCTION -> {
          if (asides == NonContent.NONE
              || asides == NonContent.COMMENTS && event != XMLStreamConstants.COMMENT) {
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
  private void endText() {
    if (!text.isEmpty()) {
      current.appendChild(document.createTextNode(text.toString()));
      text.setLength(0);
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
