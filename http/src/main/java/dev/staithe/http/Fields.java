package dev.staithe.http;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Header or trailer fields in the order of the wire (RFC 9112 section 5). Holds the text that came
 * and where each of them is in it: what nobody asks for costs nothing. Immutable.
 */
public final class Fields {
  /** No fields. */
  public static final Fields NONE = new Fields("", new int[0], 0);

  private static final boolean[] TOKEN = new boolean[128];

  static {
    // RFC 9110 section 5.6.2
    for (char c = '0'; c <= 'z'; c++) {
      TOKEN[c] = Character.isLetterOrDigit(c);
    }
    for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
      TOKEN[c] = true;
    }
  }

  private final String text;

  /** Of each: where the name begins and ends, and the value. */
  private final int[] at;

  private final int count;

  private Fields(String text, int[] at, int count) {
    this.text = text;
    this.at = at;
    this.count = count;
  }

  /**
   * Reads lines up to the empty one, which is there.
   *
   * @param text in ISO 8859-1
   * @param from where the first line begins
   * @throws HttpFailure where one is no field, or there are more than {@code most}
   */
  static Fields read(String text, int from, int most) throws HttpFailure {
    int[] at = new int[4 * 12];
    int count = 0;
    for (int line = from; ; ) {
      int next = text.indexOf('\n', line) + 1;
      int end = endOfLine(text, line, next);
      if (end == line) {
        return count == 0 ? NONE : new Fields(text, at, count);
      }
      if (count == most) {
        throw HttpFailure.malformed("the response has more than " + most + " header lines");
      }
      if (at.length == 4 * count) {
        at = Arrays.copyOf(at, 2 * at.length);
      }
      int colon = line;
      while (colon < end && isToken(text.charAt(colon))) {
        colon++;
      }
      // Sections 5.1 and 5.2: nothing between name and colon, and no line goes on in another.
      if (colon == line || colon == end || text.charAt(colon) != ':') {
        checkText(text, line, end);
        throw HttpFailure.malformed("the response has a malformed header line");
      }
      checkText(text, colon, end);
      int first = colon + 1;
      while (first < end && isBlank(text.charAt(first))) {
        first++;
      }
      while (end > first && isBlank(text.charAt(end - 1))) {
        end--;
      }
      at[4 * count] = line;
      at[4 * count + 1] = colon;
      at[4 * count + 2] = first;
      at[4 * count + 3] = end;
      count++;
      line = next;
    }
  }

  /** Where a line ends that goes up to {@code next}; a single LF may end it (section 2.2). */
  static int endOfLine(String text, int line, int next) {
    int end = next - 1;
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
    return c < 128 && TOKEN[c];
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private boolean is(int field, String name) {
    int from = at[4 * field];
    return at[4 * field + 1] - from == name.length()
        && text.regionMatches(true, from, name, 0, name.length());
  }

  private String value(int field) {
    return text.substring(at[4 * field + 2], at[4 * field + 3]);
  }

  /** The field's first value. */
  public @Nullable String first(String name) {
    for (int i = 0; i < count; i++) {
      if (is(i, name)) {
        return value(i);
      }
    }
    return null;
  }

  /** All values of the field, joined as RFC 9110 section 5.3 has it. */
  public Optional<String> all(String name) {
    StringJoiner joined = null;
    for (int i = 0; i < count; i++) {
      if (is(i, name)) {
        joined = (joined == null ? new StringJoiner(", ") : joined).add(value(i));
      }
    }
    return Optional.ofNullable(joined).map(StringJoiner::toString);
  }

  /** Whether the field is a list in which that member is, in letters of either case. */
  boolean lists(String name, String member) {
    for (int i = 0; i < count; i++) {
      if (is(i, name)) {
        for (String each : value(i).split(",")) {
          if (each.strip().equalsIgnoreCase(member)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** All of them. */
  public List<HeaderField> list() {
    List<HeaderField> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(new HeaderField(text.substring(at[4 * i], at[4 * i + 1]), value(i)));
    }
    return all;
  }
}
