package dev.staithe.authn.session;

import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.service.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the idle rule between nodes without a write per use. With {@code g} a tenth of the idle
 * limit:
 *
 * <ul>
 *   <li>A session that was not used for its idle limit, on any node, is refused.
 *   <li>One that was used within its idle limit less {@code g}, on any node, is not refused.
 *   <li>Between the two it depends on what the node that is asked has heard.
 * </ul>
 *
 * <p>That holds while the store answers and the nodes' clocks agree; a clock that is set back
 * lengthens the idle limit by at most as much as it was set back, and a node that dies takes the
 * uses of its last second with it.
 *
 * <p>How: each node remembers its own uses and writes one down when its last written one is {@code
 * g} old: by a thread that soon after writes them together, so that there is at most one write per
 * node, session and {@code g}. The store is read only when what the node itself knows is as old as
 * the idle limit. And where the store knows nothing younger than half the idle limit, the use is
 * written before it is answered, as another node might ask before the thread has written.
 *
 * <p>Safe for many threads. A use takes one look-up and no lock, except in those last two cases.
 */
final class LastUses implements AutoCloseable {
  /** How long after a use that is to be written it is written. */
  static final Duration FLUSH = Duration.ofMillis(500);

  private static final Logger log = LoggerFactory.getLogger(LastUses.class);
  private static final int PARTS = 10;
  private static final int BATCH = 1000;
  private static final int MOST = 1_000_000;
  private static final long SWEEP_MILLIS = 10_000;
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final SessionStore store;
  private final Duration timeout;
  private final LongSupplier nanos;
  private final Map<SessionId, Entry> entries = new ConcurrentHashMap<>();
  private final Map<SessionId, Instant> unwritten = new ConcurrentHashMap<>();
  private final RecurringTask writing = new RecurringTask("session-uses", FLUSH, this::write);
  private final LongAdder writes = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private volatile boolean failing;
  private volatile long failedNanos;
  private volatile long latest;
  private long sweptMillis;

  /** Times of one session, in ms. */
  private static final class Entry {
    private final long idle;
    // The last use that this node knows of.
    private volatile long used;
    // The last that it gave to be written.
    private volatile long given;
    // The last that it knows the store to have.
    private volatile long stored;

    private static final AtomicLongFieldUpdater<Entry> USED =
        AtomicLongFieldUpdater.newUpdater(Entry.class, "used");
    private static final AtomicLongFieldUpdater<Entry> STORED =
        AtomicLongFieldUpdater.newUpdater(Entry.class, "stored");

    private Entry(long idle, long used) {
      this.idle = idle;
      this.used = used;
      this.given = used;
      this.stored = used;
    }

    private void used(long millis) {
      if (millis > used) {
        USED.accumulateAndGet(this, millis, Math::max);
      }
    }

    private void stored(long millis) {
      STORED.accumulateAndGet(this, millis, Math::max);
    }
  }

  /** What is to be said of a use. */
  enum Use {
    /** The session was not idle; this counts as a use. */
    GOOD,
    /** It was, and this does not count. */
    IDLE,
    /** The store has no such session. */
    GONE,
    /** This node knows of no use that is young enough, and the store does not answer. */
    UNKNOWN
  }

  LastUses(SessionStore store, Duration timeout, LongSupplier nanos) {
    this.store = store;
    this.timeout = timeout;
    this.nanos = nanos;
  }

  void start() {
    writing.start();
  }

  /** A use of a token that is good otherwise, now by the clock in ms. */
  Use use(SessionToken token, long now) {
    Entry entry = entries.get(token.id());
    if (entry == null) {
      entry = entered(token, now);
    }
    if (now - entry.used >= entry.idle) {
      Use inStore = readInto(entry, token.id(), now);
      if (inStore != Use.GOOD) {
        return inStore;
      }
    }
    entry.used(now);
    if (now - entry.given >= entry.idle / PARTS) {
      give(entry, token.id(), now);
    }
    return Use.GOOD;
  }

  /** Whether {@link #use} would have to ask the store, or write to it, before it can answer. */
  boolean wouldWait(SessionToken token, long now) {
    Entry entry = entries.get(token.id());
    if (entry == null) {
      entry = entered(token, now);
    }
    return now - entry.used >= entry.idle
        || now - entry.given >= entry.idle / PARTS && now - entry.stored >= entry.idle / 2;
  }

  private Entry entered(SessionToken token, long now) {
    latest = now;
    // The login counts as a use, and the store has it.
    return entries.computeIfAbsent(
        token.id(), id -> new Entry(token.idle().toMillis(), token.issued().toEpochMilli()));
  }

  private Use readInto(Entry entry, SessionId id, long now) {
    if (resting()) {
      return Use.UNKNOWN;
    }
    try {
      reads.increment();
      Optional<Instant> last = store.lastUse(id, timeout);
      if (last.isEmpty()) {
        return Use.GONE;
      }
      long millis = last.get().toEpochMilli();
      entry.stored(millis);
      entry.used(millis);
      recovered();
    } catch (StoreUnavailable | RuntimeException e) {
      failed(e);
      return Use.UNKNOWN;
    }
    return now - entry.used < entry.idle ? Use.GOOD : Use.IDLE;
  }

  private void give(Entry entry, SessionId id, long now) {
    latest = now;
    // Written down first, so that it is written by the thread where this cannot write it at once.
    unwritten.merge(id, Instant.ofEpochMilli(now), (a, b) -> a.isAfter(b) ? a : b);
    if (now - entry.stored < entry.idle / 2 || resting()) {
      entry.given = now;
      return;
    }
    Instant use = Instant.ofEpochMilli(now);
    try {
      store.touch(Map.of(id, use));
      writes.increment();
      entry.stored(now);
      recovered();
      unwritten.remove(id, use);
    } catch (StoreUnavailable | RuntimeException e) {
      failed(e);
    }
    // Only now: others that use it at the same time must not be answered before.
    entry.given = now;
  }

  /** Writes what waits and forgets what is old; the thread calls it, and tests do. */
  void write() {
    while (!unwritten.isEmpty()) {
      Map<SessionId, Instant> batch = HashMap.newHashMap(BATCH);
      for (Map.Entry<SessionId, Instant> use : unwritten.entrySet()) {
        batch.put(use.getKey(), use.getValue());
        if (batch.size() == BATCH) {
          break;
        }
      }
      try {
        store.touch(batch);
      } catch (StoreUnavailable | RuntimeException e) {
        failed(e);
        return;
      }
      recovered();
      writes.add(batch.size());
      batch.forEach(this::written);
    }
    sweep();
  }

  private void written(SessionId id, Instant use) {
    unwritten.remove(id, use);
    Entry entry = entries.get(id);
    if (entry != null) {
      entry.stored(use.toEpochMilli());
    }
  }

  private void sweep() {
    // By the uses themselves: where there are none, nothing grows. A clock may have been set back.
    long now = latest;
    if (Math.abs(now - sweptMillis) < SWEEP_MILLIS && entries.size() <= MOST) {
      return;
    }
    sweptMillis = now;
    int tooMany = entries.size() - MOST;
    for (Iterator<Map.Entry<SessionId, Entry>> i = entries.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<SessionId, Entry> each = i.next();
      boolean old = now - each.getValue().used >= each.getValue().idle;
      // An entry that is missed costs a question to the store, and nothing else, once it is
      // written.
      if (old || tooMany > 0 && !unwritten.containsKey(each.getKey())) {
        i.remove();
        tooMany--;
      }
    }
  }

  /** The last use in ms that is known, read from the store if that can change the answer. */
  long last(SessionToken token, long now) {
    Entry entry = entries.get(token.id());
    long used = entry == null ? token.issued().toEpochMilli() : entry.used;
    if (now - used < token.idle().toMillis() / PARTS || resting()) {
      return used;
    }
    try {
      reads.increment();
      return store
          .lastUse(token.id(), timeout)
          .map(last -> Math.max(used, last.toEpochMilli()))
          .orElse(used);
    } catch (StoreUnavailable | RuntimeException e) {
      failed(e);
      return used;
    }
  }

  /** The session has ended. */
  void forget(SessionId id) {
    entries.remove(id);
    unwritten.remove(id);
  }

  /** How many uses were written. */
  long writes() {
    return writes.sum();
  }

  /** How often the store was asked for a last use. */
  long reads() {
    return reads.sum();
  }

  int size() {
    return entries.size();
  }

  /** Whether the store has just failed and is left alone, so that nobody waits for it in vain. */
  private boolean resting() {
    return failing && nanos.getAsLong() - failedNanos < AFTER_FAILURE.toNanos();
  }

  private void failed(Exception e) {
    failedNanos = nanos.getAsLong();
    if (!failing) {
      failing = true;
      log.warn("last uses of sessions cannot be read or written, trying on: {}", e.getMessage());
    }
  }

  private void recovered() {
    if (failing) {
      failing = false;
      log.info("last uses of sessions can be read and written again");
    }
  }

  /** Writes what waits, and ends. */
  @Override
  public void close() {
    writing.close();
    write();
  }
}
