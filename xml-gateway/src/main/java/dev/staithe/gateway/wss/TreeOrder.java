package dev.staithe.gateway.wss;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.Elements;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * The order of a security header that a policy prescribes (WS-SecurityPolicy 1.3 section 6.7), of
 * what can be read in it as it came: what is encrypted in it is not looked into. What a name leads
 * to elsewhere, or to nothing, is judged where it is looked for.
 */
final class TreeOrder {
  private final List<Element> children;
  private final Identifiers identifiers;

  private TreeOrder(List<Element> children, Identifiers identifiers) {
    this.children = children;
    this.identifiers = identifiers;
  }

  /** Whether a header keeps it. */
  static boolean isKept(
      EndpointPolicy.Layout layout, SecurityHeader header, Identifiers identifiers) {
    Element timestamp = header.timestamp();
    List<Element> children = Elements.children(header.element());
    return switch (layout) {
      case LAX -> true;
      case STRICT -> new TreeOrder(children, identifiers).isStrict();
      case LAX_TIMESTAMP_FIRST -> timestamp == null || children.getFirst() == timestamp;
      case LAX_TIMESTAMP_LAST -> timestamp == null || children.getLast() == timestamp;
    };
  }

  /** Tokens stand before what uses them, and what is signed before its signature. */
  private boolean isStrict() {
    for (int i = 0; i < children.size(); i++) {
      if (refersBehind(children.get(i), i) || listsBeforeKey(children.get(i), i)) {
        return false;
      }
    }
    return true;
  }

  private boolean refersBehind(Element element, int at) {
    if (Elements.is(element, Namespaces.WSSE, "Reference")
        || Elements.is(element, Namespaces.DS, "Reference")) {
      return isBehind(named(element), at);
    }
    for (Element child : Elements.children(element)) {
      if (refersBehind(child, at)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a list stands before the key of what it is for; the data itself stands where it was.
   * Only such lists as are read are looked at, whose data is limited and each in one of them, and
   * nothing that data lists in turn: that may lead back, or on in ever more ways.
   */
  private boolean listsBeforeKey(Element child, int at) {
    Element list =
        Elements.is(child, Namespaces.XENC, "EncryptedKey")
            ? Elements.child(child, Namespaces.XENC, "ReferenceList")
            : child;
    if (list == null || !Elements.is(list, Namespaces.XENC, "ReferenceList")) {
      return false;
    }
    for (Element each : Elements.children(list)) {
      Element data = named(each);
      Element key = data == null ? null : keyOf(data);
      if (key != null && refersBehind(key, at)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Element named(Element reference) {
    return identifiers.find(Elements.attribute(reference, "URI"));
  }

  /** Also of data that stands for a header block. */
  private static @Nullable Element keyOf(Element data) {
    Element encrypted = data;
    if (Elements.is(data, Namespaces.WSSE11, "EncryptedHeader")) {
      encrypted = Elements.child(data, Namespaces.XENC, "EncryptedData");
    }
    return encrypted == null ? null : Elements.child(encrypted, Namespaces.DS, "KeyInfo");
  }

  private boolean isBehind(@Nullable Element target, int at) {
    return children.indexOf(target) > at;
  }
}
