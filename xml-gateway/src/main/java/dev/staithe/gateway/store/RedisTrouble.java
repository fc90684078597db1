package dev.staithe.gateway.store;

import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges whether a Redis keeps what it must. */
final class RedisTrouble {
  private static final int OLDEST = 7;

  private RedisTrouble() {}

  /** What is wrong, one line; null where nothing is. */
  static @Nullable String of(RedisPool pool) {
    try {
      return pool.call(RedisTrouble::judge);
    } catch (StoreDown e) {
      return "the store of contexts does not answer: " + e.line();
    }
  }

  private static @Nullable String judge(RedisConnection connection) throws StoreDown {
    if (!"master".equals(info(connection, "replication").get("role"))) {
      return "the Redis that is used is a replica, which takes no writes";
    }
    Map<String, String> memory = info(connection, "memory");
    return "0".equals(memory.getOrDefault("maxmemory", "0"))
            || "noeviction".equals(memory.get("maxmemory_policy"))
        ? null
        : "Redis may forget what must not come again when its memory is full: set"
            + " maxmemory-policy noeviction";
  }

  /**
   * Refuses what cannot be used at all.
   *
   * @throws StoreDown where it does not answer, or is too old
   */
  static void usable(RedisPool pool) throws StoreDown {
    String version =
        pool.call(connection -> info(connection, "server").getOrDefault("redis_version", "0"));
    if (Integer.parseInt(version.split("\\.")[0]) < OLDEST) {
      throw new StoreDown("Redis 7 is needed, and this is " + version);
    }
  }

  private static Map<String, String> info(RedisConnection connection, String section)
      throws StoreDown {
    return RedisConnection.text(connection.run("INFO", section))
        .lines()
        .filter(line -> line.indexOf(':') > 0)
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf(':')),
                line -> line.substring(line.indexOf(':') + 1).strip(),
                (one, other) -> other));
  }
}
