package dev.staithe.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes sockets whose peer lets its time pass: blocking reads and writes have no time limit of
 * their own, so one thread looks at all of them ten times a second. Safe for use by many threads.
 */
public final class Watchdog implements AutoCloseable {
  private static final long PERIOD_NANOS = 100_000_000;

  private final Set<HttpSocket> watched = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean closed;

  /** Starts watching. */
  public Watchdog() {
    thread = Thread.ofVirtual().name("http-watchdog").start(this::watch);
  }

  void add(HttpSocket socket) {
    watched.add(socket);
    LockSupport.unpark(thread);
  }

  void remove(HttpSocket socket) {
    watched.remove(socket);
  }

  private void watch() {
    while (!closed) {
      if (watched.isEmpty()) {
        LockSupport.park(this);
      } else {
        long now = System.nanoTime();
        watched.forEach(socket -> socket.closeIfLate(now));
        LockSupport.parkNanos(this, PERIOD_NANOS);
      }
    }
  }

  /** Ends the watch; sockets stay as they are. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
