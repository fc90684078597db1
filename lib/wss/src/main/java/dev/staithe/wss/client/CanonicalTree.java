package dev.staithe.wss.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/**
 * Exclusive XML Canonicalization 1.0 without comments, of elements of a tree that has none. Apart
 * from what the gateway streams, so that a mistake in one is not one in both.
 */
final class CanonicalTree {
  /** As InclusiveNamespaces writes the default namespace. */
  static final String DEFAULT = "#default";

  private record Attribute(String namespace, String localName, String name, String value) {}

  private static final Comparator<Attribute> ORDER =
      Comparator.comparing(Attribute::namespace).thenComparing(Attribute::localName);

  private final StringBuilder out;
  private final Set<String> inclusive;

  private CanonicalTree(StringBuilder out, Set<String> inclusive) {
    this.out = out;
    this.inclusive = inclusive;
  }

  /** An element as the apex. */
  static String of(Element apex, Set<String> inclusive) {
    var out = new StringBuilder(256);
    new CanonicalTree(out, inclusive).element(apex, Map.of());
    return out.toString();
  }

  /**
   * What is between an element's tags.
   *
   * @param rendered by the element's start tag: prefixes and their namespaces
   */
  static String content(Element parent, Set<String> inclusive, Map<String, String> rendered) {
    var out = new StringBuilder(256);
    new CanonicalTree(out, inclusive).children(parent, rendered);
    return out.toString();
  }

  private void children(Element parent, Map<String, String> rendered) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        element(child, rendered);
      } else if (node instanceof Text text) {
        text(text.getData());
      }
    }
  }

  private void element(Element element, Map<String, String> above) {
    var needed = new TreeSet<String>();
    needed.add(prefix(element));
    List<Attribute> attributes = attributes(element, needed);
    var declared = new TreeMap<String, String>();
    for (String prefix : needed) {
      declare(prefix, namespace(element, prefix), above, declared);
    }
    for (String each : inclusive) {
      String prefix = each.equals(DEFAULT) ? "" : each;
      String namespace = namespace(element, prefix);
      if (namespace != null) {
        declare(prefix, namespace, above, declared);
      }
    }
    out.append('<').append(element.getNodeName());
    declared.forEach(
        (prefix, namespace) ->
            attribute(prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix, namespace));
    for (Attribute each : attributes) {
      attribute(each.name(), each.value());
    }
    out.append('>');
    Map<String, String> rendered = above;
    if (!declared.isEmpty()) {
      rendered = new TreeMap<>(above);
      rendered.putAll(declared);
    }
    children(element, rendered);
    out.append("</").append(element.getNodeName()).append('>');
  }

  private static List<Attribute> attributes(Element element, Set<String> needed) {
    NamedNodeMap all = element.getAttributes();
    var found = new ArrayList<Attribute>(all.getLength());
    for (int i = 0; i < all.getLength(); i++) {
      var each = (Attr) all.item(i);
      String namespace = each.getNamespaceURI() == null ? "" : each.getNamespaceURI();
      if (namespace.equals(XMLConstants.XMLNS_ATTRIBUTE_NS_URI)) {
        continue;
      }
      String prefix = each.getPrefix();
      if (prefix != null && !prefix.isEmpty() && !prefix.equals("xml")) {
        needed.add(prefix);
      }
      found.add(new Attribute(namespace, each.getLocalName(), each.getName(), each.getValue()));
    }
    found.sort(ORDER);
    return found;
  }

  /** Section 3, steps 3 to 5: once, until another value comes. */
  private static void declare(
      String prefix,
      @Nullable String namespace,
      Map<String, String> above,
      Map<String, String> declared) {
    String value = namespace == null ? "" : namespace;
    if (!prefix.equals("xml") && !above.getOrDefault(prefix, "").equals(value)) {
      declared.put(prefix, value);
    }
  }

  /** What a prefix stands for at an element; null where nothing declares it. */
  static @Nullable String namespace(Element element, String prefix) {
    String name = prefix.isEmpty() ? "xmlns" : prefix;
    for (Node at = element; at instanceof Element each; at = each.getParentNode()) {
      Attr found = each.getAttributeNodeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, name);
      if (found != null) {
        return found.getValue();
      }
    }
    return null;
  }

  private static String prefix(Element element) {
    return element.getPrefix() == null ? "" : element.getPrefix();
  }

  private void attribute(String name, String value) {
    out.append(' ').append(name).append("=\"");
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      switch (each) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '"' -> out.append("&quot;");
        case '\t' -> out.append("&#x9;");
        case '\n' -> out.append("&#xA;");
        case '\r' -> out.append("&#xD;");
        default -> out.append(each);
      }
    }
    out.append('"');
  }

  private void text(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '\r' -> out.append("&#xD;");
        default -> out.append(each);
      }
    }
  }
}
