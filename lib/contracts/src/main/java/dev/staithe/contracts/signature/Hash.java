package dev.staithe.contracts.signature;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, the one hash of everything here. */
public final class Hash {
  /** Bytes of one. */
  public static final int BYTES = 32;

  private Hash() {}

  /** The hash of all parts in a row. */
  public static byte[] of(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException impossible) {
      // Every Java platform has it (MessageDigest's class comment).
      throw new IllegalStateException(impossible);
    }
  }
}
