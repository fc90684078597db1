package dev.staithe.gateway.store;

import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.redis.RedisConnection;
import dev.staithe.service.redis.RedisPool;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges whether a Redis keeps what it must. */
final class RedisTrouble {
  private static final int OLDEST = 7;

  private RedisTrouble() {}

  /** What is wrong, one line; null where nothing is. */
  static @Nullable String of(RedisPool pool) {
    try {
      return pool.call(RedisTrouble::judge);
    } catch (StoreUnavailable e) {
      return "the store of contexts does not answer: " + e.getMessage();
    }
  }

  private static @Nullable String judge(RedisConnection connection) throws StoreUnavailable {
    if (!"master".equals(connection.info("replication").get("role"))) {
      return "the Redis that is used is a replica, which takes no writes";
    }
    Map<String, String> memory = connection.info("memory");
    return "0".equals(memory.getOrDefault("maxmemory", "0"))
            || "noeviction".equals(memory.get("maxmemory_policy"))
        ? null
        : "Redis may forget what must not come again when its memory is full: set"
            + " maxmemory-policy noeviction";
  }

  /**
   * Refuses what cannot be used at all.
   *
   * @throws StoreUnavailable where it does not answer, or is too old
   */
  static void usable(RedisPool pool) throws StoreUnavailable {
    String version =
        pool.call(connection -> connection.info("server").getOrDefault("redis_version", "0"));
    if (Integer.parseInt(version.split("\\.")[0]) < OLDEST) {
      throw new StoreUnavailable("Redis 7 is needed, and this is " + version);
    }
  }
}
