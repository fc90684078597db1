package dev.staithe.authn.store;

import dev.staithe.authn.persistence.LogEnd;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.redis.RedisConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stream of revocations on a connection of its own. Redis runs one write after the other,
 * so that the order of the ids is the order in which they became visible.
 *
 * <p>The position names the server's run and its line of replication as well: after a restart or a
 * fail-over, entries that were read may be gone and their ids given again.
 */
final class RedisLog extends RevocationLog {
  private static final String AT_ONCE = "10000";
  private static final Duration ONE_WAIT = Duration.ofSeconds(5);

  /** After which a connection that {@link #follow}s is taken for broken. */
  static final Duration SILENCE = Duration.ofSeconds(8);

  private final StoreSettings.Redis settings;
  private final Clock clock;
  private @Nullable RedisConnection connection;
  private String run = "";

  RedisLog(StoreSettings.Redis settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  boolean isConnected() {
    return connection != null;
  }

  @Override
  LogEnd readOnce(String position, long end, Consumer<List<Revocation>> sink)
      throws StoreUnavailable {
    try {
      return read(position, end, sink);
    } catch (StoreUnavailable e) {
      drop();
      throw e;
    }
  }

  private LogEnd read(String position, long end, Consumer<List<Revocation>> sink)
      throws StoreUnavailable {
    RedisConnection open = connection;
    if (open == null) {
      open = RedisConnection.open(settings.address(), remaining(end));
      connection = open;
      run = open.info("server").getOrDefault("run_id", "");
    }
    open.silence(remaining(end));
    Map<String, String> replication = open.info("replication");
    if (!"master".equals(replication.get("role"))) {
      throw new StoreUnavailable("Redis: this server is a replica");
    }
    String generation = run + "." + replication.getOrDefault("master_replid", "");
    String epoch =
        RedisConnection.text(
            open.run(
                "EVAL",
                RedisScripts.EPOCH,
                "1",
                RedisScripts.PREFIX,
                Long.toString(PostgresEpoch.fresh())));
    if (epoch.isEmpty()) {
      throw new StoreUnavailable("Redis: the store has no epoch");
    }
    // Where it is not this generation, entries may be gone; where it is another epoch, they are.
    boolean continues = position.startsWith(generation + "|");
    boolean sameEpoch = position.startsWith(generation + "|" + epoch + "|");
    String last =
        entries(open, sameEpoch ? position.substring(position.lastIndexOf('|') + 1) : "0-0", sink);
    return new LogEnd(
        Long.parseLong(epoch),
        generation + "|" + epoch + "|" + last,
        !position.isEmpty() && !continues);
  }

  private String entries(RedisConnection open, String after, Consumer<List<Revocation>> sink)
      throws StoreUnavailable {
    Instant now = clock.instant();
    String last = after;
    while (true) {
      List<?> slice =
          RedisConnection.list(
              open.run("XRANGE", RedisScripts.PREFIX + "log", "(" + last, "+", "COUNT", AT_ONCE));
      List<Revocation> entries = new ArrayList<>(slice.size());
      for (Object each : slice) {
        List<?> entry = RedisConnection.list(each);
        last = RedisConnection.text(entry.get(0));
        revocation(RedisConnection.pairs(entry.get(1)))
            .filter(it -> it.expires().isAfter(now))
            .ifPresent(entries::add);
      }
      sink.accept(entries);
      if (slice.size() < Integer.parseInt(AT_ONCE)) {
        return last;
      }
    }
  }

  private static Optional<Revocation> revocation(Map<String, String> fields) {
    Instant expires = Instant.ofEpochMilli(Long.parseLong(fields.getOrDefault("x", "0")));
    String subject = fields.get("u");
    if (subject != null) {
      Instant notBefore = Instant.ofEpochMilli(Long.parseLong(fields.getOrDefault("n", "0")));
      return Optional.of(new Revocation.OfUser(subject, notBefore, expires));
    }
    return SessionId.parse(fields.getOrDefault("s", ""))
        .map(id -> new Revocation.OfSession(id, expires));
  }

  @Override
  void drop() {
    RedisConnection broken = connection;
    connection = null;
    if (broken != null) {
      broken.close();
    }
  }

  /** Waits at the end of the stream for as long as the connection lasts. */
  static void follow(RedisConnection open, Runnable wake) throws StoreUnavailable {
    wake.run(); // for what was missed before
    String last = "$";
    while (true) {
      List<?> streams =
          RedisConnection.list(
              open.run(
                  "XREAD",
                  "COUNT",
                  "1000",
                  "BLOCK",
                  Long.toString(ONE_WAIT.toMillis()),
                  "STREAMS",
                  RedisScripts.PREFIX + "log",
                  last));
      if (!streams.isEmpty()) {
        wake.run();
        List<?> entries = RedisConnection.list(RedisConnection.list(streams.getFirst()).get(1));
        last = RedisConnection.text(RedisConnection.list(entries.getLast()).getFirst());
      }
    }
  }
}
