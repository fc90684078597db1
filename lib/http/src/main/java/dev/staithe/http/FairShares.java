package dev.staithe.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Places of which there is a bounded number, as many as memory or a peer has room for. One party
 * holds half of them at most, and the last quarter is for parties that hold none: who holds theirs
 * for long stops nobody else. Safe for many threads.
 */
public final class FairShares {
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();

  /** In the order of their asking; none of them may take a place as things are. */
  private final Deque<Waiter> waiters = new ArrayDeque<>();

  private final Map<String, Integer> held = new HashMap<>();
  private int taken;

  /**
   * All are free.
   *
   * @param most places, 1 or more
   */
  public FairShares(int most) {
    this.most = most;
  }

  /** Places that are held now. */
  public int taken() {
    lock.lock();
    try {
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Who hold them. */
  public int parties() {
    lock.lock();
    try {
      return held.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many wait for one. */
  public int waiting() {
    lock.lock();
    try {
      return waiters.size();
    } finally {
      lock.unlock();
    }
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

  /**
   * Takes a place for a party; {@link #give} ends that.
   *
   * @return false where none becomes free for it within {@code wait}
   * @throws InterruptedException where the thread is interrupted while it waits, and has none
   */
  public boolean take(String party, Duration wait) throws InterruptedException {
    lock.lock();
    try {
      if (mayTake(party)) {
        count(party);
        return true;
      }
      return served(party, wait);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for its turn; whoever gives a place back counts it. */
  private boolean served(String party, Duration wait) throws InterruptedException {
    Waiter waiter = new Waiter(party, lock.newCondition());
    waiters.add(waiter);
    long left = wait.toNanos();
    try {
      while (!waiter.served && left > 0) {
        left = waiter.ready.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      if (!waiter.served) {
        throw e;
      }
      Thread.currentThread().interrupt(); // It has its place all the same.
    } finally {
      if (!waiter.served) {
        waiters.remove(waiter);
      }
    }
    return waiter.served;
  }

  private void count(String party) {
    taken++;
    held.merge(party, 1, Integer::sum);
  }

  private boolean mayTake(String party) {
    int own = held.getOrDefault(party, 0);
    return own < Math.max(1, most / 2) && taken < (own == 0 ? most : most - most / 4);
  }

  /** Gives a place that the party holds to who is next. */
  public void give(String party) {
    lock.lock();
    try {
      taken--;
      held.computeIfPresent(party, (_, n) -> n == 1 ? null : n - 1);
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
}
