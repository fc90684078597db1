package dev.staithe.storage.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct buffers for file content, of which there is a bounded number. Each is held while one write
 * lasts, so that a reader who falls silent has one and those who read take turns. One party holds
 * half of them at most, and the last quarter is for parties that hold none: slow readers stop
 * nobody else. Safe for many threads.
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
  private final ReentrantLock lock = new ReentrantLock();

  /** In the order of their asking; none of them may take a buffer as things are. */
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  private final Deque<ByteBuffer> free = new ArrayDeque<>();
  private final Map<String, Integer> held = new HashMap<>();
  private int taken;
  private long lastLogged = System.nanoTime() - LOG_NANOS;

  /** Makes buffers that take, with what belongs to them, no more than {@code bytes}. */
  public TransferBuffers(long bytes) {
    this(bytes, ByteBuffer::allocateDirect);
  }

  TransferBuffers(long bytes, IntFunction<ByteBuffer> memory) {
    this.memory = memory;
    this.most = Math.clamp(bytes / HELD, FEWEST, MOST);
  }

  /** How many there may be. */
  public int most() {
    return most;
  }

  /** Buffers that are held now. */
  public int taken() {
    lock.lock();
    try {
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Answers that wait for one. */
  public int waiting() {
    lock.lock();
    try {
      return waiters.size();
    } finally {
      lock.unlock();
    }
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
      lock.lock();
      try {
        if (waiters.isEmpty()) {
          buffer().clear();
          return;
        }
      } finally {
        lock.unlock();
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

  private static final class Waiter {
    private final String party;
    private final Condition ready;
    private boolean served;

    Waiter(String party, Condition ready) {
      this.party = party;
      this.ready = ready;
    }
  }

  private @Nullable ByteBuffer acquire(String party, long waitMillis) throws IOException {
    lock.lock();
    try {
      if (mayTake(party)) {
        count(party);
      } else if (!served(party, waitMillis)) {
        tell();
        return null;
      }
      ByteBuffer buffer = free.poll();
      return buffer == null ? made(party) : buffer.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for its turn; whoever gives a buffer back counts it. */
  private boolean served(String party, long waitMillis) throws IOException {
    Waiter waiter = new Waiter(party, lock.newCondition());
    waiters.add(waiter);
    long left = TimeUnit.MILLISECONDS.toNanos(waitMillis);
    try {
      while (!waiter.served && left > 0) {
        left = waiter.ready.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      if (!waiter.served) {
        throw new IOException("interrupted", e);
      }
    } finally {
      if (!waiter.served) {
        waiters.remove(waiter);
      }
    }
    return waiter.served;
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

  private void count(String party) {
    taken++;
    held.merge(party, 1, Integer::sum);
  }

  private boolean mayTake(String party) {
    int own = held.getOrDefault(party, 0);
    return own < Math.max(1, most / 2) && taken < (own == 0 ? most : most - most / 4);
  }

  private void give(String party, @Nullable ByteBuffer buffer) {
    lock.lock();
    try {
      taken--;
      held.computeIfPresent(party, (_, n) -> n == 1 ? null : n - 1);
      if (buffer != null) {
        free.push(buffer);
      }
      Iterator<Waiter> next = waiters.iterator();
      while (taken < most && next.hasNext()) {
        Waiter waiter = next.next();
        if (mayTake(waiter.party)) {
          count(waiter.party);
          waiter.served = true;
          waiter.ready.signal();
          next.remove();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** One line a minute: who asks again and again writes no log. */
  private void tell() {
    long now = System.nanoTime();
    if (now - lastLogged >= LOG_NANOS) {
      lastLogged = now;
      log.warn(
          "{} of {} transfer buffers are held by {} callers or addresses that read slowly; others"
              + " of theirs get 503",
          taken,
          most,
          held.size());
    }
  }
}
