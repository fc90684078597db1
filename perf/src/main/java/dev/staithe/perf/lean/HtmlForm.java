package dev.staithe.perf.lean;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.FormElement;

/**
 * A form of a page, as far as a user without a browser needs it: where it goes and what it holds.
 *
 * @param action where it goes, perhaps relative
 * @param fields names and values, in their order
 */
public record HtmlForm(String action, Map<String, String> fields) {
  /**
   * The first form that has a field of that name.
   *
   * @throws IOException where the page has none
   */
  public static HtmlForm with(String field, String page) throws IOException {
    return find(field, page)
        .orElseThrow(
            () ->
                new IOException(
                    "a page without a form for " + field + ": " + Jsoup.parse(page).text()));
  }

  /** The same where there may be none. */
  public static Optional<HtmlForm> find(String field, String page) {
    for (FormElement form : Jsoup.parse(page).forms()) {
      var fields = new LinkedHashMap<String, String>();
      for (Element input : form.elements().select("input[name~=.]")) {
        fields.put(input.attr("name"), input.val());
      }
      if (fields.containsKey(field)) {
        return Optional.of(new HtmlForm(form.attr("action"), fields));
      }
    }
    return Optional.empty();
  }

  /** The same with another value in a field. */
  public HtmlForm fill(String field, String value) {
    var filled = new LinkedHashMap<>(fields);
    filled.put(field, value);
    return new HtmlForm(action, filled);
  }

  /** As it is sent: {@code application/x-www-form-urlencoded}. */
  public byte[] encoded() {
    return fields.entrySet().stream()
        .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
