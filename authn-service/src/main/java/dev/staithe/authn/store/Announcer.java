package dev.staithe.authn.store;

import dev.staithe.authn.persistence.Revocation;
import dev.staithe.service.StoreUnavailable;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Tells other nodes of ends whose acknowledgement stays out: by a write of their own that waits for
 * no copy. Where that does not succeed either, as while one database takes over from another, it is
 * done again until it does or the entry has expired: the writer's own commit may hang for as long
 * as there is no standby, and nobody sees what it holds. Safe for many threads.
 */
final class Announcer implements AutoCloseable {
  private static final Duration BEFORE_AGAIN = Duration.ofMillis(200);

  private final Log log;
  private final Clock clock;
  private final Set<Revocation> waiting = ConcurrentHashMap.newKeySet();
  private final Semaphore news = new Semaphore(0);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  /** Where it is written. */
  interface Log {
    /** Appends, and makes the other nodes look. */
    void append(List<Revocation> revocations) throws StoreUnavailable;
  }

  /** Begins. */
  Announcer(Log log, Clock clock) {
    this.log = log;
    this.clock = clock;
    this.thread = Thread.ofPlatform().name("session-store-news").daemon().unstarted(this::run);
    thread.start();
  }

  /** Does not wait. */
  void announce(Collection<Revocation> revocations) {
    waiting.addAll(revocations);
    news.release();
  }

  /** How many have not been told. */
  int waiting() {
    return waiting.size();
  }

  private void run() {
    try {
      while (closing.getCount() > 0) {
        news.acquire();
        news.drainPermits();
        while (!waiting.isEmpty() && !told()) {
          if (closing.await(BEFORE_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private boolean told() {
    waiting.removeIf(each -> each.expires().isBefore(clock.instant()));
    List<Revocation> batch = waiting.stream().limit(GroupCommit.ROWS).toList();
    if (batch.isEmpty()) {
      return true;
    }
    try {
      log.append(batch);
      batch.forEach(waiting::remove);
      return waiting.isEmpty();
    } catch (StoreUnavailable e) {
      return false;
    }
  }

  @Override
  public void close() {
    closing.countDown();
    thread.interrupt();
  }
}
