package dev.staithe.wss.policy;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/**
 * A policy in WS-Policy's terms (2004/09 or 1.5): operators are resolved, so that what is left are
 * assertions, all of which hold. There must be exactly one alternative.
 */
final class PolicyDocument {
  private static final XmlLimits LIMITS = new XmlLimits(256 << 10, 48, 32, 200, 4_000);

  /** References may stand within what is referred to, so that a short document can mean a lot. */
  private static final int MOST = 2_000;

  private static final int DEEPEST = 64;

  private static final QName WSU_ID = new QName(Namespaces.WSU, "Id");
  private static final QName XML_ID = new QName(XMLConstants.XML_NS_URI, "id");

  private final String wsp;
  private final Map<String, Element> byId = new HashMap<>();
  private final Set<String> namespaces = new HashSet<>();
  private final Set<Element> open = new HashSet<>();
  private int seen;

  private PolicyDocument(String wsp) {
    this.wsp = wsp;
  }

  /** Reads a document. */
  static PolicyAssertions read(byte[] document) throws NotUnderstood {
    Element root =
        switch (SafeXml.parse(document, LIMITS)) {
          case XmlDocument.Empty empty -> throw new NotUnderstood("the document is empty");
          case XmlDocument.Refused(var kind, String reason) ->
              throw new NotUnderstood("no policy could be read: " + reason);
          case XmlDocument.Parsed(var parsed) -> parsed.getDocumentElement();
        };
    String wsp = name(root).getNamespaceURI();
    if (!root.getLocalName().equals("Policy")
        || !(wsp.equals(Namespaces.POLICY_2004) || wsp.equals(Namespaces.POLICY_15))) {
      throw new NotUnderstood(
          "the document is a " + Dialect.name(name(root)) + ", not a wsp:Policy");
    }
    var reading = new PolicyDocument(wsp);
    reading.index(root);
    List<Assertion> all = reading.policy(root);
    return new PolicyAssertions(Dialect.of(reading.namespaces), "wsp:Policy", all);
  }

  static QName name(Node node) {
    String uri = node.getNamespaceURI();
    return new QName(uri == null ? "" : uri, node.getLocalName());
  }

  private void index(Element element) throws NotUnderstood {
    namespaces.add(name(element).getNamespaceURI());
    if (isOperator(element, "Policy")) {
      for (QName kind : List.of(WSU_ID, XML_ID)) {
        String id = element.getAttributeNS(kind.getNamespaceURI(), kind.getLocalPart());
        if (!id.isEmpty() && byId.put(id, element) != null) {
          throw new NotUnderstood("two policies have one identifier");
        }
      }
    }
    for (Element child : Elements.children(element)) {
      index(child);
    }
  }

  private boolean isOperator(Element element, String local) {
    return element.getLocalName().equals(local) && name(element).getNamespaceURI().equals(wsp);
  }

  /** What {@code wsp:Policy} and {@code wsp:All} say: all of their children. */
  private List<Assertion> policy(Element operator) throws NotUnderstood {
    operatorAttributes(operator);
    if (!open.add(operator)) {
      throw new NotUnderstood("a wsp:PolicyReference refers to what it stands in");
    }
    if (open.size() > DEEPEST) {
      throw new NotUnderstood("policies are nested deeper than " + DEEPEST);
    }
    List<Assertion> all = new ArrayList<>();
    for (Element child : children(operator)) {
      all.addAll(said(child));
    }
    open.remove(operator);
    return all;
  }

  private List<Assertion> said(Element element) throws NotUnderstood {
    if (++seen > MOST) {
      throw new NotUnderstood("there are more than " + MOST + " assertions and operators");
    }
    if (!name(element).getNamespaceURI().equals(wsp)) {
      return List.of(assertion(element));
    }
    return switch (element.getLocalName()) {
      case "Policy", "All" -> policy(element);
      case "ExactlyOne" -> {
        operatorAttributes(element);
        List<Element> alternatives = children(element);
        if (alternatives.size() != 1) {
          throw new NotUnderstood(
              "wsp:ExactlyOne offers "
                  + alternatives.size()
                  + " alternatives: an endpoint demands one");
        }
        yield said(alternatives.getFirst());
      }
      case "PolicyReference" -> policy(referred(element));
      default -> throw new NotUnderstood(Dialect.name(name(element)) + " is not understood");
    };
  }

  private Element referred(Element reference) throws NotUnderstood {
    NamedNodeMap attributes = reference.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      if (!isDeclaration(attribute) && !name(attribute).equals(new QName("URI"))) {
        throw new NotUnderstood(
            "the attribute "
                + Dialect.name(name(attribute))
                + " of wsp:PolicyReference is not understood");
      }
    }
    if (!children(reference).isEmpty()) {
      throw new NotUnderstood("wsp:PolicyReference is not empty");
    }
    String uri = reference.getAttribute("URI");
    Element policy = uri.startsWith("#") ? byId.get(uri.substring(1)) : null;
    if (policy == null) {
      throw new NotUnderstood(
          "a wsp:PolicyReference refers to no policy in this document; nothing is fetched");
    }
    return policy;
  }

  private Assertion assertion(Element element) throws NotUnderstood {
    boolean optional = false;
    Map<QName, String> own = new HashMap<>();
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      QName name = name(attribute);
      if (isDeclaration(attribute) || name.equals(WSU_ID) || name.equals(XML_ID)) {
        continue;
      }
      if (name.equals(new QName(wsp, "Optional"))) {
        optional = truth(attribute);
      } else if (name.equals(new QName(Namespaces.POLICY_15, "Ignorable"))
          && wsp.equals(Namespaces.POLICY_15)) {
        // Says that others may overlook it. It is demanded here all the same.
        truth(attribute);
      } else {
        own.put(name, attribute.getValue());
      }
    }
    List<Element> parameters = new ArrayList<>();
    @Nullable List<Assertion> nested = null;
    for (Element child : children(element)) {
      if (!isOperator(child, "Policy")) {
        parameters.add(child);
      } else if (nested != null) {
        throw new NotUnderstood(Dialect.name(name(element)) + " holds two policies");
      } else {
        nested = policy(child);
      }
    }
    return new Assertion(
        name(element), optional, own, parameters, nested == null ? List.of() : nested);
  }

  private static boolean truth(Attr attribute) throws NotUnderstood {
    return switch (attribute.getValue().strip()) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default ->
          throw new NotUnderstood(Dialect.name(name(attribute)) + " is neither true nor false");
    };
  }

  private void operatorAttributes(Element operator) throws NotUnderstood {
    NamedNodeMap attributes = operator.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      QName name = name(attribute);
      boolean identifies =
          isOperator(operator, "Policy")
              && (name.equals(WSU_ID) || name.equals(XML_ID) || name.equals(new QName("Name")));
      if (!isDeclaration(attribute) && !identifies) {
        throw new NotUnderstood(
            "the attribute "
                + Dialect.name(name)
                + " of "
                + Dialect.name(name(operator))
                + " is not understood");
      }
    }
  }

  private static boolean isDeclaration(Attr attribute) {
    return XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI());
  }

  /** Child elements, of an element that has no text beside them. */
  private static List<Element> children(Element element) throws NotUnderstood {
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (!(node instanceof Element)
          && node.getNodeValue() != null
          && !node.getNodeValue().isBlank()) {
        throw new NotUnderstood("there is text in " + Dialect.name(name(element)));
      }
    }
    return Elements.children(element);
  }
}
