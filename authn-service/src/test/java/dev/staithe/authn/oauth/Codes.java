package dev.staithe.authn.oauth;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Clock;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An authenticator program (RFC 6238). */
public final class Codes {
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  private Codes() {}

  /** The code that is good now, for a secret in Base32. */
  public static String now(String secret, Clock clock) {
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(decoded(secret), "HmacSHA1"));
      long step = clock.instant().getEpochSecond() / 30;
      byte[] hash = mac.doFinal(ByteBuffer.allocate(8).putLong(step).array());
      int offset = hash[hash.length - 1] & 0xf;
      int number = ByteBuffer.wrap(hash).getInt(offset) & 0x7fffffff;
      return String.format("%06d", number % 1_000_000);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] decoded(String secret) {
    ByteBuffer bytes = ByteBuffer.allocate(secret.length() * 5 / 8);
    int bits = 0;
    int held = 0;
    for (char letter : secret.toCharArray()) {
      held = held << 5 | LETTERS.indexOf(letter);
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.put((byte) (held >> bits));
        held &= (1 << bits) - 1;
      }
    }
    return bytes.array();
  }
}
