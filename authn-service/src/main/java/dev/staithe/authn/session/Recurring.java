package dev.staithe.authn.session;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again on a thread of its own, sooner when it is woken. */
final class Recurring implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Recurring.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Duration every;
  private final Runnable task;
  private final Thread thread;
  private boolean woken;
  private boolean closed;

  Recurring(String name, Duration every, Runnable task) {
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

  private void run() {
    do {
      try {
        task.run();
      } catch (RuntimeException e) {
        log.error("{} failed and goes on", thread.getName(), e);
      }
    } while (pause());
  }

  /** Whether to go on. */
  private boolean pause() {
    lock.lock();
    try {
      long left = every.toNanos();
      while (!woken && !closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      woken = false;
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
