package dev.staithe.authn.seal;

import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Base64url without padding (RFC 4648 section 5), read strictly: the platform's decoder ignores
 * bits of the last character, so that several texts would mean the same bytes.
 */
final class Base64Url {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final byte[] VALUES = new byte[256];

  static {
    Arrays.fill(VALUES, (byte) -1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int i = 0; i < alphabet.length(); i++) {
      VALUES[alphabet.charAt(i)] = (byte) i;
    }
  }

  private Base64Url() {}

  static String encode(byte[] bytes) {
    return ENCODER.encodeToString(bytes);
  }

  /** As ASCII. */
  static byte[] ascii(byte[] bytes) {
    return ENCODER.encode(bytes);
  }

  /** The bytes whose one spelling stands there; null where it is none. */
  static byte @Nullable [] decode(byte[] text, int from, int to) {
    int length = to - from;
    if (length % 4 == 1) {
      return null;
    }
    byte[] bytes = new byte[length * 6 / 8];
    int bits = 0;
    int pending = 0;
    int at = 0;
    for (int i = from; i < to; i++) {
      int value = VALUES[text[i] & 0xff];
      if (value < 0) {
        return null;
      }
      pending = pending << 6 | value;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        bytes[at++] = (byte) (pending >> bits);
        pending &= (1 << bits) - 1;
      }
    }
    return pending == 0 ? bytes : null;
  }
}
