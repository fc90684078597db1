package dev.staithe.wss.client;

import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Ways about a tree of elements. */
final class Tree {
  private Tree() {}

  static List<Element> children(Element parent) {
    return Soap.children(parent);
  }

  static boolean is(Element element, String namespace, String localName) {
    return localName.equals(element.getLocalName()) && namespace.equals(element.getNamespaceURI());
  }

  /** The only child of a name; null where there is none, or more than one. */
  static @Nullable Element child(Element parent, String namespace, String localName) {
    Element found = null;
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element each && is(each, namespace, localName)) {
        if (found != null) {
          return null;
        }
        found = each;
      }
    }
    return found;
  }

  /** The same down a path of one namespace. */
  static @Nullable Element path(Element from, String namespace, String... names) {
    Element at = from;
    for (String name : names) {
      Element next = child(at, namespace, name);
      if (next == null) {
        return null;
      }
      at = next;
    }
    return at;
  }

  /** The text of an element, without spaces around it. */
  static String text(@Nullable Element element) {
    return element == null ? "" : Soap.text(element).orElse("").strip();
  }

  /** That of an envelope; null where it is none. */
  static @Nullable SoapVersion version(Element root) {
    if (root.getLocalName().equals("Envelope")) {
      for (SoapVersion each : SoapVersion.values()) {
        if (each.namespace().equals(root.getNamespaceURI())) {
          return each;
        }
      }
    }
    return null;
  }
}
