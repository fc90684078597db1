package dev.staithe.authn.session;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again on a thread of its own, sooner when it is woken. */
final class RecurringTask implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RecurringTask.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Duration every;
  private final Runnable task;
  private final Thread thread;
  private long began = System.nanoTime();
  private @Nullable Long due;
  private boolean woken;
  private boolean closed;

  RecurringTask(String name, Duration every, Runnable task) {
    this.every = every;
    this.task = task;
    this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
  }

  /** Begins, with a first time at once. */
  void start() {
    thread.start();
  }

  /** Does it once more as soon as possible. */
  void wake() {
    lock.lock();
    try {
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Does it once more as soon as possible, but so long after the last time began that whoever says
   * so often does not keep it going without a pause.
   */
  void soon(Duration atLeast) {
    lock.lock();
    try {
      due = began + atLeast.toNanos();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    lock.lock();
    try {
      began = System.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    do {
      begin();
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        // A mistake of ours must not end all reading of the log.
        log.error("{} failed and goes on", thread.getName(), e);
      }
    } while (pause());
  }

  /** Whether to go on. */
  private boolean pause() {
    lock.lock();
    try {
      long now = System.nanoTime();
      final long end = now + every.toNanos();
      while (!woken && !closed && end - now > 0 && (due == null || due - now > 0)) {
        changed.awaitNanos(due == null ? end - now : Math.min(end - now, due - now));
        now = System.nanoTime();
      }
      woken = false;
      due = null;
      return !closed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Ends after the time that is under way, for which it waits a few seconds. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      if (thread.getState() != Thread.State.NEW && !thread.join(PATIENCE)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
