package dev.staithe.perf.scenario;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A form of a page, as far as a user without a browser needs it: where it goes and what it holds.
 *
 * @param action where it goes, perhaps relative
 * @param fields names and values, in their order
 */
record HtmlForm(String action, Map<String, String> fields) {
  private static final Pattern FORM = Pattern.compile("(?is)<form\\b([^>]*)>(.*?)</form>");
  private static final Pattern INPUT = Pattern.compile("(?is)<input\\b([^>]*)>");
  private static final Pattern ATTRIBUTE =
      Pattern.compile("(?is)([a-z-]+)\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");

  /**
   * The first form that has a field of that name.
   *
   * @throws IOException where the page has none
   */
  static HtmlForm with(String field, String page) throws IOException {
    return find(field, page)
        .orElseThrow(
            () ->
                new IOException(
                    "a page without a form for "
                        + field
                        + ": "
                        + page.replaceAll("(?s)<[^>]*>", " ").replaceAll("\\s+", " ").strip()));
  }

  /** The same where there may be none. */
  static Optional<HtmlForm> find(String field, String page) {
    Matcher form = FORM.matcher(page);
    while (form.find()) {
      var fields = new LinkedHashMap<String, String>();
      Matcher input = INPUT.matcher(form.group(2));
      while (input.find()) {
        Map<String, String> attributes = attributes(input.group(1));
        String name = attributes.getOrDefault("name", "");
        if (!name.isEmpty()) {
          fields.put(name, attributes.getOrDefault("value", ""));
        }
      }
      if (fields.containsKey(field)) {
        return Optional.of(
            new HtmlForm(attributes(form.group(1)).getOrDefault("action", ""), fields));
      }
    }
    return Optional.empty();
  }

  private static Map<String, String> attributes(String tag) {
    var attributes = new LinkedHashMap<String, String>();
    Matcher attribute = ATTRIBUTE.matcher(tag);
    while (attribute.find()) {
      String value = attribute.group(2) == null ? attribute.group(3) : attribute.group(2);
      attributes.put(attribute.group(1).toLowerCase(Locale.ROOT), decoded(value));
    }
    return attributes;
  }

  private static final Pattern NUMBERED = Pattern.compile("&#(x?)([0-9a-fA-F]+);");

  /** Without entities. */
  static String decoded(String text) {
    if (text.indexOf('&') < 0) {
      return text;
    }
    return NUMBERED
        .matcher(text)
        .replaceAll(
            entity ->
                Matcher.quoteReplacement(
                    Character.toString(
                        Integer.parseInt(entity.group(2), entity.group(1).isEmpty() ? 10 : 16))))
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
  }

  /** The same with another value in a field. */
  HtmlForm fill(String field, String value) {
    var filled = new LinkedHashMap<>(fields);
    filled.put(field, value);
    return new HtmlForm(action, filled);
  }

  /** As it is sent: {@code application/x-www-form-urlencoded}. */
  byte[] encoded() {
    return fields.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
