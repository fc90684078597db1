package dev.staithe.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of direct buffers of one size. Several are taken at once or not at all, so that
 * two connections never wait for each other's second buffer. A party that is named holds half of
 * them at most, and a quarter is for parties that hold none, one buffer for each: however long
 * others keep theirs, who comes new finds one. The others go in the order of their asking, so that
 * who needs several at once is not passed for ever. Safe for use by many threads.
 */
public final class BufferPool {
  private final int bytes;
  private final int most;
  private final int kept;
  private final ReentrantLock lock = new ReentrantLock();

  /** In the order of their asking; none of them may take as things are. */
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  private final Map<String, Integer> held = new HashMap<>();

  /** Parties of whose buffers one is of the quarter for those that hold none. */
  private final Set<String> newcomers = new HashSet<>();

  private final Deque<ByteBuffer> idle = new ArrayDeque<>();
  private int taken;
  private long turns;

  /**
   * Makes a pool; none of its buffers is allocated yet.
   *
   * @param bytes of each; one of a socket with TLS holds a record and the head that began before it
   * @param most buffers in use at once
   * @param kept at most for the next who asks
   */
  public BufferPool(int bytes, int most, int kept) {
    this.bytes = bytes;
    this.most = most;
    this.kept = kept;
  }

  /** Who waits, and since when it need not any more. */
  private static final class Waiter {
    private final @Nullable String party;
    private final int count;
    private final Condition ready;
    private boolean served;

    private Waiter(@Nullable String party, int count, Condition ready) {
      this.party = party;
      this.count = count;
      this.ready = ready;
    }
  }

  /**
   * Takes that many empty buffers.
   *
   * @throws HttpFailure where none become free in that time
   */
  public List<ByteBuffer> take(int count, Duration patience) throws HttpFailure {
    List<ByteBuffer> taken = granted(null, count, patience);
    if (taken == null) {
      throw HttpFailure.broken("no transfer buffer is free, too many connections at once");
    }
    return filledUp(null, taken, count);
  }

  /**
   * Takes that many empty buffers for a party; {@link #give(String, List)} gives them back.
   *
   * @param count at most {@link #mostAtOnce}
   * @param patience while nobody who waits is served: whoever asks gets its turn, if it takes long
   * @throws HttpFailure where none become free for it in that time
   */
  public List<ByteBuffer> take(String party, int count, Duration patience) throws HttpFailure {
    if (count > mostAtOnce()) {
      throw HttpFailure.broken("there are too few buffers for a part of so large a transfer");
    }
    List<ByteBuffer> taken = granted(party, count, patience);
    if (taken == null) {
      throw HttpFailure.broken("no buffer became free that the caller may have beside its others");
    }
    return filledUp(party, taken, count);
  }

  /** Buffers that a party may hold. */
  public int mostAtOnce() {
    return Math.max(1, most / 2);
  }

  /** Those that lay idle, when so many may be taken; null where that is not within the time. */
  private @Nullable List<ByteBuffer> granted(@Nullable String party, int count, Duration patience) {
    lock.lock();
    try {
      boolean first = waiters.stream().noneMatch(this::waitsForRoom);
      if ((party != null || waiters.isEmpty()) && mayTake(party, count, first)) {
        count(party, count, first);
      } else if (!served(new Waiter(party, count, lock.newCondition()), patience)) {
        return null;
      }
      List<ByteBuffer> taken = new ArrayList<>(count);
      while (taken.size() < count && !idle.isEmpty()) {
        taken.add(idle.pop().clear());
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for its turn; whoever gives buffers back counts them. */
  private boolean served(Waiter waiter, Duration patience) {
    waiters.add(waiter);
    long left = patience.toNanos();
    long before = turns;
    try {
      while (!waiter.served && left > 0) {
        left = waiter.ready.awaitNanos(left);
        if (left <= 0 && waiter.party != null && turns > before) {
          before = turns;
          left = patience.toNanos();
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!waiter.served) {
      waiters.remove(waiter);
      serveNext(); // It held up others.
    }
    return waiter.served;
  }

  /** Whether it waits for others, and not for buffers of its own party. */
  private boolean waitsForRoom(Waiter waiter) {
    return waiter.party == null
        || held.getOrDefault(waiter.party, 0) + waiter.count <= mostAtOnce();
  }

  /** Whether there is room for that many that are not of the newcomers' quarter. */
  private boolean hasRoom(int count) {
    return taken - newcomers.size() + count <= most - most / 4;
  }

  /**
   * Whether it may now.
   *
   * @param first whether nobody waits for room before it
   */
  private boolean mayTake(@Nullable String party, int count, boolean first) {
    if (party == null) {
      return taken + count <= most;
    }
    int own = held.getOrDefault(party, 0);
    return own + count <= mostAtOnce() && first && hasRoom(count)
        || own == 0 && count == 1 && newcomers.size() < most / 4;
  }

  private void count(@Nullable String party, int count, boolean first) {
    if (party != null) {
      if (!(first && hasRoom(count))) {
        newcomers.add(party);
      }
      held.merge(party, count, Integer::sum);
    }
    taken += count;
  }

  private List<ByteBuffer> filledUp(@Nullable String party, List<ByteBuffer> taken, int count) {
    try {
      while (taken.size() < count) {
        taken.add(ByteBuffer.allocateDirect(bytes));
      }
      return taken;
    } finally {
      if (taken.size() < count) {
        give(party, count, taken); // There is no memory left.
      }
    }
  }

  /** Gives buffers back; nothing may touch them afterwards. */
  public void give(List<ByteBuffer> buffers) {
    give(null, buffers.size(), buffers);
  }

  /** Gives back what one {@link #take(String, int, Duration)} gave that party. */
  public void give(String party, List<ByteBuffer> buffers) {
    give(party, buffers.size(), buffers);
  }

  private void give(@Nullable String party, int count, List<ByteBuffer> buffers) {
    lock.lock();
    try {
      taken -= count;
      if (party != null) {
        held.computeIfPresent(party, (_, n) -> n > count ? n - count : null);
        newcomers.remove(party);
      }
      buffers.stream().limit(Math.max(0, kept - idle.size())).forEach(idle::push);
      serveNext();
    } finally {
      lock.unlock();
    }
  }

  /** In their order; a party that has enough lets others by. */
  private void serveNext() {
    boolean first = true;
    Iterator<Waiter> next = waiters.iterator();
    while (taken < most && next.hasNext()) {
      Waiter waiter = next.next();
      if (mayTake(waiter.party, waiter.count, first)) {
        count(waiter.party, waiter.count, first);
        waiter.served = true;
        turns++;
        waiter.ready.signal();
        next.remove();
      } else if (waiter.party == null) {
        return;
      } else {
        first &= !waitsForRoom(waiter);
      }
    }
  }

  /** Buffers that could still be taken. */
  public int available() {
    lock.lock();
    try {
      return most - taken;
    } finally {
      lock.unlock();
    }
  }
}
