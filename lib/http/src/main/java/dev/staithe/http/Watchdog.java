package dev.staithe.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes sockets whose peer lets its time pass: blocking reads and writes have no time limit of
 * their own, so one thread looks at all of them ten times a second. Safe for use by many threads.
 */
final class Watchdog {
  private static final long PERIOD_NANOS = 100_000_000;
  private static final Set<HttpSocket> WATCHED = ConcurrentHashMap.newKeySet();
  private static final Thread THREAD =
      Thread.ofVirtual().name("http-watchdog").start(Watchdog::watch);

  private Watchdog() {}

  static void add(HttpSocket socket) {
    WATCHED.add(socket);
    LockSupport.unpark(THREAD);
  }

  static void remove(HttpSocket socket) {
    WATCHED.remove(socket);
  }

  private static void watch() {
    while (true) {
      if (WATCHED.isEmpty()) {
        LockSupport.park();
      } else {
        long now = System.nanoTime();
        WATCHED.forEach(socket -> socket.closeIfLate(now));
        LockSupport.parkNanos(PERIOD_NANOS);
      }
    }
  }
}
