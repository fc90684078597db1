package dev.staithe.slcs.saml;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The digest of a document's root in its exclusive canonical form without comments (Exclusive XML
 * Canonicalization 1.0), taken while the document passes by. Libraries want all of it in memory, or
 * bring a second way of reading XML along. Not thread-safe.
 */
final class ExclusiveDigest {
  private static final int CHUNK = 32 * 1024;

  private final MessageDigest digest;
  private final Set<String> inclusive;
  private final Deque<Map<String, String>> inScope = new ArrayDeque<>();
  private final Deque<Map<String, String>> rendered = new ArrayDeque<>();
  private final StringBuilder out = new StringBuilder();

  private record Attribute(String namespace, String name, String qualified, String value) {}

  /**
   * @param inclusive the prefixes of {@code InclusiveNamespaces} (section 2.1), {@code ""} for
   *     {@code #default}
   */
  ExclusiveDigest(MessageDigest digest, Set<String> inclusive) {
    this.digest = digest;
    this.inclusive = inclusive;
    inScope.push(Map.of());
    rendered.push(Map.of());
  }

  /** Takes the event that the reader is at. */
  void take(XMLStreamReader xml, int event) {
    switch (event) {
      case XMLStreamConstants.START_ELEMENT -> start(xml);
      case XMLStreamConstants.END_ELEMENT -> {
        inScope.pop();
        rendered.pop();
        out.append("</").append(qualified(xml.getPrefix(), xml.getLocalName())).append('>');
      }
      case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
        // Around the root there is none that counts.
        if (inScope.size() > 1) {
          text(xml.getText());
        }
      }
      case XMLStreamConstants.PROCESSING_INSTRUCTION -> {
        if (inScope.size() > 1) {
          String data = xml.getPIData();
          out.append("<?").append(xml.getPITarget());
          if (data != null && !data.isEmpty()) {
            out.append(' ').append(data);
          }
          out.append("?>");
        }
      }
      default -> {
        // Comments are left out.
      }
    }
    // A chunk must not end in the middle of a character of two.
    if (out.length() > CHUNK && !Character.isHighSurrogate(out.charAt(out.length() - 1))) {
      flush();
    }
  }

  byte[] value() {
    flush();
    return digest.digest();
  }

  private void flush() {
    digest.update(out.toString().getBytes(StandardCharsets.UTF_8));
    out.setLength(0);
  }

  private void start(XMLStreamReader xml) {
    Map<String, String> scope = inScope.getFirst();
    if (xml.getNamespaceCount() > 0) {
      scope = new HashMap<>(scope);
      for (int i = 0; i < xml.getNamespaceCount(); i++) {
        scope.put(orEmpty(xml.getNamespacePrefix(i)), orEmpty(xml.getNamespaceURI(i)));
      }
    }
    inScope.push(scope);

    // Sorted by prefix, the default namespace first (Canonical XML 1.0 section 2.2).
    Map<String, String> wanted = new TreeMap<>();
    wanted.put(orEmpty(xml.getPrefix()), orEmpty(xml.getNamespaceURI()));
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      String prefix = orEmpty(xml.getAttributePrefix(i));
      String namespace = orEmpty(xml.getAttributeNamespace(i));
      if (!prefix.isEmpty()) {
        wanted.put(prefix, namespace);
      }
      attributes.add(
          new Attribute(
              namespace,
              xml.getAttributeLocalName(i),
              qualified(prefix, xml.getAttributeLocalName(i)),
              xml.getAttributeValue(i)));
    }
    for (String prefix : inclusive) {
      String uri = scope.get(prefix);
      if (uri != null) {
        wanted.put(prefix, uri);
      }
    }
    wanted.remove("xml");

    Map<String, String> shown = rendered.getFirst();
    Map<String, String> now = shown;
    out.append('<').append(qualified(xml.getPrefix(), xml.getLocalName()));
    for (Map.Entry<String, String> each : wanted.entrySet()) {
      // No default namespace goes without saying where none was said.
      String before = shown.getOrDefault(each.getKey(), each.getKey().isEmpty() ? "" : null);
      if (each.getValue().equals(before)) {
        continue;
      }
      if (now == shown) {
        now = new HashMap<>(shown);
      }
      now.put(each.getKey(), each.getValue());
      out.append(each.getKey().isEmpty() ? " xmlns" : " xmlns:" + each.getKey());
      value(each.getValue());
    }
    rendered.push(now);
    attributes.sort(Comparator.comparing(Attribute::namespace).thenComparing(Attribute::name));
    for (Attribute attribute : attributes) {
      out.append(' ').append(attribute.qualified());
      value(attribute.value());
    }
    out.append('>');
  }

  private void value(String value) {
    out.append("=\"");
    for (int i = 0; i < value.length(); i++) {
      char character = value.charAt(i);
      switch (character) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '"' -> out.append("&quot;");
        case '\t' -> out.append("&#x9;");
        case '\n' -> out.append("&#xA;");
        case '\r' -> out.append("&#xD;");
        default -> out.append(character);
      }
    }
    out.append('"');
  }

  private void text(String text) {
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      switch (character) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '\r' -> out.append("&#xD;");
        default -> out.append(character);
      }
    }
  }

  private static String qualified(@Nullable String prefix, String name) {
    return prefix == null || prefix.isEmpty() ? name : prefix + ":" + name;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
