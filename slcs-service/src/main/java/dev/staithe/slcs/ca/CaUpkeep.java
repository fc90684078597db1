package dev.staithe.slcs.ca;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it once a minute that there is a list of revoked certificates that is good for long. */
final class CaUpkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaUpkeep.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("ca-upkeep").daemon().factory());

  CaUpkeep(CertificateAuthority authority) {
    thread.scheduleWithFixedDelay(
        () -> renew(authority), 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void renew(CertificateAuthority authority) {
    try {
      authority.renewCrl();
    } catch (RuntimeException e) {
      // Tried again in a minute; a schedule that threw would have ended for good.
      LOG.error("the list of revoked certificates is not made: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
