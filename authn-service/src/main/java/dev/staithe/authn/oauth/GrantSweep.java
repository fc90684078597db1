package dev.staithe.authn.oauth;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls {@link Grants#sweep} once a minute: far more often than the log of ended sessions forgets
 * any of them. Each node does; the second finds nothing to do.
 */
final class GrantSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GrantSweep.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("grant-sweep").daemon().factory());

  GrantSweep(Grants grants) {
    thread.scheduleWithFixedDelay(
        () -> sweep(grants), PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void sweep(Grants grants) {
    try {
      grants.sweep();
    } catch (RuntimeException e) {
      // Tried again in a minute; a schedule that threw would have ended for good.
      LOG.warn("expired grants are not removed this time: {}", e.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
