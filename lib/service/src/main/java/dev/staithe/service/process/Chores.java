package dev.staithe.service.process;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is due now and then, one after the other on a thread of its own. What fails is told in the
 * log and done again the next time. Thread-safe.
 */
public final class Chores implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Chores.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final String name;
  private final ScheduledThreadPoolExecutor thread;

  /** Something that is due now and then. */
  @FunctionalInterface
  public interface Chore {
    /** Does it once. */
    void run() throws Exception;
  }

  /**
   * Nothing is due yet.
   *
   * @param name of the thread
   */
  public Chores(String name) {
    this.name = name;
    thread = new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /**
   * Does a chore for the first time after a pause, and again and again.
   *
   * @param pause from its end to its next beginning, more than 0
   * @param what it is, as "deleting grants that are over"
   */
  public void every(Duration pause, String what, Chore chore) {
    schedule(pause, pause, what, chore);
  }

  /** The same, for the first time at once. */
  public void nowAndEvery(Duration pause, String what, Chore chore) {
    schedule(Duration.ZERO, pause, what, chore);
  }

  private void schedule(Duration first, Duration pause, String what, Chore chore) {
    thread.scheduleWithFixedDelay(
        () -> attempt(what, chore), first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Does a chore once.
   *
   * @return false where this is closed
   */
  public boolean after(Duration pause, String what, Chore chore) {
    try {
      thread.schedule(() -> attempt(what, chore), pause.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    }
  }

  private static void attempt(String what, Chore chore) {
    try {
      chore.run();
    } catch (Exception | Error e) {
      // Whatever it is, for want of memory too: a schedule that threw would have ended for good.
      LOG.warn("{} did not work: {}", what, e.toString());
      LOG.debug("{} did not work", what, e);
    }
  }

  /**
   * Begins nothing more, and waits a few seconds for what is under way. It is not interrupted: H2
   * closes its file below everybody where a thread is that reads it.
   */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn("what {} is doing is not waited for any longer", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
