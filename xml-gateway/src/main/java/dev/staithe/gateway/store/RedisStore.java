package dev.staithe.gateway.store;

import dev.staithe.gateway.trust.ContextLimits;
import dev.staithe.gateway.trust.ContextStore;
import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.redis.RedisPool;
import java.io.IOException;
import java.time.Clock;

/**
 * What several gateways share in one Redis: contexts, and what must not come again. Thread-safe.
 */
public final class RedisStore implements AutoCloseable {
  private static final int CONNECTIONS = 16;

  private final RedisPool pool;
  private final ContextStore contexts;
  private final ReplayCache replays;

  private RedisStore(RedisPool pool, ContextStore contexts, ReplayCache replays) {
    this.pool = pool;
    this.contexts = contexts;
    this.replays = replays;
  }

  /**
   * Opens it.
   *
   * @param keys that seal contexts; the same for all gateways
   * @throws IOException with one line where Redis cannot be used
   */
  public static RedisStore open(
      RedisSettings settings, MasterKeys keys, ContextLimits limits, Clock clock)
      throws IOException {
    RedisPool pool = new RedisPool(settings.address(), CONNECTIONS, settings.timeout());
    try {
      RedisTrouble.usable(pool);
      ReplayCache replays = new RedisReplays(pool, clock);
      return new RedisStore(pool, new RedisContexts(pool, keys, limits, clock), replays);
    } catch (StoreUnavailable e) {
      pool.close();
      throw new IOException("the store of contexts cannot be used: " + e.getMessage(), e);
    }
  }

  /** Contexts, sealed. */
  public ContextStore contexts() {
    return contexts;
  }

  /** Marks. */
  public ReplayCache replays() {
    return replays;
  }

  @Override
  public void close() {
    contexts.close();
    replays.close();
    pool.close();
  }
}
