package dev.staithe.gateway.store;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections for many threads; one that failed is closed, not given to the next. Nobody waits
 * longer than two timeouts.
 */
final class RedisPool implements AutoCloseable {
  private static final int CONNECTIONS = 16;

  private final RedisSettings settings;
  private final Semaphore permits = new Semaphore(CONNECTIONS);
  private final ConcurrentLinkedDeque<RedisConnection> idle = new ConcurrentLinkedDeque<>();

  RedisPool(RedisSettings settings) {
    this.settings = settings;
  }

  /** What is done with a connection; it may be done twice. */
  interface Call<T extends @Nullable Object> {
    T on(RedisConnection connection) throws StoreDown;
  }

  <T extends @Nullable Object> T call(Call<T> call) throws StoreDown {
    Duration timeout = settings.timeout();
    long begun = System.nanoTime();
    try {
      if (!permits.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new StoreDown("all connections to Redis are in use");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreDown("interrupted", e);
    }
    try {
      RedisConnection pooled = idle.poll();
      if (pooled != null) {
        try {
          return returned(pooled, call);
        } catch (StoreDown mayBeOld) {
          // The server may have been away since it was used last; one that is slow is not asked
          // again.
          if (System.nanoTime() - begun > timeout.toNanos() / 2) {
            throw mayBeOld;
          }
        }
      }
      return returned(RedisConnection.open(settings), call);
    } finally {
      permits.release();
    }
  }

  private <T extends @Nullable Object> T returned(RedisConnection connection, Call<T> call)
      throws StoreDown {
    boolean good = false;
    try {
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

  /** A connection of the caller's own. */
  RedisConnection own() throws StoreDown {
    return RedisConnection.open(settings);
  }

  @Override
  public void close() {
    for (RedisConnection each = idle.poll(); each != null; each = idle.poll()) {
      each.close();
    }
  }
}
