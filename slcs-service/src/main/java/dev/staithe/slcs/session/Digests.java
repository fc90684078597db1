package dev.staithe.slcs.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Unguessable texts and the digests by which they are kept. Thread-safe. */
public final class Digests {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

  private Digests() {}

  /** 256 bits in base64url: 43 characters. */
  public static String random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return TEXT.encodeToString(bytes);
  }

  /** SHA-256 of that text in base64url: 43 characters. */
  public static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** SHA-256 in base64url: 43 characters. */
  public static String of(byte[] bytes) {
    try {
      return TEXT.encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}
