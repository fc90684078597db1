package dev.staithe.gateway.publish;

import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * A WSDL 1.1 description with all that it imports from the same place, as it was read. Each
 * document has a number, the description itself 0; numbers are what clients ask for, so that nobody
 * can make us fetch anything.
 */
final class DescriptionTree {
  static final String WSDL = "http://schemas.xmlsoap.org/wsdl/";
  static final String XSD = "http://www.w3.org/2001/XMLSchema";

  private static final int MOST_DOCUMENTS = 100;
  private static final int MOST_BYTES = 4 << 20;
  private static final int MOST_TOGETHER = 16 << 20;
  private static final XmlLimits LIMITS = new XmlLimits(MOST_BYTES, 100, 200, 1_000, MOST_BYTES);
  private static final Set<String> OF_SCHEMA = Set.of("import", "include", "redefine");

  /**
   * One of them.
   *
   * @param root its element; not to be changed
   * @param links where it refers to others of the tree, by the referring element
   * @param beyond what it refers to elsewhere, as absolute addresses
   */
  record Document(Element root, Map<Element, Integer> links, Map<Element, URI> beyond) {
    boolean isWsdl() {
      return WSDL.equals(root.getNamespaceURI());
    }
  }

  private final Origin origin;
  private final Map<URI, Integer> numbers = new LinkedHashMap<>();
  private final List<URI> waiting = new ArrayList<>();

  private DescriptionTree(Origin origin) {
    this.origin = origin;
  }

  /**
   * Reads all of it.
   *
   * @throws IOException with one line where a part is missing or is no XML
   */
  static List<Document> read(Origin origin) throws IOException {
    return new DescriptionTree(origin).all();
  }

  private List<Document> all() throws IOException {
    List<Document> documents = new ArrayList<>();
    number(origin.start());
    long bytes = 0;
    for (int i = 0; i < waiting.size(); i++) {
      URI address = waiting.get(i);
      byte[] content = origin.read(address, MOST_BYTES);
      bytes += content.length;
      if (bytes > MOST_TOGETHER) {
        throw new IOException("the description has more than " + MOST_TOGETHER + " bytes");
      }
      documents.add(document(address, content));
    }
    Element first = documents.getFirst().root();
    if (!Elements.is(first, WSDL, "definitions")) {
      throw new IOException(waiting.getFirst() + " is no WSDL 1.1");
    }
    return List.copyOf(documents);
  }

  private int number(URI address) throws IOException {
    Integer known = numbers.get(address);
    if (known != null) {
      return known;
    }
    if (numbers.size() == MOST_DOCUMENTS) {
      throw new IOException("the description has more than " + MOST_DOCUMENTS + " documents");
    }
    numbers.put(address, numbers.size());
    waiting.add(address);
    return numbers.size() - 1;
  }

  private Document document(URI address, byte[] content) throws IOException {
    Element root =
        switch (SafeXml.parse(content, LIMITS)) {
          case XmlDocument.Parsed(var parsed) -> parsed.getDocumentElement();
          case XmlDocument.Empty empty -> throw new IOException(address + " is empty");
          case XmlDocument.Refused(var kind, String reason) ->
              throw new IOException(address + ": " + reason);
        };
    Map<Element, Integer> links = new LinkedHashMap<>();
    Map<Element, URI> beyond = new LinkedHashMap<>();
    link(root, address, links, beyond);
    return new Document(root, links, beyond);
  }

  private void link(
      Element element, URI base, Map<Element, Integer> links, Map<Element, URI> beyond)
      throws IOException {
    String attribute = reference(element);
    if (attribute != null && element.hasAttribute(attribute)) {
      URI to = resolve(base, element.getAttribute(attribute));
      if (to != null && origin.has(to)) {
        links.put(element, number(to));
      } else if (to != null && !"file".equals(to.getScheme())) {
        // Where a file lies on this machine is nobody's business.
        beyond.put(element, to);
      }
    }
    for (Element child : Elements.children(element)) {
      link(child, base, links, beyond);
    }
  }

  /** The attribute by which an element refers to another document; null for most. */
  static @Nullable String reference(Element element) {
    String name = element.getLocalName();
    if (Elements.is(element, WSDL, "import")) {
      return "location";
    }
    return XSD.equals(element.getNamespaceURI()) && OF_SCHEMA.contains(name)
        ? "schemaLocation"
        : null;
  }

  private static @Nullable URI resolve(URI base, String reference) {
    try {
      String written = reference.strip();
      // A query alone is asked of the document itself (RFC 3986 section 5.2.2); URI leaves its name
      // out, as the RFC before that had it.
      URI to =
          written.startsWith("?")
              ? URI.create(base.toString().replaceFirst("\\?.*", "") + written)
              : base.resolve(written);
      // Without its fragment, and in one spelling, so that each document is read once.
      String text = to.normalize().toString();
      int fragment = text.indexOf('#');
      return URI.create(fragment < 0 ? text : text.substring(0, fragment));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
