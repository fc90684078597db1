package dev.staithe.authn.session;

import dev.staithe.authn.persistence.LogEnd;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.service.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ends that the store has not acknowledged yet. Each is tried again until it is, or until what
 * it ends would have expired by itself. Safe for many threads.
 */
final class PendingEnds {
  private static final Logger log = LoggerFactory.getLogger(PendingEnds.class);
  private static final int BATCH = 500;
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private final SessionStore store;
  private final ClockWatch watch;
  private final Duration deadline;
  private final LongSupplier nanos;
  private final Map<Object, PendingEnd> waiting = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Long> endingEpoch = new AtomicReference<>();
  private volatile boolean failing;

  /** How far the log was read for its epoch: all of it each time would keep others from it. */
  private volatile String position = "";

  /**
   * One that waits.
   *
   * @param healing whether it is told again only because the log lost it
   * @param due by nanoTime, when to try again
   */
  private record PendingEnd(Revocation revocation, boolean healing, long due) {}

  PendingEnds(SessionStore store, ClockWatch watch, Duration deadline, LongSupplier nanos) {
    this.store = store;
    this.watch = watch;
    this.deadline = deadline;
    this.nanos = nanos;
  }

  private static Object key(Revocation revocation) {
    return switch (revocation) {
      case Revocation.OfSession session -> session.id();
      case Revocation.OfUser user -> user.subject();
    };
  }

  /** Whether the end of a session waits. */
  boolean contains(SessionId id) {
    return waiting.containsKey(id);
  }

  int size() {
    return waiting.size();
  }

  /**
   * Tells the store, and remembers to do it again unless it acknowledges.
   *
   * @param revocations a few
   */
  WriteOutcome revoke(List<Revocation> revocations) {
    // Noted before, so that nobody is told meanwhile that it is done; due when this has given up.
    long due = nanos.getAsLong() + deadline.plus(MARGIN).toNanos();
    List<PendingEnd> noted = new ArrayList<>();
    for (Revocation revocation : revocations) {
      var added = new PendingEnd(revocation, false, due);
      note(added);
      noted.add(added);
    }
    WriteOutcome stored = tell(revocations);
    if (stored instanceof WriteOutcome.Stored) {
      noted.forEach(done -> waiting.remove(key(done.revocation), done));
    }
    return stored;
  }

  /** Remembers to tell the store soon, for whom nobody waits. */
  void later(Revocation revocation) {
    note(new PendingEnd(revocation, false, nanos.getAsLong()));
  }

  /** Remembers to tell the store again what its log lost. */
  void heal(Collection<Revocation> lacking) {
    for (Revocation revocation : lacking) {
      // Nodes lack the same: apart in time, most find that another was first.
      long pause = ThreadLocalRandom.current().nextLong(2 * MARGIN.toNanos());
      note(new PendingEnd(revocation, true, nanos.getAsLong() + pause));
    }
  }

  private void note(PendingEnd added) {
    waiting.merge(key(added.revocation), added, PendingEnds::both);
  }

  /** What says all that both say: an end that somebody waits for, and the later one of a user. */
  private static PendingEnd both(PendingEnd known, PendingEnd more) {
    boolean waitedFor = !known.healing && more.healing;
    PendingEnd kept = waitedFor ? known : more;
    PendingEnd other = waitedFor ? more : known;
    return covers(kept.revocation, other)
        ? kept
        : new PendingEnd(other.revocation, kept.healing, kept.due);
  }

  /** These are in the log: what was only to be told again need not be. */
  void seen(Collection<Revocation> entries) {
    if (waiting.isEmpty()) {
      return;
    }
    for (Revocation entry : entries) {
      waiting.computeIfPresent(
          key(entry), (key, known) -> known.healing && covers(entry, known) ? null : known);
    }
  }

  private static boolean covers(Revocation entry, PendingEnd known) {
    return !(entry instanceof Revocation.OfUser one
        && known.revocation instanceof Revocation.OfUser other
        && one.notBefore().isBefore(other.notBefore()));
  }

  /**
   * Remembers to end an epoch, unless the store is found to have left it.
   *
   * @return whether that is news
   */
  boolean endEpoch(long epoch) {
    Long before = endingEpoch.getAndSet(epoch);
    return before == null || before != epoch;
  }

  /** Tries what is due; to be called every second or so. */
  void retry() {
    retryEpoch();
    Instant now = watch.forForgetting();
    long at = nanos.getAsLong();
    List<PendingEnd> due = new ArrayList<>();
    for (PendingEnd each : waiting.values()) {
      if (each.revocation.expires().plus(RevocationSet.GRACE).isBefore(now)) {
        waiting.remove(key(each.revocation), each);
      } else if (each.due - at <= 0) {
        due.add(each);
      }
    }
    for (int from = 0; from < due.size(); from += BATCH) {
      List<PendingEnd> batch = due.subList(from, Math.min(from + BATCH, due.size()));
      if (!(tell(batch.stream().map(PendingEnd::revocation).toList())
          instanceof WriteOutcome.Stored)) {
        return;
      }
      batch.forEach(done -> waiting.remove(key(done.revocation), done));
    }
  }

  private void retryEpoch() {
    Long epoch = endingEpoch.get();
    if (epoch == null) {
      return;
    }
    try {
      LogEnd end = store.readLog(position, deadline, entries -> {});
      position = end.position();
      if (end.epoch() != epoch || store.beginEpoch(deadline) instanceof WriteOutcome.Stored) {
        endingEpoch.compareAndSet(epoch, null);
      }
    } catch (StoreUnavailable | RuntimeException e) {
      log.debug("the end of the epoch waits: {}", e.getMessage());
    }
  }

  private WriteOutcome tell(List<Revocation> revocations) {
    WriteOutcome stored;
    try {
      stored = store.revoke(revocations, deadline);
    } catch (RuntimeException e) {
      log.error("the session store broke", e);
      stored = new WriteOutcome.Failed("the session store broke");
    }
    switch (stored) {
      case WriteOutcome.Stored kept -> {
        if (failing) {
          failing = false;
          log.info("the session store acknowledges the ends of sessions again");
        }
      }
      case WriteOutcome.NotAcknowledged not -> complain(not.reason());
      case WriteOutcome.Failed failed -> complain(failed.reason());
    }
    return stored;
  }

  private void complain(String reason) {
    if (!failing) {
      failing = true;
      log.warn("ends of sessions are not acknowledged, trying on: {}", reason);
    }
  }
}
