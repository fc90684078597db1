package dev.staithe.storage.exchange;

import dev.staithe.http.FairShares;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct buffers for file content, of which there is a bounded number. Each is held while one write
 * lasts, so that a reader who falls silent has one and those who read take turns. By {@link
 * FairShares} slow readers stop nobody else. Safe for many threads.
 */
public final class TransferBuffers {
  /** Stays in a core's second-level cache between the read, the checksum and the cipher. */
  static final int SIZE = 256 * 1024;

  /** What a reader holds in bytes of direct memory: a buffer, and the same encrypted below. */
  public static final int HELD = 2 * SIZE + 32 * 1024;

  /** Between two writes of an answer that has begun: as long as others may keep silent. */
  private static final long NEXT_WAIT_MILLIS = 60_000;

  private static final int MOST = 4096;
  private static final int FEWEST = 8;
  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final Logger log = LoggerFactory.getLogger(TransferBuffers.class);

  private final int most;
  private final IntFunction<ByteBuffer> memory;
  private final FairShares places;

  /** Those that were held before; no more than places that are free. */
  private final Deque<ByteBuffer> free = new ConcurrentLinkedDeque<>();

  private long lastLogged = System.nanoTime() - LOG_NANOS;

  /** Makes buffers that take, with what belongs to them, no more than {@code bytes}. */
  public TransferBuffers(long bytes) {
    this(bytes, ByteBuffer::allocateDirect);
  }

  TransferBuffers(long bytes, IntFunction<ByteBuffer> memory) {
    this.memory = memory;
    this.most = Math.clamp(bytes / HELD, FEWEST, MOST);
    this.places = new FairShares(most);
  }

  /** How many there may be. */
  public int most() {
    return most;
  }

  /** Buffers that are held now. */
  public int taken() {
    return places.taken();
  }

  /** Answers that wait for one. */
  public int waiting() {
    return places.waiting();
  }

  /** A buffer in somebody's hands, for one thread. */
  public final class Share implements AutoCloseable {
    private final String party;
    private @Nullable ByteBuffer buffer;

    private Share(String party, ByteBuffer buffer) {
      this.party = party;
      this.buffer = buffer;
    }

    /** The buffer; another one, and empty, after {@link #renew}. */
    public ByteBuffer buffer() {
      if (buffer == null) {
        throw new IllegalStateException("no buffer is held");
      }
      return buffer;
    }

    /**
     * Gives it to who is next, and waits for another.
     *
     * @throws IOException where there is none for a minute
     */
    public void renew() throws IOException {
      if (waiting() == 0) {
        buffer().clear();
        return;
      }
      close();
      buffer = acquire(party, NEXT_WAIT_MILLIS);
      if (buffer == null) {
        throw new IOException("no transfer buffer became free");
      }
    }

    @Override
    public void close() {
      if (buffer != null) {
        give(party, buffer);
        buffer = null;
      }
    }
  }

  /** A buffer for {@code party}; null where none becomes free within {@code waitMillis}. */
  public @Nullable Share take(String party, long waitMillis) throws IOException {
    ByteBuffer buffer = acquire(party, waitMillis);
    return buffer == null ? null : new Share(party, buffer);
  }

  private @Nullable ByteBuffer acquire(String party, long waitMillis) throws IOException {
    try {
      if (!places.take(party, Duration.ofMillis(waitMillis))) {
        tell();
        return null;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    ByteBuffer buffer = free.poll();
    return buffer == null ? made(party) : buffer.clear();
  }

  /** A new one, for which the place is counted; where there is no memory left it is given back. */
  private ByteBuffer made(String party) {
    ByteBuffer made = null;
    try {
      made = memory.apply(SIZE);
      return made;
    } finally {
      if (made == null) {
        give(party, null);
      }
    }
  }

  /** The buffer comes first: whoever gets the place is to find it. */
  private void give(String party, @Nullable ByteBuffer buffer) {
    try {
      if (buffer != null) {
        free.push(buffer);
      }
    } finally {
      places.give(party);
    }
  }

  /** One line a minute: who asks again and again writes no log. */
  private synchronized void tell() {
    long now = System.nanoTime();
    if (now - lastLogged >= LOG_NANOS) {
      lastLogged = now;
      log.warn(
          "{} of {} transfer buffers are held by {} callers or addresses that read slowly; others"
              + " of theirs get 503",
          taken(),
          most,
          places.parties());
    }
  }
}
