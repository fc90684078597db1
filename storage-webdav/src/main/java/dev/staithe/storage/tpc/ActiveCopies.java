package dev.staithe.storage.tpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All third-party copies of this server: runs so many at once, and so many with one remote host,
 * and lets the others wait. Groups of callers take turns, so that one that asks for a thousand
 * copies does not delay another's first; within a group the first come is the first served, except
 * that a copy whose host is busy is passed by. Safe for use by many threads.
 */
public final class ActiveCopies {
  /**
   * One copy on its way.
   *
   * @param group whose turn it takes
   * @param host the remote host whose limit it counts for
   * @param work moves the bytes; called once at most, on a virtual thread of its own
   * @param dropped called with the reason instead, where the copy is cancelled before its turn
   */
  record Job(
      String group, String host, CopyProgress progress, Runnable work, Consumer<String> dropped) {}

  /** What became of a job at the door. */
  sealed interface Entry {
    /** It runs. */
    record Started() implements Entry {}

    /** It waits. */
    record Waiting() implements Entry {}

    /** It is turned away with that status; {@code line} is safe to show. */
    record Refused(int status, String line) implements Entry {}
  }

  private final CopySettings.Limits limits;
  private final ReentrantLock lock = new ReentrantLock();

  /** Waiting jobs by group; the first group is the next to take its turn. */
  private final Map<String, Deque<Job>> waiting = new LinkedHashMap<>();

  private final Map<String, Integer> byHost = new HashMap<>();
  private final Set<Job> running = new HashSet<>();
  private int waitingCount;
  private @Nullable String closedFor;

  /** Makes an empty registry. */
  public ActiveCopies(CopySettings settings) {
    this.limits = settings.limits();
  }

  Entry submit(Job job) {
    lock.lock();
    try {
      String closed = closedFor;
      if (closed != null) {
        return new Entry.Refused(503, closed);
      }
      if (waiting.isEmpty() && mayRun(job)) {
        start(job);
        return new Entry.Started();
      }
      Deque<Job> own = waiting.get(job.group());
      if (waitingCount >= limits.queued()) {
        return new Entry.Refused(503, "too many third-party copies are waiting");
      }
      if (own != null && own.size() >= limits.queuedPerGroup() || limits.queuedPerGroup() == 0) {
        return new Entry.Refused(429, "too many third-party copies of your group are waiting");
      }
      waiting.computeIfAbsent(job.group(), group -> new ArrayDeque<>()).add(job);
      waitingCount++;
      startWhatMay();
      return running.contains(job) ? new Entry.Started() : new Entry.Waiting();
    } finally {
      lock.unlock();
    }
  }

  private boolean mayRun(Job job) {
    return running.size() < limits.running()
        && byHost.getOrDefault(job.host(), 0) < limits.perHost();
  }

  private void start(Job job) {
    running.add(job);
    byHost.merge(job.host(), 1, Integer::sum);
    job.progress().enter(CopyProgress.Phase.CONNECTING);
    Thread.ofVirtual()
        .name("copy")
        .start(
            () -> {
              try {
                job.work().run();
              } finally {
                ended(job);
              }
            });
  }

  private void ended(Job job) {
    lock.lock();
    try {
      running.remove(job);
      byHost.computeIfPresent(job.host(), (host, count) -> count > 1 ? count - 1 : null);
      startWhatMay();
    } finally {
      lock.unlock();
    }
  }

  private void startWhatMay() {
    while (running.size() < limits.running()) {
      Job next = takeNext();
      if (next == null) {
        return;
      }
      start(next);
    }
  }

  /** The first job that may run of the first group that has one; that group then goes last. */
  private @Nullable Job takeNext() {
    for (Map.Entry<String, Deque<Job>> group : waiting.entrySet()) {
      for (Iterator<Job> jobs = group.getValue().iterator(); jobs.hasNext(); ) {
        Job job = jobs.next();
        if (mayRun(job)) {
          jobs.remove();
          waitingCount--;
          String name = group.getKey();
          Deque<Job> rest = group.getValue();
          waiting.remove(name);
          if (!rest.isEmpty()) {
            waiting.put(name, rest);
          }
          return job;
        }
      }
    }
    return null;
  }

  /** Cancels a copy, whether it waits or runs. */
  void cancel(Job job, String why) {
    boolean waited = false;
    lock.lock();
    try {
      Deque<Job> own = waiting.get(job.group());
      if (own != null && own.remove(job)) {
        waitingCount--;
        if (own.isEmpty()) {
          waiting.remove(job.group());
        }
        waited = true;
      }
    } finally {
      lock.unlock();
    }
    if (waited) {
      job.dropped().accept(why);
    }
    job.progress().cancel(why);
  }

  /**
   * Cancels all copies and refuses new ones from now on: for shutting down. Returns at once; the
   * clients are told {@code aborted: why} by their own requests' threads.
   */
  public void abortAll(String why) {
    List<Job> all = new ArrayList<>();
    lock.lock();
    try {
      closedFor = why;
      waiting.values().forEach(all::addAll);
      all.addAll(running);
    } finally {
      lock.unlock();
    }
    all.forEach(job -> cancel(job, why));
  }

  /** Copies that move bytes now. */
  public int running() {
    lock.lock();
    try {
      return running.size();
    } finally {
      lock.unlock();
    }
  }

  /** Copies that wait for their turn. */
  public int queued() {
    lock.lock();
    try {
      return waitingCount;
    } finally {
      lock.unlock();
    }
  }
}
