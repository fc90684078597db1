package dev.staithe.authn.session;

import dev.staithe.authn.persistence.LogEnd;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.service.StoreUnavailable;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what the store's revocation log says into a node's {@link RevocationSet}: by one thread
 * that reads it at a steady pace, and at once on a hint or when somebody needs to know. Safe for
 * many threads.
 *
 * <p>An entry that was once read is never given up because the log lacks it later: a log that lost
 * entries is told them again. Nor is an epoch that was seen to end taken up again.
 */
final class RevocationFeed implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RevocationFeed.class);
  private static final int FORMER_EPOCHS = 64;

  /**
   * Between the beginnings of two reads where hints come without a pause, as they do from several
   * nodes under load: each read costs the store as much as a dozen validations cost the node.
   */
  private static final Duration BETWEEN_HINTS = Duration.ofMillis(50);

  private final SessionStore store;
  private final RevocationSet set;
  private final PendingEnds pending;
  private final ClockWatch watch;
  private final Duration timeout;
  private final Clock clock;
  private final LongSupplier nanos;
  private final RecurringTask reading;

  // Of the reading thread alone.
  private final Set<Long> formerEpochs = new LinkedHashSet<>();
  private String position = "";
  private boolean reload;
  private boolean failing;

  private volatile boolean ready;
  private volatile long readNanos;
  private volatile long readMillis;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition answered = lock.newCondition();
  private long wanted;
  private long served;
  private long good;

  RevocationFeed(
      SessionStore store,
      RevocationSet set,
      PendingEnds pending,
      ClockWatch watch,
      SessionPolicy policy,
      Clock clock,
      LongSupplier nanos) {
    this.store = store;
    this.set = set;
    this.pending = pending;
    this.watch = watch;
    this.timeout = policy.deadline();
    this.clock = clock;
    this.nanos = nanos;
    this.reading = new RecurringTask("revocation-feed", policy.poll(), this::read);
    this.readNanos = nanos.getAsLong();
    this.readMillis = clock.millis();
  }

  void start() {
    store.onHint(() -> reading.soon(BETWEEN_HINTS));
    reading.start();
  }

  /** Whether everything in the log was read once. Never becomes false again. */
  boolean ready() {
    return ready;
  }

  /** Age of what is known: since the newest complete read began, or since the start. */
  Duration lag() {
    return Duration.ofNanos(nanos.getAsLong() - readNanos);
  }

  /** By the clock, when the newest complete read began. */
  long readMillis() {
    return readMillis;
  }

  /**
   * Whether what is known may be older than a bound: by the time that passed or by the clock, as
   * time that a machine slept through is on the clock only.
   */
  boolean olderThan(Duration bound, long nowMillis) {
    return nanos.getAsLong() - readNanos > bound.toNanos()
        || nowMillis - readMillis > bound.toMillis();
  }

  /**
   * Waits for a read that began after this call; one read serves all who wait for it.
   *
   * @return whether there was one, and it was complete
   */
  boolean catchUp(Duration patience) {
    lock.lock();
    try {
      final long ticket = ++wanted;
      reading.wake();
      long left = patience.toNanos();
      while (served < ticket) {
        if (left <= 0) {
          return false;
        }
        left = answered.awaitNanos(left);
      }
      return good >= ticket;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void read() {
    long serving;
    lock.lock();
    try {
      serving = wanted;
    } finally {
      lock.unlock();
    }
    boolean complete = false;
    try {
      complete = readOnce();
    } finally {
      lock.lock();
      try {
        served = serving;
        good = complete ? serving : good;
        answered.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean readOnce() {
    // Before the read: what is appended while it runs may be missing from it.
    long beganNanos = nanos.getAsLong();
    long beganMillis = clock.millis();
    if (watch.setBack()) {
      log.warn("the clock was set back: reading the whole revocation log again");
      reload = true;
    }
    try {
      take(store.readLog(position, timeout, this::take));
    } catch (StoreUnavailable | RuntimeException e) {
      if (!failing) {
        failing = true;
        log.warn("the revocation log cannot be read, trying on: {}", e.getMessage());
      }
      return false;
    }
    if (failing) {
      failing = false;
      log.info("the revocation log can be read again");
    }
    readNanos = beganNanos;
    readMillis = beganMillis;
    ready = true;
    set.forget(watch.forForgetting());
    return true;
  }

  private void take(List<Revocation> entries) {
    set.addAll(entries);
    pending.seen(entries);
  }

  private void take(LogEnd end) throws StoreUnavailable {
    takeEpoch(end.epoch());
    if (reload) {
      // Besides what comes after the position, which alone tells whether entries were lost.
      store.readLog("", timeout, this::take);
      set.reloaded();
      reload = false;
    }
    if (end.regressed()) {
      var held = new RevocationSet();
      store.readLog("", timeout, held::addAll);
      List<Revocation> lacking = set.lacking(held);
      log.warn(
          "the revocation log has lost entries: it holds {}, and is told {} again",
          held.size(),
          lacking.size());
      pending.heal(lacking);
    }
    position = end.position();
  }

  private void takeEpoch(long epoch) {
    if (ready && epoch == set.epoch()) {
      return;
    }
    if (formerEpochs.contains(epoch)) {
      if (pending.endEpoch(epoch)) {
        log.warn("the session store went back to an epoch that had ended: beginning a new one");
      }
      return;
    }
    if (ready) {
      log.info("a new epoch of sessions has begun: tokens of the one before are not good any more");
      formerEpochs.add(set.epoch());
      if (formerEpochs.size() > FORMER_EPOCHS) {
        formerEpochs.remove(formerEpochs.iterator().next());
      }
    }
    set.epoch(epoch);
  }

  /** Ends; who waits for a read is told that there was none. */
  @Override
  public void close() {
    reading.close();
    lock.lock();
    try {
      served = Long.MAX_VALUE;
      answered.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
