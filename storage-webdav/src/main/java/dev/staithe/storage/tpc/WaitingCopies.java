package dev.staithe.storage.tpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Copies that wait for their turn, of each caller in the order in which they came. Groups take
 * turns, and in a group its callers do: whose turn it was goes last. For one thread at a time.
 */
final class WaitingCopies {
  /** The first group is the next to take its turn, and in it the first caller. */
  private final Map<String, Map<String, Deque<ActiveCopies.Job>>> groups = new LinkedHashMap<>();

  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  int of(String group) {
    return callers(group).values().stream().mapToInt(Deque::size).sum();
  }

  private Map<String, Deque<ActiveCopies.Job>> callers(String group) {
    return groups.getOrDefault(group, Map.of());
  }

  void add(ActiveCopies.Job job) {
    groups
        .computeIfAbsent(job.group(), group -> new LinkedHashMap<>())
        .computeIfAbsent(job.caller(), caller -> new ArrayDeque<>())
        .add(job);
    size++;
  }

  /** Whether it waited. */
  boolean remove(ActiveCopies.Job job) {
    Deque<ActiveCopies.Job> own = callers(job.group()).get(job.caller());
    if (own == null || !own.remove(job)) {
      return false;
    }
    size--;
    if (own.isEmpty()) {
      callers(job.group()).remove(job.caller());
    }
    if (callers(job.group()).isEmpty()) {
      groups.remove(job.group());
    }
    return true;
  }

  /**
   * The copy that waits last of the caller of the group with the most of them, if that one would
   * have as many as this one still when both give and take one.
   */
  Optional<ActiveCopies.Job> lastOfTheGreediest(String group, String caller) {
    Map<String, Deque<ActiveCopies.Job>> callers = callers(group);
    Deque<ActiveCopies.Job> own = callers.get(caller);
    int after = own == null ? 1 : own.size() + 1;
    return callers.values().stream()
        .max(Comparator.comparingInt(Deque::size))
        .filter(most -> most.size() > after)
        .map(Deque::getLast);
  }

  /**
   * Takes out the first that may run, of the group that holds the fewest places and of the caller
   * in it who does.
   */
  ActiveCopies.@Nullable Job next(Predicate<ActiveCopies.Job> mayRun, CopyPlaces places) {
    for (String group : turns(groups, places.byGroup()::of)) {
      Map<String, Deque<ActiveCopies.Job>> callers = callers(group);
      for (String caller : turns(callers, places.callers(group)::of)) {
        Deque<ActiveCopies.Job> own = callers.getOrDefault(caller, new ArrayDeque<>());
        for (Iterator<ActiveCopies.Job> jobs = own.iterator(); jobs.hasNext(); ) {
          ActiveCopies.Job job = jobs.next();
          if (mayRun.test(job)) {
            jobs.remove();
            size--;
            goesLast(callers, caller, own.isEmpty());
            goesLast(groups, group, callers.isEmpty());
            return job;
          }
        }
      }
    }
    return null;
  }

  /** Sorting keeps the turns of those who hold as many. */
  private static List<String> turns(Map<String, ?> waiting, ToIntFunction<String> held) {
    List<String> turns = new ArrayList<>(waiting.keySet());
    turns.sort(Comparator.comparingInt(held));
    return turns;
  }

  private static <T> void goesLast(Map<String, T> turns, String name, boolean done) {
    T own = turns.remove(name);
    if (own != null && !done) {
      turns.put(name, own);
    }
  }

  List<ActiveCopies.Job> all() {
    return groups.values().stream()
        .flatMap(callers -> callers.values().stream())
        .flatMap(Deque::stream)
        .toList();
  }
}
