package dev.staithe.wss.client;

import dev.staithe.xml.CanonicalForm;
import dev.staithe.xml.Elements;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.XMLConstants;
import org.w3c.dom.Attr;
import org.w3c.dom.CharacterData;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The prefixes that values and texts may mean something by, as {@code xsi:type} and every other
 * {@code QName} does. Exclusive canonical form declares them, and a signature covers them, only
 * where it names them (InclusiveNamespaces); one too many does no harm. For one thread.
 */
final class ContentPrefixes {
  private final Set<String> found = new TreeSet<>();

  private ContentPrefixes() {}

  /** Those within an element, {@link CanonicalForm#DEFAULT} for the default namespace. */
  static Set<String> of(Element element) {
    var prefixes = new ContentPrefixes();
    prefixes.visit(element, Elements.scope(element.getParentNode()));
    return prefixes.found;
  }

  /** The map is copied only where something changes: most elements declare nothing. */
  private void visit(Element element, Map<String, String> around) {
    Map<String, String> declared = Elements.declarations(element);
    Map<String, String> scope = around;
    if (!declared.isEmpty()) {
      scope = new HashMap<>(around);
      scope.putAll(declared);
    }
    for (Attr each : Elements.attributes(element)) {
      if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(each.getNamespaceURI())) {
        continue;
      }
      String value = each.getValue();
      if (isType(each) && value.indexOf(':') < 0 && !scope.getOrDefault("", "").isEmpty()) {
        found.add(CanonicalForm.DEFAULT);
      }
      text(value, scope);
    }
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        visit(child, scope);
      } else if (node instanceof CharacterData data) {
        text(data.getData(), scope);
      }
    }
  }

  private static boolean isType(Attr attribute) {
    return XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(attribute.getNamespaceURI())
        && "type".equals(attribute.getLocalName());
  }

  private void text(String text, Map<String, String> scope) {
    Elements.prefixes(
        text,
        prefix -> {
          if (!prefix.equals(XMLConstants.XML_NS_PREFIX) && scope.containsKey(prefix)) {
            found.add(prefix);
          }
        });
  }
}
