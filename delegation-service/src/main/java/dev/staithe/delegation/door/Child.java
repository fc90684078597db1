package dev.staithe.delegation.door;

import dev.staithe.xml.Elements;
import dev.staithe.xml.Soap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Reads what an operation was given. Children are found by their local names alone: descriptions
 * say that they have no namespace, and clients give them one.
 */
final class Child {
  private Child() {}

  /**
   * The text of a child.
   *
   * @return empty where there is none, or {@code xsi:nil}; null where it is told twice or holds
   *     elements, which nobody means
   */
  static @Nullable String text(Element parent, String localName) {
    List<Element> found =
        Elements.children(parent).stream()
            .filter(child -> localName.equals(child.getLocalName()))
            .toList();
    return switch (found.size()) {
      case 0 -> "";
      case 1 -> Soap.text(found.getFirst()).orElse(null);
      default -> null;
    };
  }
}
