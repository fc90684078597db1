package dev.staithe.authn.password;

import dev.staithe.service.process.ThreadPriority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that compute password hashes, few and with a bounded queue, so that a flood of logins
 * leaves processors for everything else. What does not fit is refused before any work, and what has
 * waited past its deadline is dropped. Thread-safe.
 *
 * <p>Threads that compute in native code can be lowered, so that they take only what nothing else
 * wants. Where everything else leaves nothing for half a second, one hash at a time is computed by
 * a thread of usual priority, and by it alone until a trial shows that the lowered threads get on
 * again: logins are slow then, and do not stand still. See ADR 19.
 *
 * <p>Memory: at most threads times what one hash takes, 19 MiB with the default profile; once more
 * where threads are lowered.
 */
public final class HashPool implements AutoCloseable {
  /** How many hashes may wait for each thread: one to two seconds of work. */
  public static final int DEFAULT_QUEUE_PER_THREAD = 30;

  private static final long FIRST_MEAN_NANOS = Duration.ofMillis(50).toNanos();
  private static final long LONGEST_RETRY_SECONDS = 60;

  /** Without a hash for so long, lowered threads are starved: a hash takes some 20 ms. */
  private static final Duration STARVED = Duration.ofMillis(500);

  /** How often a thread that is starved tries whether it still is. */
  private static final Duration TRIAL_PAUSE = Duration.ofMillis(100);

  /** From when it would try to when it has: a trial takes some 5 ms. */
  private static final long FREE_NANOS = Duration.ofMillis(50).toNanos();

  private final ArrayBlockingQueue<Job<?>> queue;
  private final List<Thread> threads = new ArrayList<>();
  private final int count;
  private final AtomicInteger running = new AtomicInteger();
  private final LongAdder refused = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder completed = new LongAdder();
  private final LongAdder relieved = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final AtomicLong meanNanos = new AtomicLong(FIRST_MEAN_NANOS);
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile ThreadPriority priority = ThreadPriority.USUAL;

  /** Whether whoever begins a hash on a lowered thread would wait for it for seconds. */
  private volatile boolean starved;

  private volatile boolean closed;

  private enum State {
    WAITING,
    RUNNING,
    DONE,
    DROPPED
  }

  private static final class Job<T> {
    private final Supplier<T> work;
    private final long deadline;
    private final CountDownLatch ended = new CountDownLatch(1);
    private State state = State.WAITING;
    private @Nullable T value;
    private @Nullable Throwable failure;

    Job(Supplier<T> work, long deadline) {
      this.work = work;
      this.deadline = deadline;
    }

    /** Whether it is still to be done, and now is. */
    synchronized boolean begin() {
      if (state != State.WAITING) {
        return false;
      }
      state = System.nanoTime() - deadline < 0 ? State.RUNNING : State.DROPPED;
      return state == State.RUNNING;
    }

    /** Whether it had not begun, and now never will. */
    synchronized boolean drop() {
      if (state == State.WAITING) {
        state = State.DROPPED;
      }
      return state == State.DROPPED;
    }

    void run() {
      T made = null;
      Throwable thrown = null;
      try {
        made = work.get();
      } catch (RuntimeException | Error e) {
        thrown = e;
      }
      synchronized (this) {
        value = made;
        failure = thrown;
        state = State.DONE;
      }
    }

    synchronized T result() {
      if (failure != null || value == null) {
        throw new IllegalStateException("a hash could not be computed", failure);
      }
      return value;
    }
  }

  /** With that many threads of usual priority and places in the queue, each at least 1. */
  public HashPool(int threads, int queue) {
    this(threads, queue, null);
  }

  /**
   * With that many threads and places in the queue, each at least 1.
   *
   * @param trial where threads are to give way to all others, if the system allows it: native work
   *     of some milliseconds, by which they find whether they get on; null for hashes in Java,
   *     whose threads the others would wait for when garbage is collected
   */
  public HashPool(int threads, int queue, @Nullable Runnable trial) {
    if (threads < 1 || queue < 1) {
      throw new IllegalArgumentException("threads and queue are at least 1");
    }
    this.queue = new ArrayBlockingQueue<>(queue);
    this.count = threads;
    var begun = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      this.threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("hash-" + i)
              .start(
                  () -> {
                    if (trial != null) {
                      priority = ThreadPriority.lowerThisThread();
                    }
                    begun.countDown();
                    serve(trial);
                  }));
    }
    try {
      begun.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (priority != ThreadPriority.USUAL) {
      this.threads.add(Thread.ofPlatform().daemon().name("hash-relief").start(this::relieve));
    }
  }

  /** Half of the processors, at least one thread. */
  public static int defaultThreads(int processors) {
    return Math.max(1, processors / 2);
  }

  /**
   * Has work done by one of the threads and waits for it. Work that has begun is waited for to its
   * end, so that what it reads, as a password, is the caller's again afterwards.
   *
   * @param work returns a value that is not null
   * @param longest how long it may wait to begin
   */
  public <T> HashAnswer<T> run(Supplier<T> work, Duration longest) {
    Job<T> job = new Job<>(work, System.nanoTime() + longest.toNanos());
    if (closed || !queue.offer(job)) {
      refused.increment();
      return new HashAnswer.Busy<>(retryAfter());
    }
    if (closed && abandon(job)) {
      // Nobody may be left who would take it.
      return new HashAnswer.TooLate<>(retryAfter());
    }
    return await(job, longest);
  }

  private <T> HashAnswer<T> await(Job<T> job, Duration longest) {
    boolean interrupted = false;
    try {
      if (!job.ended.await(longest.toNanos(), TimeUnit.NANOSECONDS) && abandon(job)) {
        return new HashAnswer.TooLate<>(retryAfter());
      }
    } catch (InterruptedException e) {
      interrupted = true;
      if (abandon(job)) {
        Thread.currentThread().interrupt();
        return new HashAnswer.TooLate<>(retryAfter());
      }
    }
    while (true) {
      try {
        job.ended.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return job.drop()
        ? new HashAnswer.TooLate<>(retryAfter())
        : new HashAnswer.Done<>(job.result());
  }

  /** Makes its place free at once, not when a thread comes to it. */
  private boolean abandon(Job<?> job) {
    if (!job.drop()) {
      return false;
    }
    if (queue.remove(job)) {
      dropped.increment();
    }
    return true;
  }

  private void serve(@Nullable Runnable trial) {
    try {
      while (!closed) {
        if (!starved || trial == null) {
          perform(queue.take());
        } else if (getsOn(trial)) {
          starved = false;
        }
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  /** Whether this thread wakes when it should and then has its processor. */
  private boolean getsOn(Runnable trial) throws InterruptedException {
    long due = System.nanoTime() + TRIAL_PAUSE.toNanos();
    if (closing.await(TRIAL_PAUSE.toNanos(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    try {
      trial.run();
    } catch (RuntimeException | Error e) {
      return false; // Memory may be short; the next trial tells.
    }
    return System.nanoTime() - due < FREE_NANOS;
  }

  private void perform(Job<?> job) {
    if (job.begin()) {
      running.incrementAndGet();
      long start = System.nanoTime();
      job.run();
      account(System.nanoTime() - start);
      running.decrementAndGet();
    } else {
      dropped.increment();
    }
    job.ended.countDown();
  }

  /**
   * Does one job after the other, with rests, from when lowered threads stand until they get on.
   */
  private void relieve() {
    try {
      while (!closed) {
        Job<?> job = starved ? queue.poll(STARVED.toNanos(), TimeUnit.NANOSECONDS) : null;
        if (job != null) {
          relieved.increment();
          perform(job);
        }
        long before = completed();
        boolean some = isAtWork();
        closing.await(STARVED.toNanos(), TimeUnit.NANOSECONDS);
        if (some && isAtWork() && completed() == before) {
          starved = true;
        }
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private boolean isAtWork() {
    return queued() + running() > 0;
  }

  private void account(long took) {
    completed.increment();
    nanos.add(took);
    meanNanos.updateAndGet(mean -> mean + (took - mean) / 16);
  }

  /** When what waits now will be done, in whole seconds. */
  private Duration retryAfter() {
    long work = (queue.size() + running.get() + 1) * meanNanos.get() / count;
    long seconds = Duration.ofNanos(work).toSeconds() + 1;
    return Duration.ofSeconds(Math.min(seconds, LONGEST_RETRY_SECONDS));
  }

  /** Whether more than half of the queue is taken: no time for what can be done later. */
  public boolean isLoaded() {
    return queue.size() > queue.remainingCapacity();
  }

  /** Empty while there is a place for one more, else when to ask again. */
  public Optional<Duration> full() {
    return queue.remainingCapacity() == 0 ? Optional.of(retryAfter()) : Optional.empty();
  }

  /** Counts one that was refused because {@link #full()} said so. */
  public void refuse() {
    refused.increment();
  }

  /** How its threads are scheduled. */
  public ThreadPriority priority() {
    return priority;
  }

  /** How many threads there are, that of the relief not counted. */
  public int threads() {
    return count;
  }

  /** How many were computed at usual priority because the lowered threads stood still. */
  public long relieved() {
    return relieved.sum();
  }

  /** How many wait. */
  public int queued() {
    return queue.size();
  }

  /** How many can wait. */
  public int capacity() {
    return queue.size() + queue.remainingCapacity();
  }

  /** How many are computed at present. */
  public int running() {
    return running.get();
  }

  /** How many were refused because the queue was full. */
  public long refused() {
    return refused.sum();
  }

  /** How many were dropped because they waited too long. */
  public long dropped() {
    return dropped.sum();
  }

  /** How many were done. */
  public long completed() {
    return completed.sum();
  }

  /** How long they took together, in seconds, without the wait. */
  public double seconds() {
    return nanos.sum() / 1e9;
  }

  /** Ends the threads; what waits is answered as too late. */
  @Override
  public void close() {
    closed = true;
    closing.countDown();
    threads.forEach(Thread::interrupt);
    for (Job<?> job = queue.poll(); job != null; job = queue.poll()) {
      job.drop();
      job.ended.countDown();
    }
  }
}
