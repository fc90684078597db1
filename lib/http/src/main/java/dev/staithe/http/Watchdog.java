package dev.staithe.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Closes sockets whose peer lets its time pass: blocking reads and writes have no time limit of
 * their own, so one thread looks at all of them ten times a second. Safe for use by many threads.
 *
 * <p>What is watched is told each time what {@link System#nanoTime} says.
 */
final class Watchdog {
  private static final long PERIOD_NANOS = 100_000_000;
  private static final Set<LongConsumer> WATCHED = ConcurrentHashMap.newKeySet();
  private static final Thread THREAD =
      Thread.ofVirtual().name("http-watchdog").start(Watchdog::watch);

  private Watchdog() {}

  static void add(LongConsumer closeIfLate) {
    WATCHED.add(closeIfLate);
    LockSupport.unpark(THREAD);
  }

  static void remove(LongConsumer closeIfLate) {
    WATCHED.remove(closeIfLate);
  }

  private static void watch() {
    while (true) {
      try {
        if (WATCHED.isEmpty()) {
          LockSupport.park();
        } else {
          long now = System.nanoTime();
          WATCHED.forEach(closeIfLate -> look(closeIfLate, now));
          LockSupport.parkNanos(PERIOD_NANOS);
        }
      } catch (RuntimeException | Error e) {
        // For want of memory, for a moment: without this thread no call has an end any more.
        Thread.yield();
      }
    }
  }

  private static void look(LongConsumer closeIfLate, long now) {
    try {
      closeIfLate.accept(now);
    } catch (RuntimeException | Error e) {
      // The others are looked at all the same, and this one the next time.
    }
  }
}
