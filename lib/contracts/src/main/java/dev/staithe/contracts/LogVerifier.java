package dev.staithe.contracts;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The public key of a log, in the textual form of C2SP signed notes: {@code NAME+ID+KEY}. Immutable
 * and thread-safe.
 */
public final class LogVerifier {
  static final int KEY_BYTES = 32;
  static final int ID_BYTES = 4;

  /** C2SP signed-note: the type byte of Ed25519. */
  private static final byte ED25519 = 1;

  /** RFC 8410 section 4: what stands before the 32 bytes of an Ed25519 key in its SPKI. */
  private static final byte[] SPKI = HexFormat.of().parseHex("302a300506032b6570032100");

  private final String name;
  private final byte[] raw;
  private final PublicKey key;

  private LogVerifier(String name, byte[] raw, PublicKey key) {
    this.name = name;
    this.raw = raw;
    this.key = key;
  }

  static LogVerifier of(String name, byte[] raw) {
    if (name.isEmpty() || name.contains("+") || name.chars().anyMatch(c -> c <= ' ')) {
      throw new IllegalArgumentException("a log's name has neither spaces nor a plus sign");
    }
    byte[] spki = Arrays.copyOf(SPKI, SPKI.length + KEY_BYTES);
    System.arraycopy(raw, 0, spki, SPKI.length, KEY_BYTES);
    try {
      return new LogVerifier(
          name,
          raw,
          KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(spki)));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("no Ed25519 key", e);
    }
  }

  /**
   * Reads {@code NAME+ID+KEY}.
   *
   * @throws IllegalArgumentException with one line where it is no such key
   */
  public static LogVerifier parse(String text) {
    String[] parts = text.strip().split("\\+", 3);
    if (parts.length == 3) {
      try {
        byte[] typed = Base64.getDecoder().decode(parts[2]);
        if (typed.length == 1 + KEY_BYTES && typed[0] == ED25519) {
          LogVerifier key = of(parts[0], Arrays.copyOfRange(typed, 1, typed.length));
          if (HexFormat.of().formatHex(key.id()).equals(parts[1])) {
            return key;
          }
        }
      } catch (IllegalArgumentException malformed) {
        // Told below.
      }
    }
    throw new IllegalArgumentException("no key of a log: expected NAME+ID+KEY by Ed25519");
  }

  /** The log's name. */
  public String name() {
    return name;
  }

  /** Four bytes that a note's signature begins with. */
  byte[] id() {
    byte[] hash =
        Hash.of((name + "\n").getBytes(StandardCharsets.UTF_8), new byte[] {ED25519}, raw);
    return Arrays.copyOf(hash, ID_BYTES);
  }

  boolean verify(byte[] data, byte[] signature) {
    try {
      Signature verification = Signature.getInstance("Ed25519");
      verification.initVerify(key);
      verification.update(data);
      return verification.verify(signature);
    } catch (GeneralSecurityException unreadable) {
      return false;
    }
  }

  /** {@code NAME+ID+KEY}. */
  @Override
  public String toString() {
    byte[] typed = new byte[1 + KEY_BYTES];
    typed[0] = ED25519;
    System.arraycopy(raw, 0, typed, 1, KEY_BYTES);
    return name
        + "+"
        + HexFormat.of().formatHex(id())
        + "+"
        + Base64.getEncoder().encodeToString(typed);
  }
}
