package dev.staithe.authn.password;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * PBKDF2 with HMAC (RFC 8018 section 5.2) over bytes: the JDK's takes characters, and passwords
 * that are no text exist in imported stores.
 */
final class Pbkdf2 {
  private Pbkdf2() {}

  /**
   * Derives a key.
   *
   * @param mac as {@code HmacSHA512}
   * @param password not empty
   */
  static byte[] derive(String mac, byte[] password, byte[] salt, int iterations, int length) {
    try {
      Mac prf = Mac.getInstance(mac);
      prf.init(new SecretKeySpec(password, mac));
      int width = prf.getMacLength();
      byte[] derived = new byte[length];
      for (int block = 1, done = 0; done < length; block++, done += width) {
        prf.update(salt);
        prf.update(
            new byte[] {
              (byte) (block >>> 24), (byte) (block >>> 16), (byte) (block >>> 8), (byte) block
            });
        byte[] last = prf.doFinal();
        byte[] sum = last.clone();
        for (int i = 1; i < iterations; i++) {
          prf.update(last);
          prf.doFinal(last, 0);
          for (int k = 0; k < width; k++) {
            sum[k] ^= last[k];
          }
        }
        System.arraycopy(sum, 0, derived, done, Math.min(width, length - done));
      }
      return derived;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + mac, e);
    }
  }
}
