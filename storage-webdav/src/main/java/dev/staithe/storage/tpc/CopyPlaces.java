package dev.staithe.storage.tpc;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Places of one kind, those of the server or those with one host, and who holds them. For one
 * thread at a time.
 */
final class CopyPlaces {
  /** Who holds how many of some places. */
  static final class Held {
    private final Map<String, Integer> counts = new HashMap<>();

    int of(String name) {
      return counts.getOrDefault(name, 0);
    }

    void take(String name) {
      counts.merge(name, 1, Integer::sum);
    }

    void give(String name) {
      counts.computeIfPresent(name, (own, count) -> count > 1 ? count - 1 : null);
    }

    /** What each may have of so many places, with that one among them. */
    int share(int places, String name) {
      return Math.max(1, places / (counts.size() + (counts.containsKey(name) ? 0 : 1)));
    }

    /** Who holds the most, and more than that share. */
    Optional<String> greediest(int share) {
      return counts.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .filter(most -> most.getValue() > share)
          .map(Map.Entry::getKey);
    }
  }

  private final int limit;
  private final Held byGroup = new Held();
  private final Map<String, Held> byCaller = new HashMap<>();
  private int taken;

  CopyPlaces(int limit) {
    this.limit = limit;
  }

  boolean free() {
    return taken < limit;
  }

  boolean isEmpty() {
    return taken == 0;
  }

  int limit() {
    return limit;
  }

  Held byGroup() {
    return byGroup;
  }

  /** The callers of a group. */
  Held callers(String group) {
    return byCaller.getOrDefault(group, new Held());
  }

  void take(ActiveCopies.Job job) {
    byGroup.take(job.group());
    byCaller.computeIfAbsent(job.group(), group -> new Held()).take(job.caller());
    taken++;
  }

  void give(ActiveCopies.Job job) {
    byGroup.give(job.group());
    callers(job.group()).give(job.caller());
    if (byGroup.of(job.group()) == 0) {
      byCaller.remove(job.group());
    }
    taken--;
  }
}
