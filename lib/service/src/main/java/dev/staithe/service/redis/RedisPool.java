package dev.staithe.service.redis;

import dev.staithe.service.StoreUnavailable;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A few connections for many threads; one that failed is closed, not given to the next.
 * Thread-safe.
 */
public final class RedisPool implements AutoCloseable {
  private final RedisAddress address;
  private final Duration usual;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<RedisConnection> idle = new ConcurrentLinkedDeque<>();

  /**
   * With so many connections at most.
   *
   * @param usual the timeout of calls that name none
   */
  public RedisPool(RedisAddress address, int connections, Duration usual) {
    this.address = address;
    this.usual = usual;
    this.permits = new Semaphore(connections);
  }

  /** What is done with a connection; it may be done twice. */
  public interface Call<T extends @Nullable Object> {
    /** Does it. */
    T on(RedisConnection connection) throws StoreUnavailable;
  }

  /** Does something with one of them, within the usual timeout. */
  public <T extends @Nullable Object> T call(Call<T> call) throws StoreUnavailable {
    return call(usual, call);
  }

  /**
   * Does something with one of them.
   *
   * @param timeout for a connection, and then for each answer
   */
  public <T extends @Nullable Object> T call(Duration timeout, Call<T> call)
      throws StoreUnavailable {
    long begun = System.nanoTime();
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
          // The server may have been away since it was used last; one that is slow is not asked
          // again.
          if (System.nanoTime() - begun > timeout.toNanos() / 2) {
            throw mayBeOld;
          }
        }
      }
      return returned(RedisConnection.open(address, timeout), timeout, call);
    } finally {
      permits.release();
    }
  }

  private <T extends @Nullable Object> T returned(
      RedisConnection connection, Duration timeout, Call<T> call) throws StoreUnavailable {
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

  /** A connection of the caller's own. */
  public RedisConnection own() throws StoreUnavailable {
    return RedisConnection.open(address, usual);
  }

  @Override
  public void close() {
    for (RedisConnection each = idle.poll(); each != null; each = idle.poll()) {
      each.close();
    }
  }
}
