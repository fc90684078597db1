package dev.staithe.gateway.backend;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A body as it comes. Room is made for bytes that came, by doubling, and never for bytes that are
 * only announced; all of it counts among {@link Bodies}. For one thread.
 */
public final class BodyBuffer {
  /** Bytes of the first room. */
  static final int FIRST = 16 << 10;

  private final Bodies.Share share;
  private final long expected;
  private byte[] bytes = new byte[0];
  private int filled;

  /**
   * Nothing has come.
   *
   * @param share of the exchange, which is not given back here
   * @param expected bytes, as announced, or the most that are taken where nothing is
   */
  public BodyBuffer(Bodies.Share share, long expected) {
    this.share = share;
    this.expected = Math.min(expected, Integer.MAX_VALUE - 64);
  }

  /**
   * Makes room for one byte at least.
   *
   * @return for how many there is
   * @throws Bodies.Full where there is none
   */
  public int room() throws Bodies.Full {
    if (filled == bytes.length) {
      int size = (int) Math.max(filled + 1L, Math.min(expected, Math.max(FIRST, 2L * filled)));
      share.take(size - bytes.length);
      bytes = Arrays.copyOf(bytes, size);
    }
    return bytes.length - filled;
  }

  /** What holds them; there is room from {@link #filled} on. */
  public byte[] bytes() {
    return bytes;
  }

  /** How many came. */
  public int filled() {
    return filled;
  }

  /** Counts bytes that were put into the room. */
  public void put(int more) {
    filled += more;
  }

  /** Adds all that remains in a buffer. */
  public void put(ByteBuffer part) throws Bodies.Full {
    while (part.hasRemaining()) {
      int more = Math.min(part.remaining(), room());
      part.get(bytes, filled, more);
      filled += more;
    }
  }

  /** All that came. */
  public byte[] whole() {
    return filled == bytes.length ? bytes : Arrays.copyOf(bytes, filled);
  }
}
