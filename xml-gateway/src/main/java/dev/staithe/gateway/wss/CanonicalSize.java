package dev.staithe.gateway.wss;

import dev.staithe.wss.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.CharacterData;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/**
 * Counts how long elements are in exclusive canonical form, in characters, without writing it: a
 * long name of a namespace that is declared once around many elements is written at each of them,
 * so that a short message can have a canonical form without end. For one thread.
 */
final class CanonicalSize {
  private final long most;
  private final Map<String, String> rendered = new HashMap<>();
  private long size;

  private CanonicalSize(long most) {
    this.most = most;
  }

  /**
   * Counts.
   *
   * @param most of all of them together
   * @throws Rejection where they are longer, before anything is computed over them
   */
  static void check(List<Element> elements, long most) throws RefusedMessage {
    var all = new CanonicalSize(most);
    for (Element each : elements) {
      all.visit(each);
    }
  }

  private void visit(Element element) throws RefusedMessage {
    Map<String, @Nullable String> before = new HashMap<>();
    size += 2L * element.getNodeName().length() + 5;
    use(element.getPrefix(), element.getNamespaceURI(), before);
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
        continue;
      }
      size += attribute.getNodeName().length() + attribute.getValue().length() + 4L;
      if (attribute.getPrefix() != null) {
        use(attribute.getPrefix(), attribute.getNamespaceURI(), before);
      }
    }
    if (size > most) {
      throw new RefusedMessage(Refusal.LIMIT, "a canonical form beyond the limit of " + most);
    }
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        visit(child);
      } else if (node instanceof CharacterData text) {
        size += text.getLength();
      }
    }
    before.forEach(
        (prefix, uri) -> {
          if (uri == null) {
            rendered.remove(prefix);
          } else {
            rendered.put(prefix, uri);
          }
        });
  }

  private void use(
      @Nullable String prefix, @Nullable String uri, Map<String, @Nullable String> before) {
    String name = prefix == null ? "" : prefix;
    String namespace = uri == null ? "" : uri;
    if (name.equals(XMLConstants.XML_NS_PREFIX)
        || namespace.equals(rendered.getOrDefault(name, ""))) {
      return;
    }
    size += name.length() + namespace.length() + 10L;
    String old = rendered.put(name, namespace);
    if (!before.containsKey(name)) {
      before.put(name, old);
    }
  }
}
