package dev.staithe.perf.lean;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * When visits are begun: at fixed times from the first one on, whatever the server does, or at
 * once. Thread-safe; times are those of {@link System#nanoTime}.
 */
public final class Pace {
  private static final long NOT_BEGUN = Long.MIN_VALUE;

  private final double perSecond;
  private final AtomicLong begun = new AtomicLong(NOT_BEGUN);
  private final AtomicLong number = new AtomicLong();

  /**
   * @param perSecond 0 for no times
   */
  public Pace(double perSecond) {
    this.perSecond = perSecond;
  }

  /**
   * Has visits be due from then on, and not from the first that is waited for.
   *
   * @param at by {@link System#nanoTime}
   */
  public void begin(long at) {
    begun.compareAndSet(NOT_BEGUN, at);
  }

  /** For how many visits somebody has waited. */
  public long awaited() {
    return number.get();
  }

  /**
   * Waits until the next visit is due, but not for one that is due at the end or after it.
   *
   * @param end when no visit is begun any more
   * @return when it is: latency counts from then, so that a server that is late cannot hide it by
   *     holding up its clients
   */
  public long await(long end) {
    long now = System.nanoTime();
    if (perSecond == 0) {
      return now;
    }
    begun.compareAndSet(NOT_BEGUN, now);
    long due = begun.get() + (long) (number.getAndIncrement() * 1e9 / perSecond);
    long left;
    while (due - end < 0 && (left = due - System.nanoTime()) > 0) {
      LockSupport.parkNanos(left);
    }
    return due;
  }
}
