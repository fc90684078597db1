package dev.staithe.storage.dav;

import dev.staithe.storage.exchange.PropertyName;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Properties that clients set and the server only keeps (RFC 4918 section 4.2): each name with its
 * element as XML that stands alone. Written as one line of text a property.
 */
final class DeadProperties {
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

  Map<PropertyName, String> elements() {
    return elements;
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
