package dev.staithe.storage.locks;

import dev.staithe.storage.files.SteadyClock;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.locks.LockTable.Lock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a table as they are found: by path, token, holder and end. Any thread may ask what
 * is locked, and waits for nobody; the rest is for the one that has the table.
 */
final class LockIndex {
  private static final Comparator<StoragePath> BY_SEGMENTS =
      (one, other) -> {
        int common = Math.min(one.segments().size(), other.segments().size());
        for (int i = 0; i < common; i++) {
          int order = one.segments().get(i).compareTo(other.segments().get(i));
          if (order != 0) {
            return order;
          }
        }
        return Integer.compare(one.segments().size(), other.segments().size());
      };

  /** The locks of each root; what is below a path stands together. The lists are never changed. */
  private final ConcurrentNavigableMap<StoragePath, List<Lock>> byRoot =
      new ConcurrentSkipListMap<>(BY_SEGMENTS);

  private final Map<String, Lock> byToken = new HashMap<>();
  private final Map<String, Integer> ofHolder = new HashMap<>();
  private final NavigableSet<Lock> byEnd =
      new TreeSet<>(Comparator.comparing(Lock::expires).thenComparing(Lock::token));
  private final SteadyClock clock;
  private volatile Instant lastEnd = Instant.MIN; // None ends later.

  LockIndex(SteadyClock clock) {
    this.clock = clock;
  }

  boolean isEmpty() {
    return byRoot.isEmpty() || !lastEnd.isAfter(clock.instant());
  }

  List<Lock> covering(StoragePath path) {
    if (isEmpty()) {
      return List.of();
    }
    Instant now = clock.instant();
    List<Lock> covering = new ArrayList<>();
    StoragePath root = path;
    for (int i = path.segments().size(); i >= 0; i--) {
      for (Lock lock : byRoot.getOrDefault(root, List.of())) {
        if (lock.expires().isAfter(now) && lock.covers(path)) {
          covering.add(lock);
        }
      }
      root = root.parent();
    }
    return covering;
  }

  List<Lock> below(StoragePath path) {
    Instant now = clock.instant();
    List<Lock> below = new ArrayList<>();
    for (Map.Entry<StoragePath, List<Lock>> each : byRoot.tailMap(path, true).entrySet()) {
      if (!each.getKey().startsWith(path)) {
        break;
      }
      each.getValue().stream().filter(lock -> lock.expires().isAfter(now)).forEach(below::add);
    }
    return below;
  }

  @Nullable Lock get(String token) {
    return byToken.get(token);
  }

  Set<String> tokens() {
    return byToken.keySet();
  }

  /** How many there are, among them what has ended and was not swept yet. */
  int size() {
    return byToken.size();
  }

  int ofHolder(String holder) {
    return ofHolder.getOrDefault(holder, 0);
  }

  /** All, the next to end first. */
  Stream<Lock> byEnd() {
    return byEnd.stream();
  }

  /** Forgets those that have ended. */
  void expire() {
    Instant now = clock.instant();
    while (!byEnd.isEmpty() && !byEnd.first().expires().isAfter(now)) {
      remove(byEnd.first().token());
    }
  }

  /** Puts a lock in the place of the one with its token; who looks sees one of them always. */
  void put(Lock lock) {
    Lock before = byToken.put(lock.token(), lock);
    if (before == null) {
      ofHolder.merge(lock.holder(), 1, Integer::sum);
    } else {
      byEnd.remove(before);
    }
    byEnd.add(lock);
    if (lock.expires().isAfter(lastEnd)) {
      lastEnd = lock.expires();
    }
    byRoot.compute(
        lock.root(),
        (root, locks) ->
            Stream.concat(
                    locks == null
                        ? Stream.empty()
                        : locks.stream().filter(l -> !l.token().equals(lock.token())),
                    Stream.of(lock))
                .toList());
  }

  void remove(String token) {
    Lock lock = byToken.remove(token);
    if (lock == null) {
      return;
    }
    byEnd.remove(lock);
    ofHolder.computeIfPresent(lock.holder(), (holder, n) -> n == 1 ? null : n - 1);
    byRoot.computeIfPresent(
        lock.root(),
        (root, locks) -> {
          List<Lock> left = locks.stream().filter(l -> !l.token().equals(token)).toList();
          return left.isEmpty() ? null : left;
        });
  }
}
