package dev.staithe.delegation.credential;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** How often what was done, how it ended, and how much there is. Thread-safe. */
public final class DelegationMetrics {
  private final MeterRegistry registry;
  private final AtomicLong kept = new AtomicLong();
  private final AtomicLong ending = new AtomicLong();
  private final AtomicLong unreadable = new AtomicLong();

  /** Registers the figures. */
  public DelegationMetrics(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("staithe.delegations.kept", kept, AtomicLong::get)
        .description("Delegations in the store, a minute ago at most")
        .register(registry);
    Gauge.builder("staithe.delegations.ending", ending, AtomicLong::get)
        .description("Those of them that end within the hour")
        .register(registry);
    Gauge.builder("staithe.delegations.unreadable", unreadable, AtomicLong::get)
        .description("Those of them whose key no master key here opens")
        .register(registry);
  }

  void done(String operation) {
    count(operation, "ok");
  }

  void refused(String operation, DelegationFault.Kind kind) {
    count(operation, word(kind));
  }

  static String word(DelegationFault.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void count(String operation, String outcome) {
    registry.counter("staithe.delegations", "operation", operation, "outcome", outcome).increment();
  }

  void swept(int delegations, int requests) {
    registry.counter("staithe.delegations.swept", "what", "delegation").increment(delegations);
    registry.counter("staithe.delegations.swept", "what", "request").increment(requests);
  }

  void stock(long all, long endingSoon, long shut) {
    kept.set(all);
    ending.set(endingSoon);
    unreadable.set(shut);
  }
}
