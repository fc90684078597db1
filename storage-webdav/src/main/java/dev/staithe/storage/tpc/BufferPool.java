package dev.staithe.storage.tpc;

import java.nio.ByteBuffer;
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
final class BufferPool {
  /** Bytes of each: sixteen TLS records with their overhead, and room for one more. */
  static final int BUFFER_BYTES = 320 * 1024;

  private final Semaphore free;
  private final Deque<ByteBuffer> idle = new ArrayDeque<>();

  /** Makes a pool that never holds more than {@code most} buffers; none is allocated yet. */
  BufferPool(int most) {
    this.free = new Semaphore(most, true);
  }

  /**
   * Takes that many empty buffers.
   *
   * @throws RemoteFailure where none become free within {@code waitMillis}
   */
  List<ByteBuffer> take(int count, long waitMillis) throws RemoteFailure {
    boolean granted;
    try {
      granted = free.tryAcquire(count, waitMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      granted = false;
    }
    if (!granted) {
      throw RemoteFailure.late("no transfer buffer is free, too many connections at once");
    }
    List<ByteBuffer> taken = new ArrayList<>(count);
    synchronized (idle) {
      while (taken.size() < count && !idle.isEmpty()) {
        taken.add(idle.pop().clear());
      }
    }
    while (taken.size() < count) {
      taken.add(ByteBuffer.allocateDirect(BUFFER_BYTES));
    }
    return taken;
  }

  /** Gives buffers back; nothing may touch them afterwards. */
  void give(List<ByteBuffer> buffers) {
    synchronized (idle) {
      buffers.forEach(idle::push);
    }
    free.release(buffers.size());
  }

  /** Buffers that could still be taken. */
  int available() {
    return free.availablePermits();
  }
}
