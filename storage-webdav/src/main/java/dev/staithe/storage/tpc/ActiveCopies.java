package dev.staithe.storage.tpc;

import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All third-party copies of this server: runs so many at once, and so many with one remote host,
 * and lets the others wait. A place that becomes free goes to the group of callers that holds the
 * fewest, and among those by turns; within the group to the caller who holds the fewest, and so on.
 * Of one caller the first come is the first served, except that a copy whose host is busy is passed
 * by.
 *
 * <p>One group may hold every place while nobody else wants one. When another does that holds none,
 * the slowest copy of the group that holds the most is ended for it; as long as it holds less than
 * its share, so is one more for each copy that it asks for, if that moves fewer than {@link #SLOW}
 * bytes a second. The callers of a group share what the group holds in the same way; and where as
 * many of the group wait as may, a caller with few of them takes the place of the last one of who
 * has the most. Safe for use by many threads.
 */
public final class ActiveCopies {
  /**
   * One copy on its way.
   *
   * @param group whose turn it takes
   * @param caller who of the group asked, unique among all groups
   * @param host the remote host whose limit it counts for
   * @param work moves the bytes; called once at most, on a virtual thread of its own
   * @param dropped called with the reason instead, where the copy is cancelled before its turn
   */
  record Job(
      String group,
      String caller,
      String host,
      CopyProgress progress,
      Runnable work,
      Consumer<String> dropped) {}

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

  private static final String GROUP_GIVES_WAY =
      "others wait, and your group has more than its share of the places: ask again";

  private static final String CALLER_GIVES_WAY =
      "others of your group wait, and you have more than your share of its places: ask again";

  private final CopySettings.Limits limits;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final WaitingCopies waiting = new WaitingCopies();
  private final CopyPlaces all;
  private final Map<String, CopyPlaces> byHost = new HashMap<>();

  /** With the time when it began. */
  private final Map<Job, Long> running = new HashMap<>();

  /** Those that give way, until they have, and to which copy. */
  private final Map<Job, Job> leaving = new HashMap<>();

  private @Nullable String closedFor;

  /** Makes an empty registry. */
  public ActiveCopies(CopySettings settings) {
    this(settings, System::nanoTime);
  }

  ActiveCopies(CopySettings settings, LongSupplier nanos) {
    this.limits = settings.limits();
    this.nanos = nanos;
    this.all = new CopyPlaces(limits.running());
  }

  Entry submit(Job job) {
    Job leaves = null;
    Job dropped = null;
    lock.lock();
    try {
      String closed = closedFor;
      if (closed != null) {
        return new Entry.Refused(503, closed);
      }
      if (mayRun(job)) {
        // It passes nobody by: who waits was started as soon as that might run.
        start(job);
        return new Entry.Started();
      }
      boolean full = waiting.of(job.group()) >= limits.queuedPerGroup();
      boolean allFull = waiting.size() >= limits.queued();
      if (full || allFull) {
        dropped = waiting.lastOfTheGreediest(job.group(), job.caller()).orElse(null);
        if (dropped == null) {
          return allFull
              ? new Entry.Refused(503, "too many third-party copies are waiting")
              : new Entry.Refused(429, "too many third-party copies of your group are waiting");
        }
        waiting.remove(dropped);
      }
      waiting.add(job);
      leaves = whoGivesWay(job);
      if (leaves != null) {
        leaving.put(leaves, job);
      }
      return new Entry.Waiting();
    } finally {
      lock.unlock();
      if (leaves != null) {
        leaves
            .progress()
            .cancel(leaves.group().equals(job.group()) ? CALLER_GIVES_WAY : GROUP_GIVES_WAY);
      }
      if (dropped != null) {
        dropped.dropped().accept(CALLER_GIVES_WAY);
        dropped.progress().cancel(CALLER_GIVES_WAY);
      }
    }
  }

  /** Whose place a waiting copy gets, if one must end for it. */
  private @Nullable Job whoGivesWay(Job job) {
    CopyPlaces host = byHost.get(job.host());
    // Where the host has no place, one that ends elsewhere helps nobody.
    CopyPlaces full = host == null || host.free() ? all : host;
    Job ofAnotherGroup = whoGivesWay(job, full, full.byGroup(), full.limit(), Job::group);
    CopyPlaces.Held callers = full.callers(job.group());
    return ofAnotherGroup != null
        ? ofAnotherGroup
        : whoGivesWay(job, full, callers, full.byGroup().of(job.group()), Job::caller);
  }

  /** Whose place it gets among those who hold so many of the places that are full. */
  private @Nullable Job whoGivesWay(
      Job job, CopyPlaces full, CopyPlaces.Held holders, int places, Function<Job, String> holder) {
    String own = holder.apply(job);
    long coming = leaving.values().stream().filter(to -> holder.apply(to).equals(own)).count();
    long held = holders.of(own) + coming;
    int share = holders.share(places, own);
    String greediest = held < share ? holders.greediest(share).orElse(null) : null;
    return running.keySet().stream()
        .filter(each -> holder.apply(each).equals(greediest) && !leaving.containsKey(each))
        .filter(each -> full == all || each.host().equals(job.host()))
        .min(Comparator.comparingDouble(this::rate))
        .filter(slowest -> held == 0 || isSlow(slowest))
        .orElse(null);
  }

  /** Bytes a second from its beginning on. */
  private double rate(Job job) {
    long nanosSince = Math.max(1, nanos.getAsLong() - running.getOrDefault(job, 0L));
    return job.progress().bytes() * 1e9 / nanosSince;
  }

  private boolean isSlow(Job job) {
    return nanos.getAsLong() - running.getOrDefault(job, 0L) > BEGINNING && rate(job) < SLOW;
  }

  private CopyPlaces places(String host) {
    return byHost.computeIfAbsent(host, name -> new CopyPlaces(limits.perHost()));
  }

  private boolean mayRun(Job job) {
    CopyPlaces host = byHost.get(job.host());
    return all.free() && (host == null || host.free());
  }

  private void start(Job job) {
    running.put(job, nanos.getAsLong());
    all.take(job);
    places(job.host()).take(job);
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
      all.give(job);
      CopyPlaces host = places(job.host());
      host.give(job);
      if (host.isEmpty()) {
        byHost.remove(job.host());
      }
      startWhatMay();
    } finally {
      lock.unlock();
    }
  }

  private void startWhatMay() {
    while (all.free()) {
      Job next = waiting.next(this::mayRun, all);
      if (next == null) {
        return;
      }
      start(next);
    }
  }

  /** Cancels a copy, whether it waits or runs. */
  void cancel(Job job, String why) {
    boolean waited = false;
    lock.lock();
    try {
      waited = waiting.remove(job);
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
      every.addAll(waiting.all());
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
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }
}
