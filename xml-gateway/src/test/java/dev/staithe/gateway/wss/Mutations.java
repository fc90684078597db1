package dev.staithe.gateway.wss;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Elements;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.xml.XMLConstants;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/** A message in many wrong forms: every element and attribute once, and bytes anywhere. */
final class Mutations {
  /** One of them, and what was done. */
  record Mutation(String name, byte[] message) {}

  private interface Change {
    void apply(Document document, Element element);
  }

  private Mutations() {}

  static List<Mutation> of(byte[] message, int random, long seed) {
    List<Mutation> all = new ArrayList<>();
    int count = elements(parse(message)).size();
    for (int i = 0; i < count; i++) {
      add(
          all,
          message,
          i,
          "leave out",
          (document, element) -> element.getParentNode().removeChild(element));
      add(all, message, i, "repeat", (document, element) -> repeat(element));
      add(all, message, i, "empty", (document, element) -> element.setTextContent(""));
      add(
          all,
          message,
          i,
          "move to the end",
          (document, element) -> element.getParentNode().appendChild(element));
      add(
          all,
          message,
          i,
          "add a child",
          (document, element) -> element.appendChild(document.createElementNS("urn:x", "x")));
      add(
          all,
          message,
          i,
          "rename",
          (document, element) ->
              document.renameNode(element, element.getNamespaceURI(), element.getNodeName() + "x"));
      add(all, message, i, "change the text", (document, element) -> spoil(element));
      add(
          all,
          message,
          i,
          "into the body",
          (document, element) -> {
            Element body = Elements.children(document.getDocumentElement()).getLast();
            if (!Elements.within(body, element)) {
              body.appendChild(element);
            }
          });
      add(
          all,
          message,
          i,
          "declare",
          (document, element) ->
              element.setAttributeNS(
                  XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:unused", "urn:unused"));
      add(
          all,
          message,
          i,
          "identify as the body",
          (document, element) -> identify(document, element));
      add(all, message, i, "refer to the body", (document, element) -> refer(document, element));
      int attributes = elements(parse(message)).get(i).getAttributes().getLength();
      for (int j = 0; j < attributes; j++) {
        int at = j;
        add(
            all,
            message,
            i,
            "leave out attribute " + j,
            (document, element) -> remove(element, at));
        add(all, message, i, "change attribute " + j, (document, element) -> change(element, at));
      }
    }
    var chance = new Random(seed);
    for (int i = 0; i < random; i++) {
      byte[] changed = message.clone();
      int at = chance.nextInt(changed.length);
      int to = 32 + chance.nextInt(95);
      changed[at] = (byte) to;
      all.add(new Mutation("byte " + at + " to " + to, changed));
    }
    return all;
  }

  private static void add(List<Mutation> all, byte[] message, int at, String name, Change change) {
    Document document = parse(message);
    Element element = elements(document).get(at);
    if (element == document.getDocumentElement()
        && (name.startsWith("leave out") && !name.contains("attribute")
            || name.equals("repeat")
            || name.startsWith("move"))) {
      return;
    }
    String path = element.getParentNode().getNodeName() + "/" + element.getNodeName();
    change.apply(document, element);
    byte[] written = Initiator.write(document);
    all.add(new Mutation(name + " " + path + " (" + at + ")", written));
  }

  private static void repeat(Element element) {
    element.getParentNode().insertBefore(element.cloneNode(true), element);
  }

  private static String bodyId(Document document) {
    return Elements.children(document.getDocumentElement())
        .getLast()
        .getAttributeNS(Namespaces.WSU, "Id");
  }

  private static void identify(Document document, Element element) {
    if (element.hasAttributeNS(Namespaces.WSU, "Id")) {
      element.setAttributeNS(Namespaces.WSU, "wsu:Id", bodyId(document));
    } else {
      element.setAttributeNS(null, "ID", bodyId(document));
    }
  }

  private static void refer(Document document, Element element) {
    if (element.hasAttributeNS(null, "URI")) {
      element.setAttributeNS(null, "URI", "#" + bodyId(document));
    }
  }

  private static void spoil(Element element) {
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Text text && !text.getData().isEmpty()) {
        int at = text.getData().length() / 2;
        char old = text.getData().charAt(at);
        text.replaceData(at, 1, old == 'A' ? "B" : "A");
        return;
      }
    }
    element.appendChild(element.getOwnerDocument().createTextNode("A"));
  }

  private static void remove(Element element, int at) {
    Attr attribute = (Attr) element.getAttributes().item(at);
    if (!XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
      element.removeAttributeNode(attribute);
    }
  }

  private static void change(Element element, int at) {
    Attr attribute = (Attr) element.getAttributes().item(at);
    if (!XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
      attribute.setValue(attribute.getValue() + "x");
    }
  }

  private static Document parse(byte[] message) {
    return Initiator.parse(new String(message, StandardCharsets.UTF_8));
  }

  private static List<Element> elements(Document document) {
    List<Element> all = new ArrayList<>();
    collect(document.getDocumentElement(), all);
    return all;
  }

  private static void collect(Element element, List<Element> all) {
    all.add(element);
    for (Element child : Elements.children(element)) {
      collect(child, all);
    }
  }
}
