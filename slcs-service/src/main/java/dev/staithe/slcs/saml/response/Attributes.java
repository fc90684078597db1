package dev.staithe.slcs.saml.response;

import dev.staithe.slcs.saml.metadata.AttributeNames;
import dev.staithe.slcs.saml.metadata.Provider;
import dev.staithe.slcs.saml.metadata.ScopeRule;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import dev.staithe.slcs.session.Identifier;
import dev.staithe.slcs.session.PrincipalName;
import dev.staithe.slcs.session.ScopedId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensaml.core.xml.XMLObject;
import org.opensaml.saml.saml2.core.Assertion;
import org.opensaml.saml.saml2.core.Attribute;
import org.opensaml.saml.saml2.core.AttributeStatement;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Reads the attributes of an assertion that was found good, and holds them against the scopes. */
sealed interface Attributes {
  /** All are as they must be. */
  record Read(String principalName, Map<String, List<String>> values) implements Attributes {}

  /** They are not. */
  record Refused(Refusal refusal) implements Attributes {}

  /** Reads them. */
  static Attributes of(Assertion assertion, Provider provider) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (AttributeStatement statement : assertion.getAttributeStatements()) {
      for (Attribute attribute : statement.getAttributes()) {
        String given = attribute.getName();
        if (given == null || given.isBlank()) {
          continue;
        }
        String name = AttributeNames.canonical(given, attribute.getFriendlyName());
        for (XMLObject value : attribute.getAttributeValues()) {
          String text = text(value.getDOM());
          if (text == null) {
            return wrong(Reason.MALFORMED, name + " has a value that is no text");
          }
          if (!text.isEmpty() || AttributeNames.SCOPED.contains(name)) {
            values.computeIfAbsent(name, each -> new ArrayList<>()).add(text);
          }
        }
      }
    }
    Refused wrong = identified(values);
    if (wrong != null) {
      return wrong;
    }
    for (String name : AttributeNames.SCOPED) {
      for (String value : values.getOrDefault(name, List.of())) {
        int at = value.indexOf('@');
        if (at < 1 || at != value.lastIndexOf('@') || at == value.length() - 1) {
          return wrong(Reason.ASSERTION, name + " is " + quoted(List.of(value)));
        }
        if (!provider.maySpeakFor(value.substring(at + 1))) {
          return wrong(
              Reason.SCOPE,
              name
                  + " is "
                  + quoted(List.of(value))
                  + ", and the provider may speak for "
                  + provider.scopes().stream().map(ScopeRule::text).toList());
        }
      }
    }
    return new Read(principalName(values), values);
  }

  /**
   * Looks at what names the person, and writes it as it is compared; what is wrong with it, or
   * null. One of each kind: which of two is the person's, nobody could say.
   */
  private static @Nullable Refused identified(Map<String, List<String>> values) {
    boolean named = false;
    for (Identifier.Kind kind : Identifier.Kind.values()) {
      String name = kind.attribute();
      List<String> told = values.getOrDefault(name, List.of());
      if (told.isEmpty()) {
        continue;
      }
      Optional<String> read =
          kind == Identifier.Kind.PRINCIPAL_NAME
              ? PrincipalName.only(told).map(each -> each.withLowerCaseScope().toString())
              : Optional.of(told)
                  .filter(each -> each.size() == 1)
                  .flatMap(each -> ScopedId.of(each.getFirst()))
                  .map(ScopedId::toString);
      if (read.isEmpty()) {
        return wrong(Reason.PRINCIPAL_NAME, name + " is " + quoted(told));
      }
      values.put(name, List.of(read.get()));
      named = true;
    }
    return named
        ? null
        : wrong(
            Reason.PRINCIPAL_NAME,
            "neither of "
                + Arrays.stream(Identifier.Kind.values()).map(Identifier.Kind::attribute).toList()
                + " is told");
  }

  /** What people know themselves by. */
  private static String principalName(Map<String, List<String>> values) {
    return Stream.concat(
            Stream.of(Identifier.Kind.PRINCIPAL_NAME), Arrays.stream(Identifier.Kind.values()))
        .flatMap(kind -> values.getOrDefault(kind.attribute(), List.of()).stream())
        .findFirst()
        .orElseThrow();
  }

  /**
   * The text of a value, elements inside included, as eduPersonTargetedID has one; null where it
   * holds what is neither.
   */
  private static @Nullable String text(@Nullable Element value) {
    if (value == null) {
      return null;
    }
    var text = new StringBuilder();
    for (Node child = value.getFirstChild(); child != null; child = child.getNextSibling()) {
      switch (child.getNodeType()) {
        case Node.TEXT_NODE, Node.CDATA_SECTION_NODE -> text.append(child.getNodeValue());
        case Node.ELEMENT_NODE -> {
          String inner = text((Element) child);
          if (inner == null) {
            return null;
          }
          text.append(inner);
        }
        default -> {
          // A comment in what was encrypted.
          return null;
        }
      }
    }
    return text.toString().strip();
  }

  /** Control characters would begin lines of their own in the log. */
  private static String quoted(List<String> values) {
    return values.stream()
        .map(value -> value.length() > 100 ? value.substring(0, 100) + "..." : value)
        .map(value -> value.replaceAll("\\p{Cntrl}", "?"))
        .toList()
        .toString();
  }

  private static Refused wrong(Reason reason, String detail) {
    return new Refused(new Refusal(reason, detail));
  }
}
