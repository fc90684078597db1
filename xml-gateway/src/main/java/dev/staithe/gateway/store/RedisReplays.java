package dev.staithe.gateway.store;

import dev.staithe.gateway.trust.ReplayCache;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.redis.RedisConnection;
import dev.staithe.service.redis.RedisPool;
import dev.staithe.wss.Findings;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks that several gateways share, so that what one has taken no other takes. Bounded by Redis's
 * memory, which must not evict; where it is full or does not answer, nothing is taken. Where it has
 * lost its memory, as by a restart, what was made before is refused. Thread-safe.
 */
final class RedisReplays implements ReplayCache {
  /** By which marks outlive their time, as the clocks of gateways differ. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final byte[] PREFIX = RedisScripts.MARK.getBytes(StandardCharsets.US_ASCII);
  private static final int QUESTION_BYTES = 12;
  private static final Duration COUNT_GOOD_FOR = Duration.ofSeconds(5);

  private record Counted(int size, long askedNanos) {}

  /**
   * What Redis remembers.
   *
   * @param name what it calls the time when it began; another one where it began anew
   * @param since the same by our own clock: never later than it was learnt
   */
  private record Memory(String name, Instant since) {}

  private final RedisPool pool;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private volatile Memory memory;
  private volatile @Nullable Counted counted;

  RedisReplays(RedisPool pool, Clock clock) throws StoreUnavailable {
    this.pool = pool;
    this.clock = clock;
    Instant now = clock.instant();
    String name =
        RedisConnection.text(
            pool.call(
                connection ->
                    connection.run(
                        "EVAL",
                        RedisScripts.BEGUN,
                        1,
                        RedisScripts.SINCE,
                        String.valueOf(now.toEpochMilli()))));
    this.memory = new Memory(name, begun(name, now));
  }

  /** Somebody else's clock may have been ahead. */
  private static Instant begun(String name, Instant now) {
    try {
      Instant begun = Instant.ofEpochMilli(Long.parseLong(name));
      return begun.isAfter(now) ? now : begun;
    } catch (NumberFormatException e) {
      return now;
    }
  }

  @Override
  public Mark mark(List<Findings.Once> once) {
    // Names this question: a command that is sent again must not be taken for a replay.
    byte[] question = new byte[QUESTION_BYTES];
    random.nextBytes(question);
    try {
      for (Findings.Once each : once) {
        String known = memory.name();
        List<?> answer =
            pool.call(
                connection ->
                    RedisConnection.list(
                        connection.run(
                            "EVAL",
                            RedisScripts.TAKE,
                            2,
                            RedisScripts.SINCE,
                            key(each),
                            String.valueOf(clock.millis()),
                            known,
                            question,
                            left(each))));
        if (answer.size() != 2) {
          // As of now: while the question waited, others may have been told that all is well.
          memory =
              new Memory(
                  RedisConnection.text(answer.isEmpty() ? null : answer.getFirst()),
                  clock.instant());
          return new Mark.Unavailable(
              "Redis has lost its memory: what was made before is refused from now on");
        }
        Object before = answer.get(1);
        if (before != null && !(before instanceof byte[] bytes && Arrays.equals(bytes, question))) {
          return new Mark.Replay();
        }
      }
      return new Mark.First();
    } catch (StoreUnavailable e) {
      return new Mark.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  private static byte[] key(Findings.Once once) {
    byte[] key = Arrays.copyOf(PREFIX, PREFIX.length + once.digest().length);
    System.arraycopy(once.digest(), 0, key, PREFIX.length, once.digest().length);
    return key;
  }

  private long left(Findings.Once once) {
    return Math.max(0, ChronoUnit.MILLIS.between(clock.instant(), once.until())) + GRACE.toMillis();
  }

  @Override
  public Instant since() {
    // Clients write times in whole seconds.
    return memory.since().truncatedTo(ChronoUnit.SECONDS);
  }

  /** All keys of the database, contexts among them; a few seconds old. */
  @Override
  public int size() {
    Counted last = counted;
    long now = System.nanoTime();
    if (last != null && now - last.askedNanos() < COUNT_GOOD_FOR.toNanos()) {
      return last.size();
    }
    int size = last == null ? 0 : last.size();
    try {
      Object answer = pool.call(connection -> connection.run("DBSIZE"));
      size = answer instanceof Long number ? Math.toIntExact(number) : size;
    } catch (StoreUnavailable e) {
      // Health tells it.
    }
    counted = new Counted(size, now);
    return size;
  }

  @Override
  public @Nullable String trouble() {
    return RedisTrouble.of(pool);
  }

  @Override
  public void close() {}
}
