package dev.staithe.gateway.wss;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.xml.Elements;
import dev.staithe.xml.XmlLimits;
import java.util.HashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;

/**
 * Which element each identifier of a message stands for. {@code wsu:Id}, {@code Id}, {@code ID} and
 * {@code xml:id} share one space, and no identifier may stand for two elements: a signature that
 * covers one of them would be taken for covering the other.
 */
final class Identifiers {
  private final Map<String, Element> elements = new HashMap<>();

  /** Adds all within an element, itself included. */
  void addAll(Element element) throws RefusedMessage {
    for (Attr attribute : Elements.attributes(element)) {
      if (identifies(attribute)) {
        if (elements.size() == XmlLimits.IDENTIFIERS) {
          throw new RefusedMessage(Refusal.LIMIT, "more identifiers than are taken");
        }
        Element other = elements.put(attribute.getValue(), element);
        if (other != null) {
          throw new RefusedMessage(Refusal.POLICY, "an identifier stands for two elements");
        }
      }
    }
    for (Element child : Elements.children(element)) {
      addAll(child);
    }
  }

  /** The element that a reference of the form {@code #…} names; null for none. */
  @Nullable Element find(String uri) {
    return uri.length() > 1 && uri.charAt(0) == '#' ? elements.get(uri.substring(1)) : null;
  }

  private static boolean identifies(Attr attribute) {
    String namespace = attribute.getNamespaceURI();
    String name = attribute.getLocalName();
    if (namespace == null) {
      return name.equals("Id") || name.equals("ID");
    }
    return (namespace.equals(Namespaces.WSU) && name.equals("Id"))
        || (namespace.equals(XMLConstants.XML_NS_URI) && name.equals("id"));
  }
}
