package dev.staithe.authn.grants;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls {@link Grants#sweep} once a minute: far more often than the log of ended sessions forgets
 * any of them. Each node does; the second finds nothing to do. And every few seconds {@link
 * SessionLink#retry}.
 */
public final class GrantSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GrantSweep.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("grant-sweep").daemon().factory());

  public GrantSweep(Grants grants, SessionLink link) {
    every(PAUSE, grants::sweep);
    every(RETRY, link::retry);
  }

  private void every(Duration pause, Runnable chore) {
    thread.scheduleWithFixedDelay(
        () -> attempt(chore), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void attempt(Runnable chore) {
    try {
      chore.run();
    } catch (RuntimeException e) {
      // Tried again soon; a schedule that threw would have ended for good.
      LOG.warn("expired grants are not removed this time: {}", e.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
