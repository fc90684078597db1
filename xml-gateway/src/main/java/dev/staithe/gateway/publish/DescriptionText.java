package dev.staithe.gateway.publish;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Elements;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Documents of a description as clients see them: addresses are the gateway's, references to other
 * documents lead through it, and the policy in force stands in place of whatever the back end said.
 * Immutable.
 */
final class DescriptionText {
  private static final Set<String> ADDRESSES =
      Set.of(
          "http://schemas.xmlsoap.org/wsdl/soap/",
          "http://schemas.xmlsoap.org/wsdl/soap12/",
          "http://schemas.xmlsoap.org/wsdl/http/");
  private static final Set<String> POLICIES = Set.of(Namespaces.POLICY_2004, Namespaces.POLICY_15);
  private static final Set<String> ADDRESSING = Set.of(Namespaces.WSA, Namespaces.WSA_2004);
  private static final String IDENTIFIER = "policy-in-force";

  /** Stands for our address while texts are kept: of characters for private use. */
  private static final String SELF = "\uE000self\uE001";

  private static final Pattern PLACE = Pattern.compile(Pattern.quote(SELF));

  /** One document: what stands between the places of our address. */
  private record CutDocument(boolean wsdl, List<String> pieces) {}

  private final List<CutDocument> documents;

  private DescriptionText(List<CutDocument> documents) {
    this.documents = documents;
  }

  /** Rewrites copies of the documents; they themselves stay as they are. */
  static DescriptionText of(List<DescriptionTree.Document> tree, Published policy) {
    List<CutDocument> all = new ArrayList<>();
    for (DescriptionTree.Document document : tree) {
      var writing = new Writing(tree, document);
      Element copy = writing.copy();
      if (document.isWsdl()) {
        attach(copy, policy);
      }
      String text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + XmlText.fragment(copy) + "\n";
      all.add(new CutDocument(document.isWsdl(), List.of(PLACE.split(text, -1))));
    }
    return new DescriptionText(List.copyOf(all));
  }

  /** Whether there is a document of that number and kind. */
  boolean has(int number, boolean wsdl) {
    return number >= 0 && number < documents.size() && documents.get(number).wsdl() == wsdl;
  }

  /** A document, for whoever knows us by that address. */
  byte[] document(int number, URI self) {
    return String.join(XmlText.escapeAttribute(self.toString()), documents.get(number).pieces())
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Makes the copy of one document. */
  private record Writing(List<DescriptionTree.Document> tree, DescriptionTree.Document document) {
    Element copy() {
      Element copy = (Element) document.root().cloneNode(true);
      rewrite(document.root(), copy);
      return copy;
    }

    private void rewrite(Element original, Element copy) {
      String attribute = DescriptionTree.reference(original);
      Integer number = document.links().get(original);
      URI beyond = document.beyond().get(original);
      if (attribute != null && number != null) {
        String kind = tree.get(number).isWsdl() ? "wsdl" : "xsd";
        copy.setAttribute(attribute, SELF + "?" + kind + "=" + number);
      } else if (attribute != null && beyond != null) {
        copy.setAttribute(attribute, beyond.toString());
      }
      if (isAddress(original)) {
        copy.setAttribute("location", SELF);
      }
      if (isReferenceAddress(original)) {
        copy.setTextContent(SELF);
        return;
      }
      copy.removeAttributeNS(Namespaces.POLICY_2004, "PolicyURIs");
      copy.removeAttributeNS(Namespaces.POLICY_15, "PolicyURIs");
      Node next = copy.getFirstChild();
      for (Node node = original.getFirstChild(); node != null; node = node.getNextSibling()) {
        Node twin = next;
        next = twin.getNextSibling();
        if (node instanceof Element child) {
          if (document.isWsdl() && POLICIES.contains(String.valueOf(child.getNamespaceURI()))) {
            copy.removeChild(twin);
          } else {
            rewrite(child, (Element) twin);
          }
        }
      }
    }

    private static boolean isAddress(Element element) {
      return element.getLocalName().equals("address")
          && ADDRESSES.contains(String.valueOf(element.getNamespaceURI()))
          && isIn(element, DescriptionTree.WSDL, "port");
    }

    /** An endpoint reference of WS-Addressing in a port. */
    private static boolean isReferenceAddress(Element element) {
      return element.getLocalName().equals("Address")
          && ADDRESSING.contains(String.valueOf(element.getNamespaceURI()))
          && element.getParentNode() instanceof Element reference
          && isIn(reference, DescriptionTree.WSDL, "port");
    }

    private static boolean isIn(Element element, String namespace, String name) {
      return element.getParentNode() instanceof Element parent
          && Elements.is(parent, namespace, name);
    }
  }

  /** Puts the policy into a description that binds (WS-Policy 1.5 attachment, section 4.1). */
  private static void attach(Element definitions, Published policy) {
    List<Element> bindings = Elements.children(definitions, DescriptionTree.WSDL, "binding");
    if (bindings.isEmpty()) {
      return;
    }
    Element said =
        (Element) definitions.getOwnerDocument().importNode(element(policy.document()), true);
    String identifier = said.getAttributeNS(Namespaces.WSU, "Id");
    if (identifier.isEmpty()) {
      identifier = said.getAttributeNS(XMLConstants.XML_NS_URI, "id");
    }
    if (identifier.isEmpty()) {
      identifier = IDENTIFIER;
      said.setAttributeNS(
          XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:id-of-policy", Namespaces.WSU);
      said.setAttributeNS(Namespaces.WSU, "id-of-policy:Id", identifier);
    }
    insert(definitions, said);
    String prefix = said.getPrefix();
    String name = prefix == null ? "PolicyReference" : prefix + ":PolicyReference";
    for (Element binding : bindings) {
      Element reference =
          definitions.getOwnerDocument().createElementNS(said.getNamespaceURI(), name);
      reference.setAttribute("URI", "#" + identifier);
      insert(binding, reference);
    }
  }

  /** After the documentation, which WSDL wants first. */
  private static void insert(Element into, Element what) {
    List<Element> children = Elements.children(into);
    boolean documented =
        !children.isEmpty()
            && Elements.is(children.getFirst(), DescriptionTree.WSDL, "documentation");
    into.insertBefore(
        what, documented ? children.getFirst().getNextSibling() : into.getFirstChild());
  }

  private static Element element(byte[] policy) {
    return switch (SafeXml.parse(policy, XmlLimits.ofBytes(1 << 20))) {
      case XmlDocument.Parsed(var parsed) -> parsed.getDocumentElement();
      case XmlDocument.Empty empty -> throw new IllegalStateException("an empty policy in force");
      case XmlDocument.Refused(var kind, String reason) ->
          throw new IllegalStateException("a policy in force: " + reason);
    };
  }
}
