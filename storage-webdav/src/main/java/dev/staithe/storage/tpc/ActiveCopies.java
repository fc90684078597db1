package dev.staithe.storage.tpc;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All third-party copies of this server: runs so many at once, and so many with one remote host,
 * and lets the others wait. A place that becomes free goes to the group of callers that holds the
 * fewest, and among those by turns; within a group the first come is the first served, except that
 * a copy whose host is busy is passed by.
 *
 * <p>One group may hold every place while nobody else wants one. When another does that holds none,
 * the slowest copy of the group that holds the most is ended for it; as long as it holds less than
 * its share, so is one more for each copy that it asks for, if that moves fewer than {@link #SLOW}
 * bytes a second. Safe for use by many threads.
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

  /** Bytes a second below which a copy gives way to those who have less than their share. */
  static final long SLOW = 1 << 20;

  /** So long a copy may take to get going, nanoseconds. */
  private static final long BEGINNING = Duration.ofSeconds(30).toNanos();

  private static final String GIVES_WAY =
      "others wait, and your group has more than its share of the places: ask again";

  /** Places of one kind, those of the server or those with one host, and who holds them. */
  private static final class Places {
    private final int limit;
    private final Map<String, Integer> held = new HashMap<>();
    private int taken;

    Places(int limit) {
      this.limit = limit;
    }

    boolean free() {
      return taken < limit;
    }

    int of(String group) {
      return held.getOrDefault(group, 0);
    }

    void take(String group) {
      held.merge(group, 1, Integer::sum);
      taken++;
    }

    void give(String group) {
      held.computeIfPresent(group, (name, count) -> count > 1 ? count - 1 : null);
      taken--;
    }

    /** What each group may have, with that one among them. */
    int share(String group) {
      return Math.max(1, limit / (held.size() + (held.containsKey(group) ? 0 : 1)));
    }

    /** Who holds the most, and more than that one's share. */
    Optional<String> greediest(String other) {
      return held.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .filter(most -> most.getValue() > share(other))
          .map(Map.Entry::getKey);
    }
  }

  private final CopySettings.Limits limits;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** Waiting jobs by group; the first group is the next to take its turn. */
  private final Map<String, Deque<Job>> waiting = new LinkedHashMap<>();

  private final Places all;
  private final Map<String, Places> byHost = new HashMap<>();

  /** With the time when it began. */
  private final Map<Job, Long> running = new HashMap<>();

  /** Those that give way, until they have, and to which group. */
  private final Map<Job, String> leaving = new HashMap<>();

  private int waitingCount;
  private @Nullable String closedFor;

  /** Makes an empty registry. */
  public ActiveCopies(CopySettings settings) {
    this(settings, System::nanoTime);
  }

  ActiveCopies(CopySettings settings, LongSupplier nanos) {
    this.limits = settings.limits();
    this.nanos = nanos;
    this.all = new Places(limits.running());
  }

  Entry submit(Job job) {
    Job leaves = null;
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
      if (running.containsKey(job)) {
        return new Entry.Started();
      }
      leaves = whoGivesWay(job);
      return new Entry.Waiting();
    } finally {
      lock.unlock();
      if (leaves != null) {
        leaves.progress().cancel(GIVES_WAY);
      }
    }
  }

  /** Whose place a waiting copy gets, if one must end for it. */
  private @Nullable Job whoGivesWay(Job job) {
    Places full = all.free() ? places(job.host()) : all;
    int coming = (int) leaving.values().stream().filter(job.group()::equals).count();
    int held = full.of(job.group()) + coming;
    if (held >= full.share(job.group())) {
      return null;
    }
    String greediest = full.greediest(job.group()).orElse(null);
    Job slowest =
        running.keySet().stream()
            .filter(each -> each.group().equals(greediest) && !leaving.containsKey(each))
            .filter(each -> full == all || each.host().equals(job.host()))
            .min(Comparator.comparingDouble(this::rate))
            .orElse(null);
    if (slowest == null || held > 0 && !isSlow(slowest)) {
      return null;
    }
    leaving.put(slowest, job.group());
    return slowest;
  }

  /** Bytes a second from its beginning on. */
  private double rate(Job job) {
    long nanosSince = Math.max(1, nanos.getAsLong() - running.getOrDefault(job, 0L));
    return job.progress().bytes() * 1e9 / nanosSince;
  }

  private boolean isSlow(Job job) {
    return nanos.getAsLong() - running.getOrDefault(job, 0L) > BEGINNING && rate(job) < SLOW;
  }

  private Places places(String host) {
    return byHost.computeIfAbsent(host, name -> new Places(limits.perHost()));
  }

  private boolean mayRun(Job job) {
    Places host = byHost.get(job.host());
    return all.free() && (host == null || host.free());
  }

  private void start(Job job) {
    running.put(job, nanos.getAsLong());
    all.take(job.group());
    places(job.host()).take(job.group());
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
      leaving.remove(job);
      all.give(job.group());
      Places host = places(job.host());
      host.give(job.group());
      if (host.taken == 0) {
        byHost.remove(job.host());
      }
      startWhatMay();
    } finally {
      lock.unlock();
    }
  }

  private void startWhatMay() {
    while (all.free()) {
      Job next = takeNext();
      if (next == null) {
        return;
      }
      start(next);
    }
  }

  /** The first job that may run, of the group with the fewest places; that group then goes last. */
  private @Nullable Job takeNext() {
    List<String> turns = new ArrayList<>(waiting.keySet());
    turns.sort(Comparator.comparingInt(all::of)); // keeps the turns of those who have as many
    for (String group : turns) {
      Deque<Job> own = Objects.requireNonNull(waiting.get(group));
      for (Iterator<Job> jobs = own.iterator(); jobs.hasNext(); ) {
        Job job = jobs.next();
        if (mayRun(job)) {
          jobs.remove();
          waitingCount--;
          waiting.remove(group);
          if (!own.isEmpty()) {
            waiting.put(group, own);
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
    List<Job> every = new ArrayList<>();
    lock.lock();
    try {
      closedFor = why;
      waiting.values().forEach(every::addAll);
      every.addAll(running.keySet());
    } finally {
      lock.unlock();
    }
    every.forEach(job -> cancel(job, why));
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
