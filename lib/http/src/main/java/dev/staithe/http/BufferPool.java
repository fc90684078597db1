package dev.staithe.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A bounded pool of direct buffers of one size. Several are taken at once or not at all, so that
 * two connections never wait for each other's second buffer. One party that is named has half of
 * them at most, so that others find some, however long it keeps its own. Safe for use by many
 * threads.
 */
public final class BufferPool {
  private static final int LEAST_OF_ONE = 4;

  private final int bytes;
  private final int kept;
  private final Semaphore free;
  private final int mostOfOne;
  private final Map<String, Party> parties = new HashMap<>(); // guarded by itself
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
    this.mostOfOne = Math.max(most / 2, Math.min(most, LEAST_OF_ONE));
  }

  /** What one party may still take, for as long as anybody asks or holds for it. */
  private static final class Party {
    private final Semaphore free;
    private int interested;

    private Party(int most) {
      this.free = new Semaphore(most, true);
    }
  }

  /**
   * Takes that many empty buffers.
   *
   * @throws HttpFailure where none become free in that time
   */
  public List<ByteBuffer> take(int count, Duration patience) throws HttpFailure {
    if (!granted(free, count, patience)) {
      throw HttpFailure.broken("no transfer buffer is free, too many connections at once");
    }
    return taken(count);
  }

  /**
   * Takes that many empty buffers for a party; {@link #give(String, List)} gives them back.
   *
   * @param count half of the pool at most, or four
   * @throws HttpFailure where none become free for it in that time
   */
  public List<ByteBuffer> take(String party, int count, Duration patience) throws HttpFailure {
    long begun = System.nanoTime();
    Semaphore own = interested(party);
    if (!granted(own, count, patience)) {
      lostInterest(party);
      throw HttpFailure.broken("the caller's other transfers hold all buffers that it may have");
    }
    try {
      return take(count, patience.minusNanos(System.nanoTime() - begun));
    } catch (HttpFailure none) {
      own.release(count);
      lostInterest(party);
      throw none;
    }
  }

  private Semaphore interested(String party) {
    synchronized (parties) {
      Party one = parties.computeIfAbsent(party, _ -> new Party(mostOfOne));
      one.interested++;
      return one.free;
    }
  }

  private void lostInterest(String party) {
    synchronized (parties) {
      parties.computeIfPresent(party, (_, one) -> --one.interested == 0 ? null : one);
    }
  }

  private static boolean granted(Semaphore free, int count, Duration patience) {
    try {
      return free.tryAcquire(count, patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private List<ByteBuffer> taken(int count) {
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

  /** Gives back what one {@link #take(String, int, Duration)} gave that party. */
  public void give(String party, List<ByteBuffer> buffers) {
    give(buffers);
    synchronized (parties) {
      parties.computeIfPresent(
          party,
          (_, one) -> {
            one.free.release(buffers.size());
            return --one.interested == 0 ? null : one;
          });
    }
  }

  /** Buffers that could still be taken. */
  public int available() {
    return free.availablePermits();
  }
}
