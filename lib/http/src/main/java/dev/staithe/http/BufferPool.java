package dev.staithe.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A bounded pool of direct buffers of one size. Several are taken at once or not at all, so that
 * two connections never wait for each other's second buffer. Safe for use by many threads.
 */
public final class BufferPool {
  private final int bytes;
  private final int kept;
  private final Semaphore free;
  private final Deque<ByteBuffer> idle = new ArrayDeque<>();

  /**
   * Makes a pool; none of its buffers is allocated yet.
   *
   * @param bytes of each; one of a socket with TLS holds a record and the head that began before it
   * @param most buffers in use at once
   * @param kept at most for the next who asks
   */
  public BufferPool(int bytes, int most, int kept) {
    this.bytes = bytes;
    this.kept = kept;
    this.free = new Semaphore(most, true);
  }

  /**
   * Takes that many empty buffers.
   *
   * @throws HttpFailure where none become free in that time
   */
  public List<ByteBuffer> take(int count, Duration patience) throws HttpFailure {
    boolean granted;
    try {
      granted = free.tryAcquire(count, patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      granted = false;
    }
    if (!granted) {
      throw HttpFailure.broken("no transfer buffer is free, too many connections at once");
    }
    List<ByteBuffer> taken = new ArrayList<>(count);
    synchronized (idle) {
      while (taken.size() < count && !idle.isEmpty()) {
        taken.add(idle.pop().clear());
      }
    }
    while (taken.size() < count) {
      taken.add(ByteBuffer.allocateDirect(bytes));
    }
    return taken;
  }

  /** Gives buffers back; nothing may touch them afterwards. */
  public void give(List<ByteBuffer> buffers) {
    synchronized (idle) {
      buffers.stream().limit(Math.max(0, kept - idle.size())).forEach(idle::push);
    }
    free.release(buffers.size());
  }

  /** Buffers that could still be taken. */
  public int available() {
    return free.availablePermits();
  }
}
