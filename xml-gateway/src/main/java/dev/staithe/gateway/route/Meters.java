package dev.staithe.gateway.route;

import dev.staithe.gateway.backend.BackEndAnswer;
import dev.staithe.wss.Refusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Counts what becomes of exchanges. Labels come from the configuration and from lists of ours. */
public final class Meters {
  /** What became of one. */
  enum Outcome {
    ANSWERED,
    REFUSED,
    BACK_END,
    FAILED
  }

  /** Half a millisecond to a minute: from a plain message to a slow service behind. */
  private static final Duration[] BUCKETS =
      LongStream.of(
              500,
              1_000,
              2_000,
              3_000,
              5_000,
              7_000,
              10_000,
              15_000,
              20_000,
              30_000,
              50_000,
              70_000,
              100_000,
              200_000,
              500_000,
              1_000_000,
              2_000_000,
              5_000_000,
              10_000_000,
              30_000_000,
              60_000_000)
          .mapToObj(micros -> Duration.of(micros, ChronoUnit.MICROS))
          .toArray(Duration[]::new);

  private record Key(String endpoint, String policy, Outcome outcome) {}

  private record Reason(String endpoint, Refusal refusal) {}

  private record FailureTags(String endpoint, BackEndAnswer.Kind kind) {}

  private record JudgementTags(String endpoint, String engine) {}

  private final MeterRegistry registry;
  private final ConcurrentHashMap<Key, Timer> exchanges = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Reason, Counter> refusals = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<FailureTags, Counter> troubles = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<JudgementTags, Counter> engines = new ConcurrentHashMap<>();

  /** Registers a meter when there is something to count. */
  public Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  void exchange(String endpoint, String policy, Outcome outcome, long nanos) {
    exchanges
        .computeIfAbsent(
            new Key(endpoint, policy, outcome),
            key ->
                Timer.builder("staithe.gateway.exchanges")
                    .tags("endpoint", endpoint, "policy", policy, "outcome", lower(outcome))
                    .serviceLevelObjectives(BUCKETS)
                    .register(registry))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  void refused(String endpoint, Refusal refusal) {
    refusals
        .computeIfAbsent(
            new Reason(endpoint, refusal),
            key ->
                Counter.builder("staithe.gateway.refusals")
                    .tags("endpoint", endpoint, "reason", lower(refusal))
                    .register(registry))
        .increment();
  }

  void backEnd(String endpoint, BackEndAnswer.Kind kind) {
    troubles
        .computeIfAbsent(
            new FailureTags(endpoint, kind),
            key ->
                Counter.builder("staithe.gateway.backend.errors")
                    .tags("endpoint", endpoint, "kind", lower(kind))
                    .register(registry))
        .increment();
  }

  void judged(String endpoint, String engine) {
    engines
        .computeIfAbsent(
            new JudgementTags(endpoint, engine),
            key ->
                Counter.builder("staithe.gateway.judged")
                    .tags("endpoint", endpoint, "engine", engine)
                    .register(registry))
        .increment();
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
