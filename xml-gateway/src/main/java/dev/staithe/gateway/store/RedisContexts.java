package dev.staithe.gateway.store;

import static dev.staithe.gateway.store.RedisScripts.CONTEXT;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.staithe.gateway.trust.ContextLimits;
import dev.staithe.gateway.trust.ContextStore;
import dev.staithe.pki.seal.MasterKeys;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.service.redis.RedisConnection;
import dev.staithe.service.redis.RedisListener;
import dev.staithe.service.redis.RedisPool;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Contexts that several gateways share through Redis, each sealed with the master key. What was
 * asked for is remembered for a second, and for no longer: so long may a gateway that is cut off
 * take a context that was cancelled through another; one that is not forgets it at once. What does
 * not fit a message is asked for anew, since the context may have been renewed through another.
 * Where Redis does not answer, nothing is given out and nothing is found. Thread-safe.
 */
final class RedisContexts implements ContextStore {
  private static final Duration BEFORE_AGAIN = Duration.ofMillis(500);
  private static final Duration REMEMBERED = Duration.ofSeconds(1);

  /** Between two doubts about one context: whoever knows its name can cause them. */
  private static final Duration BETWEEN_DOUBTS = Duration.ofMillis(50);

  private static final int MOST_REMEMBERED = 20_000;

  /** Whatever a message names is asked for before its sender has shown anything. */
  private static final int LONGEST_IDENTIFIER = 128;

  /** By which Redis forgets later than the gateways' clocks say. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  private static final Duration COUNT_GOOD_FOR = Duration.ofSeconds(5);

  /** One instance: what it is, and the bytes that it came from. */
  private record Instance(SecurityContext context, byte[] sealed) {}

  private record Local(
      Instance current, @Nullable Instance before, long askedNanos, long doubtedNanos) {
    Local(Instance current, @Nullable Instance before, long askedNanos) {
      this(current, before, askedNanos, askedNanos - BETWEEN_DOUBTS.toNanos());
    }
  }

  private record Counted(int live, long askedNanos) {}

  private final RedisPool pool;
  private final MasterKeys keys;
  private final ContextLimits limits;
  private final Clock clock;
  private final RedisListener endings;

  // What is forgotten for room is asked for again.
  private final ConcurrentMap<String, Local> locals =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).<String, Local>build().asMap();

  private volatile @Nullable Counted counted;

  RedisContexts(RedisPool pool, MasterKeys keys, ContextLimits limits, Clock clock) {
    this.pool = pool;
    this.keys = keys;
    this.limits = limits;
    this.clock = clock;
    this.endings =
        new RedisListener(
            "context-endings",
            BEFORE_AGAIN,
            pool::own,
            open -> open.listen(RedisScripts.ENDED, this::doubtAll, this::ended));
  }

  @Override
  public WriteOutcome keep(SecurityContext context) {
    try {
      byte[] sealed = sealed(context);
      long now = clock.millis();
      String answer =
          RedisConnection.text(
              eval(
                  RedisScripts.KEEP,
                  context.identifier(),
                  sealed,
                  hash(context.owner().subject()),
                  context.expires().toEpochMilli(),
                  now,
                  left(context, now),
                  limits.mostPerSubject(),
                  limits.most(),
                  SealedContext.sealRest(context, keys),
                  leftOfRest(context, now)));
      return switch (answer) {
        case "kept" -> {
          locals.put(
              context.identifier(),
              new Local(new Instance(context, sealed), null, System.nanoTime()));
          yield new WriteOutcome.Stored();
        }
        case "owner" -> new WriteOutcome.TooMany(true);
        case "all" -> new WriteOutcome.TooMany(false);
        default -> new WriteOutcome.Unavailable("Redis answers what was not asked");
      };
    } catch (StoreUnavailable e) {
      return new WriteOutcome.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public WriteOutcome renew(SecurityContext renewed) {
    try {
      byte[] sealed = sealed(renewed);
      Local known = local(renewed.identifier());
      long now = clock.millis();
      boolean newKey =
          known == null
              || !Objects.equals(known.current().context().instance(), renewed.instance());
      String answer =
          RedisConnection.text(
              eval(
                  RedisScripts.RENEW,
                  renewed.identifier(),
                  sealed,
                  hash(renewed.owner().subject()),
                  renewed.expires().toEpochMilli(),
                  left(renewed, now),
                  newKey ? "1" : "0",
                  now,
                  limits.mostPerSubject(),
                  limits.most(),
                  SealedContext.sealRest(renewed, keys),
                  leftOfRest(renewed, now)));
      if (!answer.equals("kept")) {
        return switch (answer) {
          case "owner" -> new WriteOutcome.TooMany(true);
          case "all" -> new WriteOutcome.TooMany(false);
          default -> new WriteOutcome.Unknown();
        };
      }
      locals.put(
          renewed.identifier(),
          new Local(
              new Instance(renewed, sealed),
              known == null ? null : newKey ? known.current() : known.before(),
              System.nanoTime()));
      return new WriteOutcome.Stored();
    } catch (StoreUnavailable e) {
      return new WriteOutcome.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public @Nullable SecurityContext renewable(String identifier) {
    if (identifier.length() > LONGEST_IDENTIFIER) {
      return null; // none of ours
    }
    try {
      Local local = local(identifier);
      if (local != null) {
        return local.current().context();
      }
      return pool.call(connection -> connection.run("GET", RedisScripts.REST + identifier))
              instanceof byte[] rest
          ? SealedContext.openRest(identifier, rest, keys)
          : null;
    } catch (StoreUnavailable e) {
      throw new Surroundings.Unavailable(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public CancelOutcome end(SecurityContext context) {
    Local known = locals.remove(context.identifier());
    try {
      String answer = RedisConnection.text(eval(RedisScripts.END, context.identifier()));
      end(known, context);
      return answer.equals("ended") ? new CancelOutcome.Cancelled() : new CancelOutcome.Unknown();
    } catch (StoreUnavailable e) {
      return new CancelOutcome.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public @Nullable SecurityContext find(String identifier, @Nullable String instance) {
    if (identifier.length() > LONGEST_IDENTIFIER) {
      return null; // none of ours
    }
    long now = System.nanoTime();
    try {
      Local local = local(identifier);
      SecurityContext named = named(local, instance);
      if (local != null
          && named == null
          && local.askedNanos() - now < 0
          && now - local.doubtedNanos() >= BETWEEN_DOUBTS.toNanos()) {
        named = named(ask(identifier, local, now), instance);
      }
      return named;
    } catch (StoreUnavailable e) {
      throw new Surroundings.Unavailable(String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable SecurityContext named(@Nullable Local local, @Nullable String instance) {
    if (local == null) {
      return null;
    }
    Instance before = local.before();
    SecurityContext named =
        Objects.equals(local.current().context().instance(), instance)
            ? local.current().context()
            : before != null && Objects.equals(before.context().instance(), instance)
                ? before.context()
                : null;
    return named != null && clock.instant().isBefore(named.expires()) ? named : null;
  }

  /** What the store has, or had a second ago. */
  private @Nullable Local local(String identifier) throws StoreUnavailable {
    Local known = locals.get(identifier);
    long now = System.nanoTime();
    if (known == null) {
      return ask(identifier, null, now - BETWEEN_DOUBTS.toNanos());
    }
    return now - known.askedNanos() < REMEMBERED.toNanos()
        ? known
        : ask(identifier, known, known.doubtedNanos());
  }

  /**
   * What the store has, which is remembered.
   *
   * @param doubtedNanos when it was last asked for because a message did not fit
   */
  private @Nullable Local ask(String identifier, @Nullable Local known, long doubtedNanos)
      throws StoreUnavailable {
    // Taken before the question: the answer is as old as that.
    long asked = System.nanoTime();
    List<?> fields =
        pool.call(
            connection ->
                RedisConnection.list(
                    connection.run("HMGET", CONTEXT + identifier, "current", "before")));
    if (fields.size() != 2 || !(fields.getFirst() instanceof byte[] current)) {
      ended(identifier);
      return null;
    }
    byte[] before = fields.get(1) instanceof byte[] bytes ? bytes : null;
    Local fresh =
        new Local(
            instance(identifier, current, known),
            before == null ? null : instance(identifier, before, known),
            asked,
            doubtedNanos);
    locals.put(identifier, fresh);
    return fresh;
  }

  /** The same object for the same bytes, so that what is cancelled is overwritten everywhere. */
  private Instance instance(String identifier, byte[] sealed, @Nullable Local known)
      throws StoreUnavailable {
    if (known != null) {
      if (Arrays.equals(known.current().sealed(), sealed)) {
        return known.current();
      }
      Instance before = known.before();
      if (before != null && Arrays.equals(before.sealed(), sealed)) {
        return before;
      }
    }
    return new Instance(SealedContext.open(identifier, sealed, keys), sealed);
  }

  /** Endings may have been missed: what is remembered is asked for again. */
  private void doubtAll() {
    long old = System.nanoTime() - REMEMBERED.toNanos();
    locals.replaceAll((each, local) -> new Local(local.current(), local.before(), old));
  }

  private void ended(String identifier) {
    end(locals.remove(identifier), null);
  }

  private static void end(@Nullable Local local, @Nullable SecurityContext spared) {
    if (local != null) {
      Instance before = local.before();
      if (local.current().context() != spared) {
        local.current().context().end();
      }
      if (before != null && before.context() != spared) {
        before.context().end();
      }
    }
  }

  private byte[] sealed(SecurityContext context) throws StoreUnavailable {
    try {
      byte[] sealed = SealedContext.seal(context, keys);
      if (sealed == null) {
        throw new StoreUnavailable("the context ended meanwhile");
      }
      return sealed;
    } catch (IllegalStateException e) {
      throw new StoreUnavailable(String.valueOf(e.getMessage()), e);
    }
  }

  private @Nullable Object eval(String script, Object... arguments) throws StoreUnavailable {
    List<Object> all = new ArrayList<>(List.of(script, 1, RedisScripts.PREFIX));
    all.addAll(List.of(arguments));
    return pool.call(connection -> connection.run("EVAL", all.toArray()));
  }

  private static long left(SecurityContext context, long now) {
    return context.expires().toEpochMilli() - now + GRACE.toMillis();
  }

  /** So long it may be renewed, all renewals together. */
  private long leftOfRest(SecurityContext context, long now) {
    return context.created().plus(limits.longest()).toEpochMilli() - now + GRACE.toMillis();
  }

  private static String hash(String subject) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256")
                  .digest(subject.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  /** Of all gateways, a few seconds old; what it was last where Redis does not answer. */
  @Override
  public int live() {
    Counted last = counted;
    long now = System.nanoTime();
    if (last != null && now - last.askedNanos() < COUNT_GOOD_FOR.toNanos()) {
      return last.live();
    }
    int live = last == null ? 0 : last.live();
    Instant at = clock.instant();
    try {
      Object answer =
          pool.call(
              connection ->
                  connection.run("ZCOUNT", RedisScripts.ALL, "(" + at.toEpochMilli(), "+inf"));
      live = answer instanceof Long number ? Math.toIntExact(number) : live;
    } catch (StoreUnavailable e) {
      // Health tells it.
    }
    counted = new Counted(live, now);
    return live;
  }

  @Override
  public @Nullable String trouble() {
    return RedisTrouble.of(pool);
  }

  /** Stops listening; the contexts go on in Redis. */
  @Override
  public void close() {
    endings.close();
    locals.clear();
  }
}
