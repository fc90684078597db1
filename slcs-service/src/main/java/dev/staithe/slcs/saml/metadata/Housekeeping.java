package dev.staithe.slcs.saml.metadata;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/** What is done now and then: metadata are read again, what is over is forgotten. */
public final class Housekeeping implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Housekeeping.class);
  private static final Duration ROUND = Duration.ofSeconds(30);

  /** After a failure sooner than the usual. */
  private static final Duration AGAIN = Duration.ofMinutes(2);

  private final Providers providers;
  private final Duration usual;
  private final Runnable sweep;
  private final Clock clock;
  private final Map<String, Instant> due = new HashMap<>();
  private final ScheduledExecutorService rounds =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("saml-housekeeping").factory());

  public Housekeeping(
      Providers providers, Duration usual, Runnable sweep, MeterRegistry metrics, Clock clock) {
    this.providers = providers;
    this.usual = usual;
    this.sweep = sweep;
    this.clock = clock;
    for (MetadataSource<?> source : providers.sources()) {
      due.put(source.name(), clock.instant().plus(source.next(usual)));
      Gauge.builder("staithe.saml.metadata.age", source, each -> age(each, clock))
          .tag("source", source.name())
          .baseUnit("seconds")
          .description("since the source was good last; NaN: not since the start")
          .register(metrics);
      Gauge.builder("staithe.saml.metadata.valid", source, each -> valid(each, clock))
          .tag("source", source.name())
          .baseUnit("seconds")
          .description("until the metadata must not be used any more; NaN: they do not say")
          .register(metrics);
      Gauge.builder("staithe.saml.metadata.faults", source, MetadataSource::faults)
          .tag("source", source.name())
          .description("entities that are not used as something is wrong with them")
          .register(metrics);
    }
    Gauge.builder("staithe.saml.providers.federated", providers, Providers::federated)
        .register(metrics);
    rounds.scheduleWithFixedDelay(
        this::round, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static double age(MetadataSource<?> source, Clock clock) {
    return source
        .refreshed()
        .map(when -> (double) Duration.between(when, clock.instant()).toSeconds())
        .orElse(Double.NaN);
  }

  private static double valid(MetadataSource<?> source, Clock clock) {
    return source
        .validUntil()
        .map(until -> (double) Duration.between(clock.instant(), until).toSeconds())
        .orElse(Double.NaN);
  }

  void round() {
    for (MetadataSource<?> source : providers.sources()) {
      Instant now = clock.instant();
      Instant next = due.getOrDefault(source.name(), Instant.EPOCH);
      // Further away than it can be: of a clock that was ahead.
      if (!now.isBefore(next) || next.isAfter(now.plus(source.next(usual)))) {
        boolean good = source.refresh();
        Duration wait = source.next(usual);
        due.put(source.name(), now.plus(good || wait.compareTo(AGAIN) < 0 ? wait : AGAIN));
      }
    }
    try {
      sweep.run();
    } catch (DataAccessException e) {
      log.warn("what is over cannot be forgotten now: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    rounds.shutdownNow();
  }
}
