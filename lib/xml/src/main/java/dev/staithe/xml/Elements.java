package dev.staithe.xml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.CharacterData;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** Walks a document tree. Thread-safe as far as the tree is. */
public final class Elements {
  private Elements() {}

  /** The elements directly below, in their order. */
  public static List<Element> children(Node parent) {
    List<Element> found = new ArrayList<>(4);
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        found.add(element);
      }
    }
    return found;
  }

  /** Those of them that have that name. */
  public static List<Element> children(Node parent, String namespace, String localName) {
    return children(parent).stream().filter(each -> is(each, namespace, localName)).toList();
  }

  /** The first child of a name; null without, as where there is no parent. */
  public static @Nullable Element child(@Nullable Node parent, String namespace, String localName) {
    List<Element> found = parent == null ? List.of() : children(parent, namespace, localName);
    return found.isEmpty() ? null : found.getFirst();
  }

  /** The only child of a name; null where there is none, or more than one. */
  public static @Nullable Element only(Node parent, String namespace, String localName) {
    List<Element> found = children(parent, namespace, localName);
    return found.size() == 1 ? found.getFirst() : null;
  }

  /** Whether an element has that name. */
  public static boolean is(Node node, String namespace, String localName) {
    return localName.equals(node.getLocalName()) && namespace.equals(node.getNamespaceURI());
  }

  /** All the text that is directly within. */
  public static String text(Element element) {
    var text = new StringBuilder();
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof CharacterData data) {
        text.append(data.getData());
      }
    }
    return text.toString();
  }

  /** An attribute without a namespace; empty without. */
  public static String attribute(Element element, String name) {
    return element.getAttributeNS(null, name);
  }

  /** Its name. */
  public static QName name(Element element) {
    return new QName(element.getNamespaceURI(), element.getLocalName());
  }

  /** What an element and those around it declare, the nearest of each prefix. */
  public static Map<String, String> scope(@Nullable Node from) {
    Map<String, String> declared = new LinkedHashMap<>();
    for (Node node = from; node instanceof Element element; node = node.getParentNode()) {
      declarations(element).forEach(declared::putIfAbsent);
    }
    return declared;
  }

  /** What an element itself declares. */
  public static Map<String, String> declarations(Element element) {
    Map<String, String> declared = new LinkedHashMap<>();
    for (Attr attribute : attributes(element)) {
      if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
        declared.put(
            attribute.getPrefix() == null ? "" : attribute.getLocalName(), attribute.getValue());
      }
    }
    return declared;
  }

  /** Its attributes, declarations among them. */
  public static List<Attr> attributes(Element element) {
    NamedNodeMap attributes = element.getAttributes();
    List<Attr> found = new ArrayList<>(attributes.getLength());
    for (int i = 0; i < attributes.getLength(); i++) {
      found.add((Attr) attributes.item(i));
    }
    return found;
  }

  /** What stands before each colon of a text or value: prefixes, where it holds a QName. */
  public static void prefixes(String text, Consumer<String> found) {
    for (int colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
      int start = colon;
      while (start > 0 && isOfName(text.charAt(start - 1))) {
        start--;
      }
      if (start < colon) {
        found.accept(text.substring(start, colon));
      }
    }
  }

  /** Wider than the rule for names: nothing is declared by what is none. */
  private static boolean isOfName(char each) {
    return each > 0x7f
        || Character.isLetterOrDigit(each)
        || each == '_'
        || each == '-'
        || each == '.';
  }

  /** Whether one is the other or around it. */
  public static boolean within(Node inner, Node outer) {
    for (Node node = inner; node != null; node = node.getParentNode()) {
      if (node == outer) {
        return true;
      }
    }
    return false;
  }
}
