package dev.staithe.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Finds heads in what has come, and looks at each byte of them once. For one thread. */
final class HeadReader {
  private static final byte[] BEGINNING = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);

  private final HeadLimits limits;
  private int scanned;

  HeadReader(HeadLimits limits) {
    this.limits = limits;
  }

  /** Forgets what it has looked at. */
  void reset() {
    scanned = 0;
  }

  /**
   * Reads a head from the buffer if it is complete there, and consumes it. What was there before
   * still is, from the buffer's position on.
   *
   * @return the head, or null where more bytes are needed
   * @throws HttpFailure where this is no HTTP/1 head, or none that ends
   */
  @Nullable ResponseHead read(ByteBuffer input) throws HttpFailure {
    int end = end(input);
    if (end < 0) {
      checkBeginning(input);
      if (scanned >= limits.bytes()) {
        throw HttpFailure.malformed(
            "the response's header is longer than " + limits.bytes() + " bytes");
      }
      return null;
    }
    scanned = 0;
    byte[] bytes = new byte[end - input.position()];
    input.get(bytes);
    return ResponseHead.read(new String(bytes, StandardCharsets.ISO_8859_1), limits.fields());
  }

  /** Index after the empty line, or -1. */
  private int end(ByteBuffer input) {
    int start = input.position();
    int limit = Math.min(input.limit(), start + limits.bytes());
    for (int i = start + scanned; i < limit; i++) {
      if (input.get(i) == '\n') {
        int before = i > start && input.get(i - 1) == '\r' ? i - 2 : i - 1;
        if (before >= start && input.get(before) == '\n') {
          return i + 1;
        }
      }
    }
    scanned = limit - start;
    return -1;
  }

  /** Gives up on another protocol at its first bytes instead of waiting for an empty line. */
  private static void checkBeginning(ByteBuffer input) throws HttpFailure {
    for (int i = 0; i < Math.min(BEGINNING.length, input.remaining()); i++) {
      if (input.get(input.position() + i) != BEGINNING[i]) {
        throw ResponseHead.otherProtocol();
      }
    }
  }
}
