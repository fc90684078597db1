package dev.staithe.service.door;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The token of an {@code Authorization: Bearer} header (RFC 6750 section 2.1). */
public final class BearerToken {
  private static final String SCHEME = "bearer";
  private static final boolean[] TOKEN_68 = new boolean[0x80];

  static {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/="
        .chars()
        .forEach(c -> TOKEN_68[c] = true);
  }

  private BearerToken() {}

  /**
   * The token that a request bears.
   *
   * @param fields all values of its {@code Authorization} headers
   * @return null where there is no header, or one of another scheme; empty, which is nobody's
   *     token, where there are two that differ, or no well-formed token follows
   */
  public static @Nullable String of(List<String> fields) {
    String first = fields.isEmpty() ? "" : fields.getFirst();
    for (String each : fields) {
      if (!each.equals(first)) {
        return "";
      }
    }
    String field = first.strip();
    if (!field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    int at = SCHEME.length();
    while (at < field.length() && field.charAt(at) == ' ') {
      at++;
    }
    String token = field.substring(at);
    return at > SCHEME.length() && isWellFormed(token) ? token : "";
  }

  /**
   * Whether it has the characters of a token68 only; on the way of every request, so no pattern.
   */
  private static boolean isWellFormed(String token) {
    for (int i = 0; i < token.length(); i++) {
      char c = token.charAt(i);
      if (c >= TOKEN_68.length || !TOKEN_68[c]) {
        return false;
      }
    }
    return true;
  }
}
