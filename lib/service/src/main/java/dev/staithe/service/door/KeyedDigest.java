package dev.staithe.service.door;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Names for secrets by which answers about them are remembered: HMAC-SHA-256 under a key of this
 * process alone, so that a name tells nothing of its secret, not even to who reads our memory
 * later. Thread-safe.
 */
public final class KeyedDigest {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /** Under a new key. */
  public KeyedDigest() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /** The name of these texts in this order, and of no others. */
  public String of(String... texts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (String text : texts) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        mac.update(bytes);
        Arrays.fill(bytes, (byte) 0);
      }
      return HexFormat.of().formatHex(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no HMAC", e);
    }
  }
}
