package dev.staithe.storage.dav;

import dev.staithe.storage.exchange.PropertyName;
import dev.staithe.xml.SafeXml;
import dev.staithe.xml.XmlDocument;
import dev.staithe.xml.XmlLimits;
import dev.staithe.xml.XmlText;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * Properties that clients set and the server only keeps (RFC 4918 section 4.2): each name with its
 * element as XML that stands alone. Written as one line of text a property.
 *
 * <p>The owner of a file, and whoever else may write beside it, can put anything there: what is
 * answered was read as XML before, so that it stays within the answer about that file.
 */
final class DeadProperties {
  /** The root also declares what elements around it did, each up to 64 prefixes. */
  private static final XmlLimits LIMITS = new XmlLimits(128 * 1024, 64, 4_200, 1_000, 128 * 1024);

  private final Map<PropertyName, String> elements = new LinkedHashMap<>();

  static DeadProperties read(Optional<String> kept) {
    DeadProperties properties = new DeadProperties();
    kept.orElse("")
        .lines()
        .map(line -> line.split(" ", -1))
        .filter(fields -> fields.length == 3)
        .forEach(properties::take);
    return properties;
  }

  private void take(String[] fields) {
    try {
      set(new PropertyName(decoded(fields[0]), decoded(fields[1])), decoded(fields[2]));
    } catch (IllegalArgumentException notOurs) {
      // Local users write what they like beside their files: no listing ends by it.
    }
  }

  String text() {
    StringBuilder text = new StringBuilder();
    elements.forEach(
        (name, element) ->
            text.append(encoded(name.namespace()))
                .append(' ')
                .append(encoded(name.local()))
                .append(' ')
                .append(encoded(element))
                .append('\n'));
    return text.toString();
  }

  Set<PropertyName> names() {
    return elements.keySet();
  }

  /** The property's element; null where it is not kept, or what is kept is no such element. */
  @Nullable String element(PropertyName name) {
    String kept = elements.get(name);
    if (kept == null || LiveProperty.of(name) != null) {
      return null;
    }
    XmlDocument read = SafeXml.parse(kept.getBytes(StandardCharsets.UTF_8), LIMITS);
    if (!(read instanceof XmlDocument.Parsed parsed)) {
      return null;
    }
    Element root = parsed.document().getDocumentElement();
    return name.equals(RequestXml.nameOf(root)) ? XmlText.fragment(root) : null;
  }

  void set(PropertyName name, String element) {
    elements.put(name, element);
  }

  void remove(PropertyName name) {
    elements.remove(name);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
