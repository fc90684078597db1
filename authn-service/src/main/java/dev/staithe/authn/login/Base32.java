package dev.staithe.authn.login;

/** RFC 4648 section 6, without padding, as authenticator programs want it. */
final class Base32 {
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  private Base32() {}

  static String encode(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    int buffer = 0;
    int bits = 0;
    for (byte octet : bytes) {
      buffer = buffer << 8 | octet & 0xff;
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        text.append(ALPHABET.charAt(buffer >> bits & 31));
      }
    }
    if (bits > 0) {
      text.append(ALPHABET.charAt(buffer << 5 - bits & 31));
    }
    return text.toString();
  }
}
