package dev.staithe.wss.policy;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Elements;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;

/** Reads {@code sp:SignedParts} and {@code sp:EncryptedParts} (WS-SecurityPolicy 1.2 section 4). */
final class PartsReader {
  private PartsReader() {}

  /** All assertions of that name together. */
  static Parts read(PolicyAssertions all, String local) throws NotUnderstood {
    boolean body = false;
    boolean attachments = false;
    Set<QName> headers = new LinkedHashSet<>();
    for (Assertion assertion : all.all(local)) {
      PolicyAssertions.noAttributes(assertion, null);
      all.of(assertion).end();
      if (assertion.parameters().isEmpty()) {
        // Empty means the body and every header block, which no list of names can say.
        throw new NotUnderstood("sp:" + local + " is empty: the parts must be named");
      }
      for (Element part : assertion.parameters()) {
        QName name = PolicyDocument.name(part);
        if (all.dialect().is(name, "Body")) {
          attributes(part, Set.of());
          body = true;
        } else if (all.dialect().is(name, "Header")) {
          headers.add(header(part));
        } else if (all.dialect().is(name, "Attachments")) {
          attributes(part, Set.of());
          attachments = true;
        } else {
          throw new NotUnderstood(Dialect.name(name) + " in sp:" + local + " is not understood");
        }
        if (part.hasChildNodes() && !part.getTextContent().isBlank()
            || !Elements.children(part).isEmpty()) {
          throw new NotUnderstood(Dialect.name(name) + " in sp:" + local + " is not empty");
        }
      }
    }
    return new Parts(body, List.copyOf(headers), attachments);
  }

  private static QName header(Element part) throws NotUnderstood {
    attributes(part, Set.of("Name", "Namespace"));
    String namespace = part.getAttribute("Namespace");
    String name = part.getAttribute("Name");
    if (namespace.isEmpty() || part.hasAttribute("Name") && name.isEmpty()) {
      throw new NotUnderstood("sp:Header names no namespace, or an empty name");
    }
    if (namespace.equals(Namespaces.WSSE)) {
      throw new NotUnderstood("sp:Header names the security header, which has its own rules");
    }
    if (NotUnderstood.UNPRINTABLE.matcher(namespace + name).find()) {
      throw new NotUnderstood("sp:Header names what cannot be printed");
    }
    return new QName(namespace, name.isEmpty() ? "*" : name);
  }

  private static void attributes(Element part, Set<String> known) throws NotUnderstood {
    NamedNodeMap attributes = part.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      QName name = PolicyDocument.name(attribute);
      boolean declaration = attribute.getNodeName().startsWith("xmlns");
      if (!declaration
          && !(name.getNamespaceURI().isEmpty() && known.contains(name.getLocalPart()))) {
        throw new NotUnderstood(
            "the attribute "
                + Dialect.name(name)
                + " of "
                + Dialect.name(PolicyDocument.name(part))
                + " is not understood");
      }
    }
  }
}
