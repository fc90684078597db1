package dev.staithe.gateway.trust;

import dev.staithe.wss.SecurityContext;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Contexts of one gateway; gone when it stops. Thread-safe; finding one waits for nobody. */
public final class MemoryContexts implements ContextStore {
  private static final int SWEPT_AT_ONCE = 64;

  /** The context, and what it was before its key was changed. */
  private record Entry(SecurityContext current, @Nullable SecurityContext before) {}

  private final ContextLimits limits;
  private final Clock clock;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  // Guarded by this, as is every change of entries.
  private final Map<String, Integer> bySubject = new HashMap<>();
  private final PriorityQueue<SecurityContext> byExpiry =
      new PriorityQueue<>(Comparator.comparing(SecurityContext::expires));
  private final EndedContexts ended = new EndedContexts();

  /** An empty store. */
  public MemoryContexts(ContextLimits limits, Clock clock) {
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public synchronized WriteOutcome keep(SecurityContext context) {
    Instant now = clock.instant();
    sweep(now, SWEPT_AT_ONCE);
    String subject = context.owner().subject();
    if (entries.size() >= limits.most()
        || bySubject.getOrDefault(subject, 0) >= limits.mostPerSubject()) {
      // Whoever is expired must not stand in the way of one who is not.
      sweep(now, Integer.MAX_VALUE);
    }
    if (bySubject.getOrDefault(subject, 0) >= limits.mostPerSubject()) {
      return new WriteOutcome.TooMany(true);
    }
    if (entries.size() >= limits.most()) {
      return new WriteOutcome.TooMany(false);
    }
    if (entries.putIfAbsent(context.identifier(), new Entry(context, null)) != null) {
      throw new IllegalStateException("an identifier of a context came twice");
    }
    bySubject.merge(subject, 1, Integer::sum);
    byExpiry.add(context);
    return new WriteOutcome.Stored();
  }

  @Override
  public synchronized WriteOutcome renew(SecurityContext renewed) {
    sweep(clock.instant(), SWEPT_AT_ONCE);
    Entry entry = entries.get(renewed.identifier());
    if (entry == null || !alive(entry.current())) {
      return again(renewed);
    }
    boolean newKey = !Objects.equals(entry.current().instance(), renewed.instance());
    // What it replaces need not be waited for, or whoever renews again and again fills the memory.
    SecurityContext replaced = newKey ? entry.before() : entry.current();
    if (replaced != null) {
      byExpiry.remove(replaced);
    }
    entries.put(
        renewed.identifier(), new Entry(renewed, newKey ? entry.current() : entry.before()));
    byExpiry.add(renewed);
    return new WriteOutcome.Stored();
  }

  /** One that had ended. */
  private WriteOutcome again(SecurityContext renewed) {
    sweep(clock.instant(), Integer.MAX_VALUE);
    if (ended.find(renewed.identifier()) == null) {
      return new WriteOutcome.Unknown();
    }
    WriteOutcome keeping = keep(renewed);
    if (keeping instanceof WriteOutcome.Stored) {
      ended.remove(renewed.identifier());
    }
    return keeping;
  }

  @Override
  public synchronized @Nullable SecurityContext renewable(String identifier) {
    Entry entry = entries.get(identifier);
    return entry == null ? ended.find(identifier) : entry.current();
  }

  @Override
  public synchronized CancelOutcome end(SecurityContext context) {
    ended.remove(context.identifier());
    Entry entry = entries.get(context.identifier());
    if (entry == null) {
      return new CancelOutcome.Unknown();
    }
    forget(entry);
    SecurityContext before = entry.before();
    // Nor does what was cancelled fill the memory until it would have ended.
    byExpiry.remove(entry.current());
    if (before != null) {
      byExpiry.remove(before);
    }
    if (entry.current() != context) {
      entry.current().end();
    }
    if (before != null && before != context) {
      before.end();
    }
    return new CancelOutcome.Cancelled();
  }

  @Override
  public @Nullable SecurityContext find(String identifier, @Nullable String instance) {
    Entry entry = entries.get(identifier);
    if (entry == null) {
      return null;
    }
    SecurityContext before = entry.before();
    SecurityContext named =
        Objects.equals(entry.current().instance(), instance)
            ? entry.current()
            : before != null && Objects.equals(before.instance(), instance) ? before : null;
    return named != null && alive(named) ? named : null;
  }

  private boolean alive(SecurityContext context) {
    return clock.instant().isBefore(context.expires());
  }

  /** Forgets what has expired, a few at a time, so that nobody pays for all. */
  private void sweep(Instant now, int most) {
    for (int i = 0; i < most; i++) {
      SecurityContext first = byExpiry.peek();
      if (first == null || now.isBefore(first.expires())) {
        return;
      }
      byExpiry.remove();
      Entry entry = entries.get(first.identifier());
      if (entry != null && !now.isBefore(entry.current().expires())) {
        // Its secret stays as it is: an answer to a request of the last second may need it.
        forget(entry);
        ended.add(entry.current());
      } else if (entry != null && entry.before() == first) {
        entries.put(first.identifier(), new Entry(entry.current(), null));
      }
    }
  }

  private void forget(Entry entry) {
    entries.remove(entry.current().identifier());
    bySubject.computeIfPresent(
        entry.current().owner().subject(), (subject, count) -> count == 1 ? null : count - 1);
  }

  @Override
  public synchronized int live() {
    sweep(clock.instant(), Integer.MAX_VALUE);
    return entries.size();
  }

  /** How many keys wait for their end; two of a context at most. */
  synchronized int waiting() {
    return byExpiry.size();
  }

  /** How many are remembered that have ended. */
  synchronized int remembered() {
    return ended.size();
  }

  @Override
  public @Nullable String trouble() {
    return null;
  }

  /** Overwrites all secrets. */
  @Override
  public synchronized void close() {
    entries
        .values()
        .forEach(
            entry -> {
              entry.current().end();
              if (entry.before() != null) {
                entry.before().end();
              }
            });
    entries.clear();
    bySubject.clear();
    byExpiry.clear();
    ended.clear();
  }
}
