package dev.staithe.authn.login;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A password on its way to being checked: wiped when closed, never shown. For one thread at a time;
 * the one who made it closes it.
 */
public final class Secret implements AutoCloseable {
  private final byte[] bytes;
  private boolean closed;

  private Secret(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Takes a copy; the caller wipes the original. */
  public static Secret of(byte[] utf8) {
    return new Secret(utf8.clone());
  }

  /** The UTF-8 form of the characters; the caller wipes the original. */
  public static Secret of(CharSequence characters) {
    ByteBuffer encoded = StandardCharsets.UTF_8.encode(CharBuffer.wrap(characters));
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    Arrays.fill(encoded.array(), (byte) 0);
    return new Secret(bytes);
  }

  /** The bytes themselves, not a copy. */
  byte[] bytes() {
    if (closed) {
      throw new IllegalStateException("this secret is wiped already");
    }
    return bytes;
  }

  /** In bytes. */
  int length() {
    return bytes.length;
  }

  @Override
  public void close() {
    closed = true;
    Arrays.fill(bytes, (byte) 0);
  }

  /** Three asterisks. */
  @Override
  public String toString() {
    return "***";
  }
}
