package dev.staithe.xml;

import dev.staithe.xml.XmlRefused.Kind;
import java.util.Arrays;
import javax.xml.stream.Location;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.util.StreamReaderDelegate;
import org.jspecify.annotations.Nullable;

/** Watches the limits while a document passes, and turns every complaint into a safe one. */
final class GuardedReader extends StreamReaderDelegate {
  private final XMLStreamReader reader;
  private final LimitedInput input;
  private final XmlLimits limits;
  private int depth;
  private long text;
  private int declared;
  private int[] declaredAt = new int[16];

  GuardedReader(XMLStreamReader reader, LimitedInput input, XmlLimits limits) throws XmlRefused {
    super(reader);
    this.reader = reader;
    this.input = input;
    this.limits = limits;
    checkVersion();
  }

  @Override
  public int next() throws XmlRefused {
    int event;
    try {
      event = reader.next();
    } catch (XMLStreamException | RuntimeException e) {
      // The parser throws unchecked exceptions too on some malformed input.
      throw refusal(reader, input, e);
    }
    check(event);
    return event;
  }

  @Override
  public int nextTag() throws XMLStreamException {
    int event = next();
    while (event == XMLStreamConstants.COMMENT
        || event == XMLStreamConstants.SPACE
        || event == XMLStreamConstants.PROCESSING_INSTRUCTION
        || (event == XMLStreamConstants.CHARACTERS && isWhiteSpace())) {
      event = next();
    }
    if (event != XMLStreamConstants.START_ELEMENT && event != XMLStreamConstants.END_ELEMENT) {
      throw new XmlRefused(Kind.MALFORMED, "an element was expected" + where(reader));
    }
    return event;
  }

  @Override
  public String getElementText() throws XMLStreamException {
    var content = new StringBuilder();
    for (int event = next(); event != XMLStreamConstants.END_ELEMENT; event = next()) {
      switch (event) {
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            content.append(getText());
        case XMLStreamConstants.START_ELEMENT ->
            throw new XmlRefused(Kind.MALFORMED, "text was expected" + where(reader));
        default -> {
          // Comments and processing instructions say nothing.
        }
      }
    }
    return content.toString();
  }

  /** Of a tree that is made of what is read. */
  void limitTree(long nodes) throws XmlRefused {
    limit(nodes, limits.nodes(), "elements and attributes");
  }

  private void check(int event) throws XmlRefused {
    switch (event) {
      case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
          throw new XmlRefused(
              Kind.FORBIDDEN, "document type declarations and entities are not accepted");
      case XMLStreamConstants.START_ELEMENT -> checkElement();
      case XMLStreamConstants.END_ELEMENT -> {
        declared -= declaredAt[depth];
        depth--;
        text = 0;
      }
      case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
        text += getTextLength();
        limit(text, limits.textLength(), "text");
      }
      default -> {
        // Comments, processing instructions, the end: bounded by the document's size.
      }
    }
  }

  private void checkElement() throws XmlRefused {
    text = 0;
    limit(++depth, limits.depth(), "nesting");
    limit((long) getAttributeCount() + getNamespaceCount(), limits.attributes(), "attributes");
    if (depth == declaredAt.length) {
      declaredAt = Arrays.copyOf(declaredAt, 2 * depth);
    }
    declaredAt[depth] = getNamespaceCount();
    declared += declaredAt[depth];
    limit(declared, NamespaceScope.MOST, "declarations of namespaces");
    name(getLocalName());
    name(getPrefix());
    for (int i = 0; i < getAttributeCount(); i++) {
      name(getAttributeLocalName(i));
      name(getAttributePrefix(i));
      limit(getAttributeValue(i).length(), limits.textLength(), "attribute value");
    }
    for (int i = 0; i < getNamespaceCount(); i++) {
      name(getNamespacePrefix(i));
      String namespace = getNamespaceURI(i);
      limit(namespace == null ? 0 : namespace.length(), limits.nameLength(), "namespace");
    }
  }

  private void name(@Nullable String name) throws XmlRefused {
    limit(name == null ? 0 : name.length(), limits.nameLength(), "name");
    // The parser lets names pass that begin with a colon (Namespaces in XML 1.0, section 4).
    if (name != null && name.indexOf(':') >= 0) {
      throw new XmlRefused(Kind.MALFORMED, "a colon where none may be" + where(reader));
    }
  }

  private void limit(long value, long most, String what) throws XmlRefused {
    if (value > most) {
      throw new XmlRefused(Kind.OVER_LIMIT, what + " beyond the limit of " + most + where(reader));
    }
  }

  private void checkVersion() throws XmlRefused {
    String version = reader.getVersion();
    // XML 1.1 allows control characters that could not be given back in XML 1.0.
    if (version != null && !version.equals("1.0")) {
      throw new XmlRefused(Kind.MALFORMED, "only XML 1.0 is accepted");
    }
  }

  static XmlRefused refusal(@Nullable XMLStreamReader reader, LimitedInput input, Exception e) {
    if (input.exceeded()) {
      return new XmlRefused(Kind.TOO_LARGE, "the document is too large");
    }
    if (e instanceof XmlRefused refused) {
      return refused;
    }
    // The parser's own limits, set to ours, stop some documents before an event is seen.
    String message = String.valueOf(e.getMessage());
    if (message.contains("JAXP0001") || message.contains("JAXP0002")) {
      return new XmlRefused(Kind.OVER_LIMIT, "a limit of the document is exceeded");
    }
    return new XmlRefused(Kind.MALFORMED, "not well-formed XML" + where(reader));
  }

  private static String where(@Nullable XMLStreamReader reader) {
    Location location = reader == null ? null : reader.getLocation();
    return location == null || location.getLineNumber() < 0
        ? ""
        : " at line " + location.getLineNumber() + ", column " + location.getColumnNumber();
  }
}
