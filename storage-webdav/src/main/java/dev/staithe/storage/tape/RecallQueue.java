package dev.staithe.storage.tape;

import dev.staithe.storage.files.StoragePath;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Recalls that run and that wait. Each file is recalled once for all who want it, and waits in the
 * line of each of them; the next is of the caller for whom the fewest run, and among those by
 * turns. For one thread at a time.
 */
final class RecallQueue {
  /**
   * A file, whatever name it was asked for by.
   *
   * @param area its name
   * @param place the file's one path, links followed
   */
  record Subject(String area, StoragePath place) {}

  /** Someone who waits for a file. */
  record Waiter(StageRequest request, StageFile file) {
    /** One file waits once; to compare requests would be to compare all of their files. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Waiter waiter && waiter.file == file;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(file);
    }
  }

  /** A file that is to be recalled. */
  static final class Recall {
    final Subject subject;
    final Set<Waiter> waiters = new LinkedHashSet<>();
    @Nullable Thread thread;

    /** For whom it runs: whose turn it took. */
    @Nullable String caller;

    /** Whether its command is ended because nobody waited: who joined after that begins anew. */
    boolean abandoned;

    Recall(Subject subject) {
      this.subject = subject;
    }
  }

  private final int most;
  private final int mostPerCaller;
  private final Map<Subject, Recall> recalls = new HashMap<>();
  private final Map<String, Set<Recall>> lines = new LinkedHashMap<>();
  private final Map<String, Integer> runningOf = new HashMap<>();
  private int running;

  RecallQueue(int most, int mostPerCaller) {
    this.most = most;
    this.mostPerCaller = mostPerCaller;
  }

  int running() {
    return running;
  }

  /** Files whose turn is to come. */
  int waiting() {
    return recalls.size() - running;
  }

  /** Joins those who wait for the file; tells whether its recall runs already. */
  boolean join(Subject subject, Waiter waiter) {
    Recall recall = recalls.computeIfAbsent(subject, Recall::new);
    recall.waiters.add(waiter);
    if (recall.thread == null) {
      lines.computeIfAbsent(waiter.request().caller(), caller -> new LinkedHashSet<>()).add(recall);
    }
    return recall.thread != null && !recall.abandoned;
  }

  /** Whether it is recalled, or will be. */
  boolean has(Subject subject) {
    return recalls.containsKey(subject);
  }

  /** Waits no more; where nobody does the recall is given back, to be ended if it runs. */
  @Nullable Recall leave(Subject subject, Waiter waiter) {
    Recall recall = recalls.get(subject);
    if (recall == null || !recall.waiters.remove(waiter)) {
      return null;
    }
    String caller = waiter.request().caller();
    if (recall.waiters.stream().noneMatch(other -> other.request().caller().equals(caller))) {
      remove(caller, recall);
    }
    if (!recall.waiters.isEmpty()) {
      return null;
    }
    if (recall.thread == null) {
      recalls.remove(subject);
      return null;
    }
    // It holds its place until its command has ended.
    recall.abandoned = true;
    return recall;
  }

  private void remove(String caller, Recall recall) {
    Set<Recall> line = lines.get(caller);
    if (line != null && line.remove(recall) && line.isEmpty()) {
      lines.remove(caller);
    }
  }

  /** The next that may run; it counts as running from now on, by that thread. */
  @Nullable Recall next(Function<Recall, Thread> threads) {
    if (running >= most) {
      return null;
    }
    String fewest = null;
    for (String caller : lines.keySet()) {
      int held = runningOf.getOrDefault(caller, 0);
      if (held < mostPerCaller && (fewest == null || held < runningOf.getOrDefault(fewest, 0))) {
        fewest = caller;
      }
    }
    Set<Recall> line = fewest == null ? null : lines.remove(fewest);
    if (fewest == null || line == null) {
      return null;
    }
    lines.put(fewest, line); // goes last
    Recall next = line.iterator().next();
    for (Waiter waiter : List.copyOf(next.waiters)) {
      remove(waiter.request().caller(), next);
    }
    remove(fewest, next);
    next.caller = fewest;
    next.thread = threads.apply(next);
    runningOf.merge(fewest, 1, Integer::sum);
    running++;
    return next;
  }

  /** A recall has run to its end; who waited is told by the caller. */
  void ended(Recall recall) {
    recalls.remove(recall.subject, recall);
    running--;
    String caller = recall.caller;
    if (caller != null) {
      runningOf.computeIfPresent(caller, (name, held) -> held > 1 ? held - 1 : null);
    }
  }

  /** All that run. */
  List<Recall> all() {
    return recalls.values().stream().filter(recall -> recall.thread != null).toList();
  }
}
