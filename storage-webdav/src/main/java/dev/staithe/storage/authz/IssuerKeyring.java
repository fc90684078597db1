package dev.staithe.storage.authz;

import java.io.IOException;
import java.security.PublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one issuer, kept fresh by a thread of its own: whatever the issuer does, only
 * requests that need a key which is not there wait, together for one fetch and no longer than the
 * policy's patience.
 */
final class IssuerKeyring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeyring.class);

  private final TrustedIssuer issuer;
  private final IssuerFetch source;
  private final KeyPolicy policy;
  private final Clock clock;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition asked = lock.newCondition();
  private final Condition fetched = lock.newCondition();

  // Written under the lock.
  private volatile @Nullable KeySet keys;

  // All guarded by the lock.
  private boolean wanted = true;
  private boolean closed;
  private long fetches;
  private Instant keysSince = Instant.EPOCH;
  private Instant lastTry = Instant.EPOCH;
  private Instant lastUnknown = Instant.EPOCH;
  private @Nullable String lastError;

  IssuerKeyring(TrustedIssuer issuer, IssuerFetch source, KeyPolicy policy, Clock clock) {
    this.issuer = issuer;
    this.source = source;
    this.policy = policy;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("keys of " + issuer.issuer()).unstarted(this::keepFresh);
  }

  /** Begins to fetch. */
  void start() {
    thread.start();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      fetched.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
  }

  /** The key of that id, perhaps after a wait of the policy's patience at most. */
  KeyAnswer find(String kid, TokenAlgorithm algorithm) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Instant now = clock.instant();
      if (usableAt(now)) {
        if (!now.isBefore(keysSince.plus(policy.refresh())) && mayTryAt(now)) {
          ask(); // and go on with what is there
        }
        PublicKey known = known(kid, algorithm);
        if (known != null) {
          return new KeyAnswer.Found(known);
        }
        // Once per pause, or anyone could make this service hammer its issuers with invented ids.
        if (!wanted && now.isBefore(lastUnknown.plus(policy.retry()))) {
          return lastError == null ? new KeyAnswer.NotThere() : unreachable(now);
        }
        lastUnknown = now;
      } else if (!wanted && !mayTryAt(now)) {
        return unreachable(now);
      }
      ask();
      awaitFetch();
      Instant later = clock.instant();
      PublicKey key = usableAt(later) ? known(kid, algorithm) : null;
      if (key != null) {
        return new KeyAnswer.Found(key);
      }
      return usableAt(later) && lastError == null && !wanted
          ? new KeyAnswer.NotThere()
          : unreachable(later);
    } finally {
      lock.unlock();
    }
  }

  /** What was fetched last, if anything was. */
  @Nullable KeySet current() {
    return keys;
  }

  /** How it stands. */
  IssuerStatus status() {
    lock.lock();
    try {
      KeySet now = keys;
      return new IssuerStatus(
          issuer.issuer(),
          now == null ? 0 : now.keys().size(),
          usableAt(clock.instant()),
          now == null ? null : keysSince,
          lastError);
    } finally {
      lock.unlock();
    }
  }

  private boolean usableAt(Instant now) {
    return keys != null && now.isBefore(keysSince.plus(policy.longest()));
  }

  private boolean mayTryAt(Instant now) {
    return !now.isBefore(lastTry.plus(policy.retry()));
  }

  private @Nullable PublicKey known(String kid, TokenAlgorithm algorithm) {
    KeySet now = keys;
    return now == null ? null : now.find(kid, algorithm);
  }

  private KeyAnswer unreachable(Instant now) {
    long pause = Duration.between(now, lastTry.plus(policy.retry())).toSeconds();
    return new KeyAnswer.Unreachable(
        "the keys of the token's issuer " + issuer.issuer() + " cannot be fetched now",
        (int) Math.clamp(pause, 1, policy.retry().toSeconds() + 1));
  }

  /** Has the thread fetch, unless it is at it. */
  private void ask() {
    wanted = true;
    asked.signal();
  }

  private void awaitFetch() throws InterruptedException {
    long seen = fetches;
    long left = policy.patience().toNanos();
    while (fetches == seen && !closed && left > 0) {
      left = fetched.awaitNanos(left);
    }
  }

  private void keepFresh() {
    try {
      while (true) {
        try {
          arrived(source.fetch(issuer));
        } catch (IOException e) {
          failed(e.getMessage() == null ? "no reason given" : e.getMessage());
        } catch (RuntimeException e) {
          // The thread must live: without it the issuer's tokens would be refused for ever.
          failed(e.toString());
        }
        awaitNextTurn();
      }
    } catch (InterruptedException closing) {
      // closed
    }
  }

  private void awaitNextTurn() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      // Real time, because the clock given may be any; requests look at the clock themselves.
      Duration pause = lastError == null ? policy.refresh() : policy.retry();
      long left = TimeUnit.SECONDS.toNanos(pause.toSeconds());
      while (!wanted && left > 0) {
        left = asked.awaitNanos(left);
      }
      wanted = true;
    } finally {
      lock.unlock();
    }
  }

  private void arrived(KeySet fresh) {
    Instant now = clock.instant();
    lock.lock();
    try {
      boolean news = keys == null || lastError != null;
      keys = fresh;
      keysSince = now;
      lastError = null;
      done(now);
      if (news) {
        LOG.info("issuer {}: {} keys fetched", issuer.issuer(), fresh.keys().size());
      }
    } finally {
      lock.unlock();
    }
  }

  private void failed(String reason) {
    Instant now = clock.instant();
    lock.lock();
    try {
      boolean news = lastError == null;
      lastError = reason;
      done(now);
      if (news && !closed) {
        LOG.warn(
            "issuer {}: keys cannot be fetched, {}: {}",
            issuer.issuer(),
            keys == null ? "its tokens cannot be used" : "those of " + keysSince + " go on serving",
            reason);
      }
    } finally {
      lock.unlock();
    }
  }

  private void done(Instant now) {
    lastTry = now;
    wanted = false;
    fetches++;
    fetched.signalAll();
  }
}
