package dev.staithe.authn.store;

import dev.staithe.authn.session.StoreUnavailable;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A few connections for many threads; one that failed is closed, not given to the next. */
final class RedisPool implements AutoCloseable {
  private final StoreSettings.Redis settings;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<RedisConnection> idle = new ConcurrentLinkedDeque<>();

  RedisPool(StoreSettings.Redis settings, int connections) {
    this.settings = settings;
    this.permits = new Semaphore(connections);
  }

  /** What is done with a connection. */
  interface Call<T> {
    T on(RedisConnection connection) throws StoreUnavailable;
  }

  <T> T call(Duration timeout, Call<T> call) throws StoreUnavailable {
    try {
      if (!permits.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new StoreUnavailable("all connections to Redis are in use");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailable("interrupted", e);
    }
    try {
      RedisConnection pooled = idle.poll();
      if (pooled != null) {
        try {
          return returned(pooled, timeout, call);
        } catch (StoreUnavailable mayBeOld) {
          // The server may have been away since it was used last: what is asked may be asked twice.
        }
      }
      return returned(RedisConnection.open(settings, timeout), timeout, call);
    } finally {
      permits.release();
    }
  }

  private <T> T returned(RedisConnection connection, Duration timeout, Call<T> call)
      throws StoreUnavailable {
    boolean good = false;
    try {
      connection.silence(timeout);
      T result = call.on(connection);
      good = true;
      return result;
    } finally {
      if (good) {
        idle.push(connection);
      } else {
        connection.close();
      }
    }
  }

  @Override
  public void close() {
    for (RedisConnection each = idle.poll(); each != null; each = idle.poll()) {
      each.close();
    }
  }
}
