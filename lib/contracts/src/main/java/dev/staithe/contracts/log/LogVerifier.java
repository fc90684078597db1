package dev.staithe.contracts.log;

import dev.staithe.contracts.signature.Hash;
import dev.staithe.pki.keys.Ed25519;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The public key of a log, in the textual form of C2SP signed notes: {@code NAME+ID+KEY}. Immutable
 * and thread-safe.
 */
public final class LogVerifier {
  static final int ID_BYTES = 4;

  /** C2SP signed-note: the type byte of Ed25519. */
  private static final byte ED25519_TYPE = 1;

  private final String name;
  private final byte[] raw;

  private LogVerifier(String name, byte[] raw) {
    this.name = name;
    this.raw = raw;
  }

  static LogVerifier of(String name, byte[] raw) {
    if (name.isEmpty() || name.contains("+") || name.chars().anyMatch(c -> c <= ' ')) {
      throw new IllegalArgumentException("a log's name has neither spaces nor a plus sign");
    }
    if (!Ed25519.isPublicKey(raw)) {
      throw new IllegalArgumentException("no Ed25519 key");
    }
    return new LogVerifier(name, raw);
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
        if (typed.length == 1 + Ed25519.KEY_BYTES && typed[0] == ED25519_TYPE) {
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
  public byte[] id() {
    byte[] hash =
        Hash.of((name + "\n").getBytes(StandardCharsets.UTF_8), new byte[] {ED25519_TYPE}, raw);
    return Arrays.copyOf(hash, ID_BYTES);
  }

  /** Whether the log signed these bytes. */
  public boolean verify(byte[] data, byte[] signature) {
    return Ed25519.verify(raw, data, signature);
  }

  /** The key's own bytes; not to be changed. */
  byte[] raw() {
    return raw;
  }

  /** {@code NAME+ID+KEY}. */
  @Override
  public String toString() {
    byte[] typed = new byte[1 + Ed25519.KEY_BYTES];
    typed[0] = ED25519_TYPE;
    System.arraycopy(raw, 0, typed, 1, Ed25519.KEY_BYTES);
    return name
        + "+"
        + HexFormat.of().formatHex(id())
        + "+"
        + Base64.getEncoder().encodeToString(typed);
  }
}
