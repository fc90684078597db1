package dev.staithe.gateway.wss;

import dev.staithe.wss.Refusal;
import dev.staithe.xml.Elements;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.CharacterData;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Finds the prefixes that texts and values of a part may use, as {@code QName}s do, where its
 * exclusive canonical form does not declare them: such a declaration is no part of what is signed,
 * and yet the part means nothing without it. For one thread.
 */
final class Meanings {
  /** Types of these mean the same to everybody, and there is no other of their names. */
  private static final Set<String> COMMON =
      Set.of(
          XMLConstants.W3C_XML_SCHEMA_NS_URI,
          "http://schemas.xmlsoap.org/soap/encoding/",
          "http://www.w3.org/2003/05/soap-encoding");

  /**
   * What an element changed for those within it.
   *
   * @param before what the prefix stood for; null for nothing
   */
  private record Change(Map<String, String> in, String prefix, @Nullable String before) {}

  private final Set<String> inclusive;
  private final boolean strict;
  private final Set<String> found = new LinkedHashSet<>();
  private final Map<String, String> scope;
  private final Map<String, String> pinned = new HashMap<>();
  private final Deque<Change> changes = new ArrayDeque<>();

  private Meanings(Map<String, String> scope, List<String> prefixes, boolean strict) {
    this.scope = scope;
    this.inclusive = Set.copyOf(prefixes);
    this.strict = strict;
  }

  /**
   * The prefixes, {@code #default} for the default namespace.
   *
   * @param prefixes that the canonical form declares although they are not visibly used
   * @param strict whether a type of anything but XML Schema and SOAP's encoding must be pinned down
   * @throws Rejection where it is not, as its meaning could be changed without touching what is
   *     signed
   */
  static Set<String> of(Element part, List<String> prefixes, boolean strict) throws RefusedMessage {
    var meanings = new Meanings(Elements.scope(part), prefixes, strict);
    meanings.scope.forEach(
        (prefix, uri) -> {
          if (meanings.isInclusive(prefix)) {
            meanings.pinned.put(prefix, uri);
          }
        });
    meanings.visit(part);
    return meanings.found;
  }

  private boolean isInclusive(String prefix) {
    return inclusive.contains(prefix.isEmpty() ? "#default" : prefix);
  }

  /** What it changes is taken back: a copy for each element would be as long as all prefixes. */
  private void visit(Element element) throws RefusedMessage {
    int outer = changes.size();
    for (Map.Entry<String, String> each : Elements.declarations(element).entrySet()) {
      change(scope, each.getKey(), each.getValue());
      if (isInclusive(each.getKey())) {
        pin(each.getKey(), each.getValue());
      }
    }
    pin(element.getPrefix(), element.getNamespaceURI());
    List<Attr> attributes = Elements.attributes(element);
    attributes.removeIf(each -> XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(each.getNamespaceURI()));
    for (Attr attribute : attributes) {
      if (attribute.getPrefix() != null) {
        pin(attribute.getPrefix(), attribute.getNamespaceURI());
      }
    }
    for (Attr attribute : attributes) {
      if (XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(attribute.getNamespaceURI())
          && "type".equals(attribute.getLocalName())) {
        type(attribute.getValue().strip());
      } else {
        text(attribute.getValue());
      }
    }
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child) {
        visit(child);
      } else if (node instanceof CharacterData data) {
        text(data.getData());
      }
    }
    while (changes.size() > outer) {
      Change last = changes.pop();
      String before = last.before();
      if (before == null) {
        last.in().remove(last.prefix());
      } else {
        last.in().put(last.prefix(), before);
      }
    }
  }

  private void change(Map<String, String> in, String prefix, String uri) {
    changes.push(new Change(in, prefix, in.put(prefix, uri)));
  }

  private void pin(@Nullable String prefix, @Nullable String uri) {
    String name = prefix == null ? "" : prefix;
    String namespace = uri == null ? "" : uri;
    if (!namespace.equals(pinned.getOrDefault(name, ""))) {
      change(pinned, name, namespace);
    }
  }

  private void type(String value) throws RefusedMessage {
    int colon = value.indexOf(':');
    String prefix = colon < 0 ? "" : value.substring(0, colon);
    String meant = scope.getOrDefault(prefix, "");
    if (meant.equals(pinned.getOrDefault(prefix, ""))) {
      return;
    }
    if (strict && !COMMON.contains(meant)) {
      throw new RefusedMessage(
          Refusal.COVERAGE, "the prefix of a type is not covered by the signature");
    }
    found.add(prefix.isEmpty() ? "#default" : prefix);
  }

  private void text(String text) {
    Elements.prefixes(
        text,
        prefix -> {
          String meant = scope.get(prefix);
          if (meant != null && !meant.isEmpty() && !meant.equals(pinned.get(prefix))) {
            found.add(prefix);
          }
        });
  }
}
