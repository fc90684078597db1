package dev.staithe.authn.seal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Text {@code version.kid.payload.mac}: the payload in base64url, and the HMAC-SHA256 of everything
 * before the last dot. The version alone says how it is made: nothing in the text chooses an
 * algorithm. Safe for many threads.
 */
public final class SealedText {
  private static final int MAC_CHARACTERS = 43;

  private final String head;
  private final byte[] headBytes;
  private final String purpose;
  private final int longest;
  private final TokenKeys keys;

  /**
   * For one purpose.
   *
   * @param version what the text begins with: a letter and a digit
   * @param longest in characters; what is longer is not looked at
   */
  public SealedText(String version, String purpose, int longest, TokenKeys keys) {
    this.head = version + '.';
    this.headBytes = head.getBytes(StandardCharsets.US_ASCII);
    this.purpose = purpose;
    this.longest = longest;
    this.keys = keys;
  }

  /** What a text turned out to be. */
  public sealed interface Opened {
    /** It was sealed with one of the keys for this purpose. */
    record Payload(byte[] bytes) implements Opened {}

    /** It is not to be relied on. */
    enum Refused implements Opened {
      /** Of another form, too long, or not in its one spelling. */
      MALFORMED,
      /** Begins as another version does. */
      OTHER_VERSION,
      /** Names a key that there is not, or not any more. */
      UNKNOWN_KEY,
      /** The MAC is not that of the text. */
      FORGED
    }
  }

  /**
   * Seals.
   *
   * @throws IllegalArgumentException where the text would be too long to be opened
   */
  public String seal(byte[] payload) {
    TokenKeys.Keyed key = keys.ring().minting();
    String text = head + key.kid() + '.' + Base64Url.encode(payload);
    byte[] ascii = text.getBytes(StandardCharsets.ISO_8859_1);
    String sealed = text + '.' + Base64Url.encode(key.macs(purpose).mac(ascii, 0, ascii.length));
    if (sealed.length() > longest) {
      throw new IllegalArgumentException("too long to be sealed");
    }
    return sealed;
  }

  /** Opens, looking at the payload only when the MAC is right. */
  public Opened open(String text) {
    if (text.length() > longest) {
      return Opened.Refused.MALFORMED;
    }
    // What is not Latin-1 becomes '?', which no genuine text contains.
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    if (!startsWithHead(bytes)) {
      return otherVersion(bytes) ? Opened.Refused.OTHER_VERSION : Opened.Refused.MALFORMED;
    }
    int kidFrom = headBytes.length;
    int kidTo = dot(bytes, kidFrom);
    int payloadTo = dot(bytes, kidTo + 1);
    if (kidTo < 0 || payloadTo < 0 || bytes.length - payloadTo - 1 != MAC_CHARACTERS) {
      return Opened.Refused.MALFORMED;
    }
    TokenKeys.Keyed key = keys.ring().find(bytes, kidFrom, kidTo);
    if (key == null) {
      return Opened.Refused.UNKNOWN_KEY;
    }
    // Compared as text: a second spelling of the right MAC is as wrong as another MAC.
    byte[] right = Base64Url.ascii(key.macs(purpose).mac(bytes, 0, payloadTo));
    if (!MessageDigest.isEqual(right, Arrays.copyOfRange(bytes, payloadTo + 1, bytes.length))) {
      return Opened.Refused.FORGED;
    }
    byte[] payload = Base64Url.decode(bytes, kidTo + 1, payloadTo);
    return payload == null ? Opened.Refused.MALFORMED : new Opened.Payload(payload);
  }

  private boolean startsWithHead(byte[] bytes) {
    return bytes.length >= headBytes.length
        && Arrays.equals(bytes, 0, headBytes.length, headBytes, 0, headBytes.length);
  }

  private boolean otherVersion(byte[] bytes) {
    return bytes.length > 2
        && bytes[0] == headBytes[0]
        && bytes[1] >= '0'
        && bytes[1] <= '9'
        && dot(bytes, 1) > 0;
  }

  private static int dot(byte[] bytes, int from) {
    for (int i = Math.max(from, 0); i < bytes.length; i++) {
      if (bytes[i] == '.') {
        return i;
      }
    }
    return -1;
  }
}
