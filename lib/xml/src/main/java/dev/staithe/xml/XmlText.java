package dev.staithe.xml;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.CharacterData;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** Writes text, attributes and elements as XML 1.0. Thread-safe. */
public final class XmlText {
  private static final char REPLACEMENT = '\uFFFD';

  private XmlText() {}

  /** A text for between two tags. What XML 1.0 cannot hold (§2.2) becomes U+FFFD. */
  public static String escape(String text) {
    var out = new StringBuilder(text.length() + 16);
    appendEscaped(out, text, false);
    return out.toString();
  }

  /** A text for between two quotation marks or apostrophes. */
  public static String escapeAttribute(String text) {
    var out = new StringBuilder(text.length() + 16);
    appendEscaped(out, text, true);
    return out.toString();
  }

  /** Appends {@link #escape(String)} of the text. */
  public static void appendEscaped(StringBuilder out, String text) {
    appendEscaped(out, text, false);
  }

  /**
   * An element as text that means the same wherever it is put: every namespace that it mentions, a
   * default namespace or its absence, and the language in scope ({@code xml:lang}, RFC 4918 §4.3)
   * stand in its own tag. Comments and processing instructions are left out.
   */
  public static String fragment(Element element) {
    var out = new StringBuilder();
    Map<String, String> inherited = new HashMap<>();
    collectScope(element.getParentNode(), inherited);
    // All that may be meant, also by a QName inside a text, but no more: a thousand properties
    // below one element with many declarations would else each carry all of them.
    inherited.keySet().retainAll(PrefixUse.of(element));
    // Said even where it is absent: the place of insertion may have one.
    inherited.putIfAbsent("", "");
    append(out, element, Map.of(), inherited, inheritedLanguage(element));
    return out.toString();
  }

  /**
   * An element as a document of its own. {@link #fragment} says also that there is no default
   * namespace, which OpenSAML cannot take over into what it decrypts, and which goes without saying
   * at the root.
   */
  public static String document(Element root) {
    String text = fragment(root);
    String said = "<" + root.getNodeName() + " xmlns=\"\"";
    return text.startsWith(said) ? "<" + root.getNodeName() + text.substring(said.length()) : text;
  }

  private static void append(
      StringBuilder out,
      Element element,
      Map<String, String> scope,
      Map<String, String> inherited,
      @Nullable String language) {
    // What this tag must declare beyond what is in scope: inherited, its own, and what a tree
    // built by hand uses without declaring. Sorted, so that equal elements give equal texts.
    Map<String, String> wanted = new TreeMap<>(inherited);
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      String prefix = declaredPrefix(attribute);
      if (prefix != null) {
        wanted.put(prefix, attribute.getValue());
      }
    }
    use(wanted, scope, prefix(element), namespace(element));
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      if (declaredPrefix(attribute) == null && attribute.getNamespaceURI() != null) {
        use(wanted, scope, prefix(attribute), namespace(attribute));
      }
    }

    String name = element.getNodeName();
    out.append('<').append(name);
    wanted.forEach(
        (prefix, uri) -> {
          if (!uri.equals(scope.get(prefix))) {
            attribute(out, prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix, uri);
          }
        });
    Map<String, String> inner = scope;
    if (!wanted.isEmpty()) {
      inner = new HashMap<>(scope);
      inner.putAll(wanted);
    }
    if (language != null) {
      attribute(out, "xml:lang", language);
    }
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      if (declaredPrefix(attribute) == null) {
        attribute(out, attribute.getNodeName(), attribute.getValue());
      }
    }
    if (element.getFirstChild() == null) {
      out.append("/>");
      return;
    }
    out.append('>');
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      switch (child.getNodeType()) {
        case Node.ELEMENT_NODE -> append(out, (Element) child, inner, Map.of(), null);
        case Node.TEXT_NODE, Node.CDATA_SECTION_NODE ->
            appendEscaped(out, ((CharacterData) child).getData(), false);
        default -> {
          // Comments and processing instructions are left out.
        }
      }
    }
    out.append("</").append(name).append('>');
  }

  private static void use(
      Map<String, String> wanted, Map<String, String> scope, String prefix, String uri) {
    if (prefix.equals(XMLConstants.XML_NS_PREFIX)) {
      return;
    }
    String known = wanted.getOrDefault(prefix, scope.getOrDefault(prefix, ""));
    if (!known.equals(uri)) {
      wanted.put(prefix, uri);
    }
  }

  private static void collectScope(@Nullable Node from, Map<String, String> declared) {
    for (Node node = from; node instanceof Element above; node = node.getParentNode()) {
      NamedNodeMap attributes = above.getAttributes();
      for (int i = 0; i < attributes.getLength(); i++) {
        Attr attribute = (Attr) attributes.item(i);
        String prefix = declaredPrefix(attribute);
        if (prefix != null) {
          declared.putIfAbsent(prefix, attribute.getValue());
        }
      }
    }
  }

  private static @Nullable String inheritedLanguage(Element element) {
    if (element.hasAttributeNS(XMLConstants.XML_NS_URI, "lang")) {
      return null;
    }
    for (Node node = element.getParentNode();
        node instanceof Element above;
        node = node.getParentNode()) {
      if (above.hasAttributeNS(XMLConstants.XML_NS_URI, "lang")) {
        return above.getAttributeNS(XMLConstants.XML_NS_URI, "lang");
      }
    }
    return null;
  }

  private static @Nullable String declaredPrefix(Attr attribute) {
    String name = attribute.getNodeName();
    if (name.equals("xmlns")) {
      return "";
    }
    return name.startsWith("xmlns:") ? name.substring("xmlns:".length()) : null;
  }

  private static String prefix(Node node) {
    String prefix = node.getPrefix();
    return prefix == null ? "" : prefix;
  }

  private static String namespace(Node node) {
    String uri = node.getNamespaceURI();
    return uri == null ? "" : uri;
  }

  private static void attribute(StringBuilder out, String name, String value) {
    out.append(' ').append(name).append("=\"");
    appendEscaped(out, value, true);
    out.append('"');
  }

  private static void appendEscaped(StringBuilder out, String text, boolean attribute) {
    int at = 0;
    while (at < text.length()) {
      int character = text.codePointAt(at);
      at += Character.charCount(character);
      switch (character) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '\r' -> out.append("&#13;");
        case '"' -> out.append(attribute ? "&quot;" : "\"");
        case '\'' -> out.append(attribute ? "&#39;" : "'");
        case '\n' -> out.append(attribute ? "&#10;" : "\n");
        case '\t' -> out.append(attribute ? "&#9;" : "\t");
        default -> {
          if (allowed(character)) {
            out.appendCodePoint(character);
          } else {
            out.append(REPLACEMENT);
          }
        }
      }
    }
  }

  private static boolean allowed(int character) {
    return (character >= 0x20 && character <= 0xD7FF)
        || (character >= 0xE000 && character <= 0xFFFD)
        || character >= 0x10000;
  }
}
