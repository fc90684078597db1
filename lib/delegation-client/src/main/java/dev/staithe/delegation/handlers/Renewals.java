package dev.staithe.delegation.handlers;

import dev.staithe.delegation.client.DelegationRefusal.Kind;
import dev.staithe.delegation.client.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What ends and is renewed before: one value for each key, of which two callers at once get one.
 * Those that were not used for the longest time are forgotten first. Thread-safe.
 */
final class Renewals<K, V> {
  /** After a renewal that brought nothing longer, or failed. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private static final class Slot<V> {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable V value;
    private Instant notAgainBefore = Instant.MIN;
  }

  private final int most;
  private final Duration before;
  private final Function<V, Instant> end;
  private final Predicate<Kind> outlived;
  private final Clock clock;
  private final Map<K, Slot<V>> slots = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Nothing is there yet.
   *
   * @param most how many are remembered
   * @param before how long before its end a value is renewed
   * @param end when a value is no longer good
   * @param outlived refusals that leave the last value good until its end
   */
  Renewals(
      int most, Duration before, Function<V, Instant> end, Predicate<Kind> outlived, Clock clock) {
    this.most = most;
    this.before = before;
    this.end = end;
    this.outlived = outlived;
    this.clock = clock;
  }

  /**
   * The value for a key.
   *
   * @param renewal makes one, given the last, which may have ended; null where there is none
   */
  Outcome<V> get(K key, Function<@Nullable V, Outcome<V>> renewal) {
    Slot<V> slot = slot(key);
    slot.lock.lock();
    boolean had = slot.value != null;
    try {
      return get(slot, renewal);
    } finally {
      if (slot.value == null) {
        forget(key, slot);
      } else if (!had) {
        makeRoom();
      }
      slot.lock.unlock();
    }
  }

  private Outcome<V> get(Slot<V> slot, Function<@Nullable V, Outcome<V>> renewal) {
    Instant now = clock.instant();
    V last = slot.value;
    V usable = last != null && end.apply(last).isAfter(now) ? last : null;
    if (usable != null
        && (end.apply(usable).isAfter(now.plus(before)) || slot.notAgainBefore.isAfter(now))) {
      return new Outcome.Done<>(usable);
    }
    Outcome<V> renewed = renewal.apply(last);
    // What ends soon gives nothing longer, however often it is asked. From now on, as who gave no
    // answer may have taken as long as the pause is.
    slot.notAgainBefore = clock.instant().plus(PAUSE);
    if (renewed instanceof Outcome.Done<V>(V value)) {
      slot.value = value;
    } else if (usable != null && renewed instanceof Outcome.Refused<V>(var refusal)) {
      if (outlived.test(refusal.kind())) {
        return new Outcome.Done<>(usable);
      }
      slot.value = null;
    }
    return renewed;
  }

  private Slot<V> slot(K key) {
    synchronized (slots) {
      return slots.computeIfAbsent(key, absent -> new Slot<>());
    }
  }

  /** What cannot be had takes no place, or who asks for it again and again would have all. */
  private void forget(K key, Slot<V> slot) {
    synchronized (slots) {
      if (!slot.lock.hasQueuedThreads()) {
        slots.remove(key, slot);
      }
    }
  }

  private void makeRoom() {
    synchronized (slots) {
      List<K> held =
          slots.entrySet().stream()
              .filter(each -> each.getValue().value != null)
              .map(Map.Entry::getKey)
              .toList();
      held.stream().limit(Math.max(0, held.size() - most)).forEach(slots::remove);
    }
  }

  /** Forgets all. */
  void clear() {
    synchronized (slots) {
      slots.clear();
    }
  }
}
