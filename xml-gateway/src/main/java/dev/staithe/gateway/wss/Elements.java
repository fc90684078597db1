package dev.staithe.gateway.wss;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.CharacterData;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** Walks a document tree. */
final class Elements {
  private Elements() {}

  static List<Element> children(Node parent) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        found.add(element);
      }
    }
    return found;
  }

  static List<Element> children(Node parent, String namespace, String localName) {
    return children(parent).stream().filter(each -> is(each, namespace, localName)).toList();
  }

  /** The first child of a name; null without. */
  static @Nullable Element child(Node parent, String namespace, String localName) {
    for (Element each : children(parent)) {
      if (is(each, namespace, localName)) {
        return each;
      }
    }
    return null;
  }

  static boolean is(Node node, String namespace, String localName) {
    return localName.equals(node.getLocalName()) && namespace.equals(node.getNamespaceURI());
  }

  /** All the text that is directly within. */
  static String text(Element element) {
    var text = new StringBuilder();
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof CharacterData data) {
        text.append(data.getData());
      }
    }
    return text.toString();
  }

  /** An attribute without a namespace; empty without. */
  static String attribute(Element element, String name) {
    return element.getAttributeNS(null, name);
  }

  static QName name(Element element) {
    return new QName(element.getNamespaceURI(), element.getLocalName());
  }

  /** What an element and those around it declare, the nearest of each prefix. */
  static Map<String, String> scope(@Nullable Node from) {
    Map<String, String> declared = new LinkedHashMap<>();
    for (Node node = from; node instanceof Element element; node = node.getParentNode()) {
      declarations(element).forEach(declared::putIfAbsent);
    }
    return declared;
  }

  /** What an element itself declares. */
  static Map<String, String> declarations(Element element) {
    Map<String, String> declared = new LinkedHashMap<>();
    for (Attr attribute : attributes(element)) {
      if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
        declared.put(
            attribute.getPrefix() == null ? "" : attribute.getLocalName(), attribute.getValue());
      }
    }
    return declared;
  }

  static List<Attr> attributes(Element element) {
    NamedNodeMap attributes = element.getAttributes();
    List<Attr> found = new ArrayList<>(attributes.getLength());
    for (int i = 0; i < attributes.getLength(); i++) {
      found.add((Attr) attributes.item(i));
    }
    return found;
  }

  /** Whether one is the other or around it. */
  static boolean within(Node inner, Node outer) {
    for (Node node = inner; node != null; node = node.getParentNode()) {
      if (node == outer) {
        return true;
      }
    }
    return false;
  }
}
