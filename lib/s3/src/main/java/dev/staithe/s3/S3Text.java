package dev.staithe.s3;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Names as requests and signatures have them: RFC 3986's unreserved characters, all else escaped.
 */
final class S3Text {
  private static final String DATE = "Sun, 00 Nov 0000 00:00:00 GMT";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final String HEX = "0123456789ABCDEF";

  private S3Text() {}

  /**
   * Escapes the bytes in UTF-8.
   *
   * @param slash whether slashes stay as they are, as in keys
   */
  static String escape(String text, boolean slash) {
    if (isPlain(text, slash)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      if (isPlain(c, slash)) {
        out.append(c);
      } else {
        out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return out.toString();
  }

  private static boolean isPlain(String text, boolean slash) {
    for (int i = 0; i < text.length(); i++) {
      if (!isPlain(text.charAt(i), slash)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(char c, boolean slash) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~'
        || c == '/' && slash;
  }

  /**
   * A date of an answer (RFC 9110 section 5.6.7). Each answer has one or two: those that are
   * written as all engines write them are read without a formatter, which takes ten times as long.
   *
   * @throws DateTimeException where it is none
   */
  static Instant date(String text) {
    int month = text.length() == DATE.length() ? MONTHS.indexOf(text.substring(8, 11)) : -1;
    if (month < 0 || month % 3 != 0 || !hasForm(text)) {
      return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    }
    return LocalDateTime.of(
            number(text, 12, 16),
            month / 3 + 1,
            number(text, 5, 7),
            number(text, 17, 19),
            number(text, 20, 22),
            number(text, 23, 25))
        .toInstant(ZoneOffset.UTC);
  }

  /** Whether there are digits and signs where the model has some; any letters will do. */
  private static boolean hasForm(String text) {
    for (int i = 0; i < text.length(); i++) {
      char model = DATE.charAt(i);
      char c = text.charAt(i);
      boolean same =
          model == '0' ? c >= '0' && c <= '9' : model >= 'A' ? Character.isLetter(c) : model == c;
      if (!same) {
        return false;
      }
    }
    return text.endsWith("GMT");
  }

  private static int number(String text, int from, int end) {
    return Integer.parseInt(text, from, end, 10);
  }

  /** Undoes the escaping of a listing, where a blank may be a plus. Null where it is none. */
  static @Nullable String unescape(String text) {
    byte[] in = text.getBytes(StandardCharsets.UTF_8);
    byte[] out = new byte[in.length];
    int n = 0;
    for (int i = 0; i < in.length; i++) {
      if (in[i] == '%') {
        int high = i + 2 < in.length ? Character.digit((char) in[i + 1], 16) : -1;
        int low = i + 2 < in.length ? Character.digit((char) in[i + 2], 16) : -1;
        if (high < 0 || low < 0) {
          return null;
        }
        out[n++] = (byte) (high << 4 | low);
        i += 2;
      } else {
        out[n++] = in[i] == '+' ? (byte) ' ' : in[i];
      }
    }
    return new String(out, 0, n, StandardCharsets.UTF_8);
  }

  /** A query as it is signed and sent: names in order, a value for each. */
  static String query(SortedMap<String, String> parameters) {
    StringBuilder out = new StringBuilder();
    for (Map.Entry<String, String> each : parameters.entrySet()) {
      out.append(out.isEmpty() ? "" : "&")
          .append(escape(each.getKey(), false))
          .append('=')
          .append(escape(each.getValue(), false));
    }
    return out.toString();
  }
}
