package dev.staithe.gateway.trust;

import dev.staithe.wss.Refusal;
import dev.staithe.wss.trust.TrustAction;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures of contexts and of what came before. Thread-safe. */
public final class TrustMetrics {
  private final MeterRegistry registry;

  /** Registers the gauges. */
  public TrustMetrics(MeterRegistry registry, ContextStore contexts, ReplayCache replays) {
    this.registry = registry;
    Gauge.builder("staithe.contexts.live", contexts, ContextStore::live)
        .description("Contexts that can be used now")
        .register(registry);
    Gauge.builder("staithe.replays.remembered", replays, ReplayCache::size)
        .description("Signatures and nonces that must not come again")
        .register(registry);
  }

  /**
   * Counts a request for a context.
   *
   * @param refused why not; null where it was granted
   */
  void count(TrustAction.Kind kind, @Nullable Refusal refused) {
    registry
        .counter(
            "staithe.contexts.requests",
            "action",
            kind.word(),
            "outcome",
            refused == null ? "ok" : refused.name().toLowerCase(Locale.ROOT))
        .increment();
  }
}
