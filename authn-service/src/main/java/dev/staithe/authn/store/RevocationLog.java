package dev.staithe.authn.store;

import dev.staithe.authn.persistence.LogEnd;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.service.StoreUnavailable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Reads a log of revocations on a connection of its own, for one caller at a time. Thread-safe. */
abstract sealed class RevocationLog implements AutoCloseable permits PostgresLog, RedisLog {
  private final ReentrantLock lock = new ReentrantLock();

  /** Whether there is a connection. */
  abstract boolean isConnected();

  /** Reads once; leaves no connection where it was that which failed. */
  abstract LogEnd readOnce(String position, long end, Consumer<List<Revocation>> sink)
      throws StoreUnavailable;

  /** Gives the connection up, where there is one. */
  abstract void drop();

  final LogEnd read(String position, Duration timeout, Consumer<List<Revocation>> sink)
      throws StoreUnavailable {
    long end = System.nanoTime() + timeout.toNanos();
    try {
      if (!lock.tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new StoreUnavailable("the revocation log is being read for another caller");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailable("interrupted", e);
    }
    try {
      boolean old = isConnected();
      try {
        return readOnce(position, end, sink);
      } catch (StoreUnavailable e) {
        if (!old || isConnected() || System.nanoTime() >= end) {
          throw e;
        }
        // It may have been broken for long: one that is made now tells how things are.
        return readOnce(position, end, sink);
      }
    } finally {
      lock.unlock();
    }
  }

  static Duration remaining(long end) {
    return Duration.ofNanos(Math.max(end - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(1)));
  }

  @Override
  public final void close() {
    lock.lock();
    try {
      drop();
    } finally {
      lock.unlock();
    }
  }
}
