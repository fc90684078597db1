package dev.staithe.authn.login;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Time-based one-time passwords (RFC 6238) with SHA-1, six digits and 30 s: what every
 * authenticator program can do.
 */
final class Totp {
  static final int DIGITS = 6;
  static final int STEP_SECONDS = 30;
  static final int SECRET_BYTES = 20;

  /** Clocks of phones may be a step off (RFC 6238 section 6). */
  private static final int WINDOW = 1;

  private Totp() {}

  static long step(long epochSeconds) {
    return Math.floorDiv(epochSeconds, (long) STEP_SECONDS);
  }

  /** The code of a step (RFC 4226 section 5.3). */
  static String code(byte[] secret, long step, int digits) {
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(secret, "HmacSHA1"));
      byte[] hash = mac.doFinal(ByteBuffer.allocate(8).putLong(step).array());
      int offset = hash[hash.length - 1] & 0xf;
      int number = ByteBuffer.wrap(hash).getInt(offset) & 0x7fffffff;
      int modulus = 1;
      for (int i = 0; i < digits; i++) {
        modulus *= 10;
      }
      return String.format("%0" + digits + "d", number % modulus);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA1", e);
    }
  }

  /** The newest step near now whose code it is. */
  static OptionalLong match(byte[] secret, String code, long now) {
    OptionalLong found = OptionalLong.empty();
    byte[] given = code.getBytes(StandardCharsets.UTF_8);
    for (long step = now - WINDOW; step <= now + WINDOW; step++) {
      byte[] right = code(secret, step, DIGITS).getBytes(StandardCharsets.US_ASCII);
      if (MessageDigest.isEqual(right, given)) {
        found = OptionalLong.of(step);
      }
    }
    return found;
  }
}
