package dev.staithe.storage.issuers;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.RefreshAheadCachingJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one issuer in Nimbus' cache, which fetches them anew ahead of their end. Whatever the
 * issuer does, only requests that need a key which is not there wait, together for one fetch and no
 * longer than the policy's patience; so every fetch runs on a thread of the issuer's own.
 */
final class IssuerKeyring implements JWKSource<SecurityContext>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeyring.class);

  /** More than a fetch takes, which has an end of its own. */
  private static final Duration LONGEST_FETCH = Duration.ofMinutes(2);

  /** What the newest fetches brought; keys without an error are those of the last try. */
  private record Fetched(
      @Nullable JWKSet keys, Instant since, Instant lastTry, @Nullable String error) {}

  private final TrustedIssuer issuer;
  private final IssuerFetch source;
  private final KeyPolicy policy;
  private final Clock clock;
  private final ExecutorService threads;
  private final RefreshAheadCachingJWKSetSource<SecurityContext> cache;

  // Written by one at a time, under the cache's lock.
  private volatile Fetched fetched = new Fetched(null, Instant.EPOCH, Instant.EPOCH, null);

  private volatile boolean closed;

  // Both guarded by this.
  private Future<JWKSet> asked = CompletableFuture.completedFuture(new JWKSet());
  private Instant lastUnknown = Instant.EPOCH;

  IssuerKeyring(TrustedIssuer issuer, IssuerFetch source, KeyPolicy policy, Clock clock) {
    this.issuer = issuer;
    this.source = source;
    this.policy = policy;
    this.clock = clock;
    threads =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("keys of " + issuer.issuer() + " ", 0).factory());
    // Kept as long as the policy bears the issuer's absence, and fetched anew from the policy's age
    // on. Not by the library's builder: its threads have no names, and what it serves in an outage
    // it takes for fresh.
    cache =
        new RefreshAheadCachingJWKSetSource<>(
            new Source(),
            policy.longest().toMillis(),
            LONGEST_FETCH.toMillis(),
            policy.longest().minus(policy.refresh()).toMillis(),
            false,
            threads,
            true,
            null);
  }

  /** Begins to fetch. */
  void start() {
    threads.execute(this::keepFresh);
  }

  /** Looks after the keys though nobody asks for them. */
  private void keepFresh() {
    try {
      while (true) {
        try {
          cached(clock.instant());
        } catch (KeySourceException told) {
          // by the fetch
        }
        // Real time, because the clock given may be any; requests look at the clock themselves.
        TimeUnit.MILLISECONDS.sleep(policy.retry().toMillis());
      }
    } catch (InterruptedException closing) {
      // closed
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      cache.close();
    } catch (IOException e) {
      throw new IllegalStateException("a cache in memory cannot fail", e);
    }
  }

  /** The keys that fit, perhaps after a wait of the policy's patience at most. */
  @Override
  public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context)
      throws KeySourceException {
    Instant now = clock.instant();
    if (!usableAt(now)) {
      return selector.select(awaited(ask(JWKSetCacheRefreshEvaluator.noRefresh(), now, false)));
    }
    JWKSet there = cached(now);
    List<JWK> fitting = selector.select(there);
    return fitting.isEmpty()
        ? selector.select(
            awaited(ask(JWKSetCacheRefreshEvaluator.referenceComparison(there), now, true)))
        : fitting;
  }

  /** What was fetched last, if anything was. */
  @Nullable JWKSet current() {
    return fetched.keys();
  }

  /** How it stands. */
  IssuerStatus status() {
    Fetched now = fetched;
    return new IssuerStatus(
        issuer.issuer(),
        now.keys() == null ? 0 : now.keys().size(),
        usableAt(clock.instant()),
        now.keys() == null ? null : now.since(),
        now.error());
  }

  /** When the next try will be. */
  int retryAfterSeconds() {
    Instant next = fetched.lastTry().plus(policy.retry());
    long pause = Duration.between(clock.instant(), next).toSeconds();
    return (int) Math.clamp(pause, 1, policy.retry().toSeconds() + 1);
  }

  private boolean usableAt(Instant now) {
    Fetched newest = fetched;
    return newest.keys() != null && now.isBefore(newest.since().plus(policy.longest()));
  }

  /** Fetches only where there are none; else at most has others fetched. */
  private JWKSet cached(Instant now) throws KeySourceException {
    if (isAhead(fetched.since(), now)) {
      // The cache takes them for fresh until the time that the clock showed.
      ask(JWKSetCacheRefreshEvaluator.forceRefresh(), now, false);
    }
    return cache.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), now.toEpochMilli(), null);
  }

  /** Whether the clock was ahead when it showed that, by more than clocks are put right by. */
  private boolean isAhead(Instant then, Instant now) {
    return then.isAfter(now.plus(policy.retry()));
  }

  private boolean pauses(Instant since, Instant now) {
    return now.isBefore(since.plus(policy.retry())) && !isAhead(since, now);
  }

  /**
   * The fetch that is on its way, or a new one. For unknown keys once per pause, or anyone could
   * make this service hammer its issuers with invented ids; in between the last answer stands.
   */
  private synchronized Future<JWKSet> ask(
      JWKSetCacheRefreshEvaluator unless, Instant now, boolean unknown)
      throws JWKSetUnavailableException {
    boolean tooSoon = unknown && pauses(lastUnknown, now);
    if (asked.isDone() && !tooSoon) {
      lastUnknown = unknown ? now : lastUnknown;
      try {
        asked = threads.submit(() -> cache.getJWKSet(unless, now.toEpochMilli(), null));
      } catch (RejectedExecutionException e) {
        throw new JWKSetUnavailableException("the service is stopping", e);
      }
    }
    return asked;
  }

  private JWKSet awaited(Future<JWKSet> fetch) throws JWKSetUnavailableException {
    try {
      return fetch.get(policy.patience().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new JWKSetUnavailableException("no keys within the patience", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JWKSetUnavailableException("the service is stopping", e);
    }
  }

  /** What the cache fills itself from: our own bounded fetch, with a pause after a failure. */
  private final class Source implements JWKSetSource<SecurityContext> {
    @Override
    public JWKSet getJWKSet(
        JWKSetCacheRefreshEvaluator unless, long currentTime, @Nullable SecurityContext context)
        throws JWKSetUnavailableException {
      Fetched before = fetched;
      Instant now = clock.instant();
      if (before.error() != null && pauses(before.lastTry(), now)) {
        throw new JWKSetUnavailableException(before.error());
      }
      try {
        JWKSet keys = source.fetch(issuer);
        fetched = new Fetched(keys, now, now, null);
        if (before.keys() == null || before.error() != null) {
          LOG.info("issuer {}: {} keys fetched", issuer.issuer(), keys.size());
        }
        return keys;
      } catch (IOException e) {
        throw failed(before, e.getMessage() == null ? "no reason given" : e.getMessage());
      } catch (RuntimeException e) {
        throw failed(before, e.toString());
      }
    }

    private JWKSetUnavailableException failed(Fetched before, String reason) {
      fetched = new Fetched(before.keys(), before.since(), clock.instant(), reason);
      if (before.error() == null && !closed) {
        LOG.warn(
            "issuer {}: keys cannot be fetched, {}: {}",
            issuer.issuer(),
            before.keys() == null
                ? "its tokens cannot be used"
                : "those of " + before.since() + " go on serving",
            reason);
      }
      return new JWKSetUnavailableException(reason);
    }

    @Override
    public void close() {}
  }
}
