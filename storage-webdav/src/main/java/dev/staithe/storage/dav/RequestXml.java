package dev.staithe.storage.dav;

import dev.staithe.storage.exchange.PropertyName;
import dev.staithe.storage.locks.LockTable;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The XML bodies of requests (RFC 4918 section 14). */
final class RequestXml {
  private static final XmlLimits LIMITS = XmlLimits.ofBytes(64 * 1024);

  /** Of one PROPFIND, or PROPPATCH; clients ask for some twenty. */
  static final int MOST_NAMES = 100;

  private static final int LONGEST_NAMES = 8192;

  private RequestXml() {}

  /** What came of reading a body. */
  sealed interface Read<T> {
    /** It was read. */
    record Good<T>(T value) implements Read<T> {}

    /** 400; one line that is safe to show. */
    record Malformed<T>(String reason) implements Read<T> {}
  }

  /** One instruction of PROPPATCH; {@code element} is null where the property is removed. */
  record Change(PropertyName name, @Nullable String element) {}

  /** What LOCK asks for; {@code owner} is its element as XML that stands alone, or empty. */
  record LockInfo(boolean exclusive, String owner) {}

  static Read<PropfindMethod.Query> propfind(byte[] body) {
    if (body.length == 0) {
      return new Read.Good<>(new PropfindMethod.Query.All(List.of()));
    }
    Element root;
    switch (parse(body, "propfind")) {
      case Read.Malformed<Element> malformed -> {
        return new Read.Malformed<>(malformed.reason());
      }
      case Read.Good<Element> good -> root = good.value();
    }
    Set<PropertyName> include = new LinkedHashSet<>();
    Set<PropertyName> some = new LinkedHashSet<>();
    PropfindMethod.Query query = null;
    for (Element child : children(root)) {
      if (!PropertyName.DAV.equals(child.getNamespaceURI())) {
        continue;
      }
      switch (child.getLocalName()) {
        case "allprop" -> query = new PropfindMethod.Query.All(List.of());
        case "propname" -> query = new PropfindMethod.Query.Names();
        case "prop" -> {
          some.addAll(names(child));
          query = new PropfindMethod.Query.Some(List.of());
        }
        case "include" -> include.addAll(names(child));
        default -> {
          // RFC 4918 section 17: elements that are not known are passed over.
        }
      }
    }
    if (tooMany(include) || tooMany(some)) {
      return new Read.Malformed<>(
          "propfind names more than "
              + MOST_NAMES
              + " properties, or names of more than "
              + LONGEST_NAMES
              + " characters in all");
    }
    return switch (query) {
      case null -> new Read.Malformed<>("propfind has none of allprop, propname and prop");
      case PropfindMethod.Query.All _ ->
          new Read.Good<>(new PropfindMethod.Query.All(List.copyOf(include)));
      case PropfindMethod.Query.Some _ ->
          new Read.Good<>(new PropfindMethod.Query.Some(List.copyOf(some)));
      case PropfindMethod.Query.Names names -> new Read.Good<>(names);
    };
  }

  /** Each name is answered for each member, so that a long list makes a far longer answer. */
  private static boolean tooMany(Set<PropertyName> names) {
    return names.size() > MOST_NAMES
        || names.stream().mapToInt(n -> n.namespace().length() + n.local().length()).sum()
            > LONGEST_NAMES;
  }

  static Read<List<Change>> propertyUpdate(byte[] body) {
    Element root;
    switch (parse(body, "propertyupdate")) {
      case Read.Malformed<Element> malformed -> {
        return new Read.Malformed<>(malformed.reason());
      }
      case Read.Good<Element> good -> root = good.value();
    }
    List<Change> changes = new ArrayList<>();
    for (Element instruction : children(root)) {
      boolean set = isDav(instruction, "set");
      if (!set && !isDav(instruction, "remove")) {
        continue;
      }
      for (Element prop : children(instruction)) {
        if (isDav(prop, "prop")) {
          for (Element property : children(prop)) {
            if (changes.size() == MOST_NAMES) {
              // Each carries whatever the elements around it declare, and is answered by itself.
              return new Read.Malformed<>(
                  "propertyupdate changes more than " + MOST_NAMES + " properties");
            }
            changes.add(new Change(nameOf(property), set ? XmlText.fragment(property) : null));
          }
        }
      }
    }
    return changes.isEmpty()
        ? new Read.Malformed<>("propertyupdate changes nothing")
        : new Read.Good<>(changes);
  }

  static Read<LockInfo> lockInfo(byte[] body) {
    Element root;
    switch (parse(body, "lockinfo")) {
      case Read.Malformed<Element> malformed -> {
        return new Read.Malformed<>(malformed.reason());
      }
      case Read.Good<Element> good -> root = good.value();
    }
    Boolean exclusive = null;
    boolean write = false;
    String owner = "";
    for (Element child : children(root)) {
      if (isDav(child, "lockscope")) {
        for (Element scope : children(child)) {
          if (isDav(scope, "exclusive")) {
            exclusive = Boolean.TRUE;
          } else if (isDav(scope, "shared")) {
            exclusive = Boolean.FALSE;
          }
        }
      } else if (isDav(child, "locktype")) {
        write = children(child).stream().anyMatch(type -> isDav(type, "write"));
      } else if (isDav(child, "owner")) {
        owner = XmlText.fragment(child);
      }
    }
    if (exclusive == null || !write) {
      return new Read.Malformed<>("lockinfo needs a lockscope and the write locktype");
    }
    return new Read.Good<>(new LockInfo(exclusive, owner));
  }

  /** The {@code Timeout} header (RFC 4918 section 10.7): the first wish, within our bounds. */
  static Duration timeout(@Nullable String header) {
    if (header != null) {
      for (String wish : header.split(",")) {
        String text = wish.trim();
        if (text.regionMatches(true, 0, "Second-", 0, 7)
            && text.substring(7).matches("\\d{1,10}")) {
          Duration asked = Duration.ofSeconds(Math.max(1, Long.parseLong(text.substring(7))));
          return asked.compareTo(LockTable.LONGEST) < 0 ? asked : LockTable.LONGEST;
        }
        if (text.equalsIgnoreCase("Infinite")) {
          return LockTable.LONGEST;
        }
      }
    }
    return Duration.ofHours(1);
  }

  private static Read<Element> parse(byte[] body, String rootName) {
    return switch (SafeXml.parse(body, LIMITS)) {
      case XmlDocument.Empty empty -> new Read.Malformed<>("the request has no body");
      case XmlDocument.Refused refused ->
          new Read.Malformed<>("the request body is refused: " + refused.reason());
      case XmlDocument.Parsed parsed -> {
        Element root = parsed.document().getDocumentElement();
        yield isDav(root, rootName)
            ? new Read.Good<>(root)
            : new Read.Malformed<>("the request body is not a DAV: " + rootName + " element");
      }
    };
  }

  private static List<PropertyName> names(Element parent) {
    return children(parent).stream().map(RequestXml::nameOf).toList();
  }

  static PropertyName nameOf(Element element) {
    String namespace = element.getNamespaceURI();
    return new PropertyName(namespace == null ? "" : namespace, element.getLocalName());
  }

  private static boolean isDav(Element element, String local) {
    return PropertyName.DAV.equals(element.getNamespaceURI())
        && local.equals(element.getLocalName());
  }

  private static List<Element> children(Element parent) {
    List<Element> children = new ArrayList<>();
    for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
      if (n instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }
}
