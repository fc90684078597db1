package dev.staithe.s3;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Names as requests and signatures have them: RFC 3986's unreserved characters, all else escaped.
 */
final class S3Text {
  private static final String HEX = "0123456789ABCDEF";

  private S3Text() {}

  /**
   * Escapes the bytes in UTF-8.
   *
   * @param slash whether slashes stay as they are, as in keys
   */
  static String escape(String text, boolean slash) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      if (c >= 'a' && c <= 'z'
          || c >= 'A' && c <= 'Z'
          || c >= '0' && c <= '9'
          || c == '-'
          || c == '.'
          || c == '_'
          || c == '~'
          || c == '/' && slash) {
        out.append(c);
      } else {
        out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return out.toString();
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
