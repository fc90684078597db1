package dev.staithe.storage.operation;

import dev.staithe.service.Networks;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.settings.CopyTuningProperties;
import dev.staithe.storage.settings.StorageProperties;
import dev.staithe.storage.tpc.ActiveCopies;
import dev.staithe.storage.tpc.FinishedCopy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.springframework.context.SmartLifecycle;

/**
 * What operators see of third-party copies, and their orderly end: they are aborted, with a last
 * line to the client, before the server waits for running requests.
 */
public final class CopyOperation implements SmartLifecycle {
  private final ActiveCopies active;
  private final MeterRegistry registry;
  private volatile boolean running;

  /** Shows how many copies run and wait, from now on. */
  public CopyOperation(ActiveCopies active, MeterRegistry registry) {
    this.active = active;
    this.registry = registry;
    Gauge.builder("staithe.copies.running", active, ActiveCopies::running).register(registry);
    Gauge.builder("staithe.copies.queued", active, ActiveCopies::queued).register(registry);
  }

  /** Counts a copy that ended. */
  public void ended(FinishedCopy copy) {
    String[] tags = {"area", copy.area(), "direction", copy.direction(), "outcome", copy.outcome()};
    Timer.builder("staithe.copies").tags(tags).register(registry).record(copy.elapsed());
    Counter.builder("staithe.copies.bytes").tags(tags).register(registry).increment(copy.bytes());
  }

  /** The copies' own settings from the site's; a value out of range is refused by name. */
  public static CopySettings settings(StorageProperties properties) {
    StorageProperties.Copy copy = properties.copy();
    CopySettings defaults = CopySettings.defaults(Networks.parse(copy.allowedNetworks()));
    CopySettings.Timeouts t = defaults.timeouts();
    return new CopySettings(
        new CopySettings.Limits(
            copy.running(),
            Math.min(copy.perHost(), copy.running()),
            copy.queued(),
            Math.min(copy.queuedPerGroup(), copy.queued()),
            copy.retryAfter()),
        new CopySettings.Timeouts(
            copy.connectTimeout(),
            t.handshake(),
            copy.firstByteTimeout(),
            copy.stallTimeout(),
            copy.slowWindow(),
            copy.slowFloor().toBytes(),
            t.continueWait(),
            t.notReady(),
            t.notReadyRetry(),
            t.cleanUp()),
        copy.markerPeriod(),
        copy.earlyAnswer(),
        copy.maxStreams(),
        copy.stripedFrom().toBytes(),
        copy.verifyByDefault(),
        copy.credentialsOverPlainHttp(),
        defaults.allowedNetworks(),
        CopyTuningProperties.tuning(properties));
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    active.abortAll("server shutting down");
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    // Highest phases stop first: before the web server begins to wait for requests.
    return DEFAULT_PHASE;
  }
}
