package dev.staithe.wss.client;

import dev.staithe.xml.Elements;
import dev.staithe.xml.Soap;
import dev.staithe.xml.SoapVersion;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** Ways about a tree of elements. */
final class Tree {
  private Tree() {}

  /** The only element down a path of one namespace; null where there is none, or more. */
  static @Nullable Element path(Element from, String namespace, String... names) {
    Element at = from;
    for (String name : names) {
      Element next = Elements.only(at, namespace, name);
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
