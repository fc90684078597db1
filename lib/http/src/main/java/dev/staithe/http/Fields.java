package dev.staithe.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Header or trailer fields (RFC 9112 section 5).
 *
 * @param list in the order of the wire
 */
public record Fields(List<HeaderField> list) {
  /** No fields. */
  static final Fields NONE = new Fields(List.of());

  /** RFC 9110 section 5.6.2, beside letters and digits. */
  private static final String SIGNS = "!#$%&'*+-.^_`|~";

  private static final boolean[] TOKEN = new boolean[0x80];

  static {
    for (char c = 0; c < TOKEN.length; c++) {
      TOKEN[c] = Character.isLetterOrDigit(c) || SIGNS.indexOf(c) >= 0;
    }
  }

  /**
   * Reads lines up to the empty one, which is there.
   *
   * @param text in ISO 8859-1
   * @param from where the first line begins
   * @throws HttpFailure where one is no field, or there are more than {@code most}
   */
  static Fields read(String text, int from, int most) throws HttpFailure {
    List<HeaderField> list = new ArrayList<>();
    int line = from;
    for (int end = endOfLine(text, line); end > line; end = endOfLine(text, line)) {
      if (list.size() == most) {
        throw HttpFailure.malformed("the response has more than " + most + " header lines");
      }
      checkText(text, line, end);
      int colon = line;
      while (colon < end && isToken(text.charAt(colon))) {
        colon++;
      }
      // Sections 5.1 and 5.2: nothing between name and colon, and no line goes on in another.
      if (colon == line || colon == end || text.charAt(colon) != ':') {
        throw HttpFailure.malformed("the response has a malformed header line");
      }
      // There is no other white space left than blanks and tabs.
      list.add(
          new HeaderField(text.substring(line, colon), text.substring(colon + 1, end).strip()));
      line = text.indexOf('\n', end) + 1;
    }
    return new Fields(list);
  }

  /** Where a line ends; a single LF may end it (section 2.2). */
  static int endOfLine(String text, int line) {
    int end = text.indexOf('\n', line);
    return end > line && text.charAt(end - 1) == '\r' ? end - 1 : end;
  }

  /** Neither NUL nor a bare CR nor what else two readers take in two ways (RFC 9110 5.5). */
  static void checkText(String text, int from, int to) throws HttpFailure {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < 0x20 && c != '\t' || c == 0x7f) {
        throw HttpFailure.malformed("the response's header has a control character");
      }
    }
  }

  private static boolean isToken(char c) {
    return c < TOKEN.length && TOKEN[c];
  }

  /** The field's first value. */
  public @Nullable String first(String name) {
    for (HeaderField field : list) {
      if (field.name().equalsIgnoreCase(name)) {
        return field.value();
      }
    }
    return null;
  }

  /** All values of the field, joined as RFC 9110 section 5.3 has it. */
  public Optional<String> all(String name) {
    return Optional.ofNullable(joined(name));
  }

  @Nullable String joined(String name) {
    String first = null;
    StringJoiner several = null;
    for (HeaderField field : list) {
      if (field.name().equalsIgnoreCase(name)) {
        if (first == null) {
          first = field.value();
        } else {
          several = several == null ? new StringJoiner(", ").add(first) : several;
          several.add(field.value());
        }
      }
    }
    return several == null ? first : several.toString();
  }
}
