package dev.staithe.xml;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** Finds the prefixes that an element may mean: in its names, and before any colon in its texts. */
final class PrefixUse {
  private final Set<String> prefixes = new HashSet<>();

  private PrefixUse() {
    prefixes.add("");
  }

  /** The prefixes, the empty one always among them. */
  static Set<String> of(Element element) {
    var mentions = new PrefixUse();
    mentions.visit(element);
    return mentions.prefixes;
  }

  private void visit(Node node) {
    scan(node.getNodeType() == Node.ELEMENT_NODE ? node.getNodeName() : node.getNodeValue());
    NamedNodeMap attributes = node.getAttributes();
    for (int i = 0; attributes != null && i < attributes.getLength(); i++) {
      scan(attributes.item(i).getNodeName());
      scan(attributes.item(i).getNodeValue());
    }
    for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
      visit(child);
    }
  }

  private void scan(@Nullable String text) {
    if (text == null) {
      return;
    }
    for (int colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
      int start = colon;
      while (start > 0 && isNameCharacter(text.charAt(start - 1))) {
        start--;
      }
      prefixes.add(text.substring(start, colon));
    }
  }

  /** Wider than the rule for names: a prefix too many does no harm. */
  private static boolean isNameCharacter(char character) {
    return character > 0x7f
        || Character.isLetterOrDigit(character)
        || character == '_'
        || character == '-'
        || character == '.';
  }
}
