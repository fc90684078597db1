package dev.staithe.slcs.saml.metadata;

import dev.staithe.service.process.Chores;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** What is done now and then: metadata are read again, what is over is forgotten. */
public final class Housekeeping implements AutoCloseable {
  private static final Duration ROUND = Duration.ofSeconds(30);

  /** After a failure sooner than the usual. */
  private static final Duration AGAIN = Duration.ofMinutes(2);

  private final Duration usual;
  private final Clock clock;

  /** Not by their names: a provider may be named as the federation is. */
  private final Map<MetadataSource<?>, Instant> due = new HashMap<>();

  private final Chores chores = new Chores("saml-housekeeping");

  public Housekeeping(
      Providers providers, Duration usual, Runnable sweep, MeterRegistry metrics, Clock clock) {
    this.usual = usual;
    this.clock = clock;
    for (MetadataSource<?> source : providers.sources()) {
      due.put(source, clock.instant().plus(source.next(usual)));
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
    for (MetadataSource<?> source : providers.sources()) {
      String what = "reading metadata again (" + source.name() + ")";
      chores.every(ROUND, what, () -> refreshWhenDue(source));
    }
    chores.every(ROUND, "forgetting what is over", sweep::run);
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

  void refreshWhenDue(MetadataSource<?> source) {
    Instant now = clock.instant();
    Instant next = due.getOrDefault(source, Instant.EPOCH);
    // Further away than it can be: of a clock that was ahead.
    if (!now.isBefore(next) || next.isAfter(now.plus(source.next(usual)))) {
      boolean good = source.refresh();
      Duration wait = source.next(usual);
      due.put(source, now.plus(good || wait.compareTo(AGAIN) < 0 ? wait : AGAIN));
    }
  }

  @Override
  public void close() {
    chores.close();
  }
}
