package dev.staithe.gateway.route;

import dev.staithe.wss.Refusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Counts what becomes of exchanges. Labels come from the configuration and from lists of ours. */
public final class Meters {
  /** What became of one. */
  enum Outcome {
    ANSWERED,
    REFUSED,
    BACK_END,
    FAILED
  }

  private record Key(String endpoint, String policy, Outcome outcome) {}

  private record Reason(String endpoint, Refusal refusal) {}

  private record Trouble(String endpoint, BackEndAnswer.Kind kind) {}

  private record Judged(String endpoint, String engine) {}

  private final MeterRegistry registry;
  private final ConcurrentHashMap<Key, Timer> exchanges = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Reason, Counter> refusals = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Trouble, Counter> troubles = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Judged, Counter> engines = new ConcurrentHashMap<>();

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
            new Trouble(endpoint, kind),
            key ->
                Counter.builder("staithe.gateway.backend.errors")
                    .tags("endpoint", endpoint, "kind", lower(kind))
                    .register(registry))
        .increment();
  }

  void judged(String endpoint, String engine) {
    engines
        .computeIfAbsent(
            new Judged(endpoint, engine),
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
