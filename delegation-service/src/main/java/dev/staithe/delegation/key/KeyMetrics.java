package dev.staithe.delegation.key;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The stock's figures. */
public final class KeyMetrics {
  /** Registers them. */
  public KeyMetrics(MeterRegistry registry, KeyPool pool) {
    Gauge.builder("staithe.keys.stocked", pool, KeyPool::stocked)
        .description("RSA keys that are ready")
        .register(registry);
    Gauge.builder("staithe.keys.size", pool, KeyPool::size)
        .description("The most that are made ready")
        .register(registry);
    FunctionCounter.builder("staithe.keys.made", pool, KeyPool::made).register(registry);
    FunctionCounter.builder("staithe.keys.taken", pool, KeyPool::taken).register(registry);
    FunctionCounter.builder("staithe.keys.missed", pool, KeyPool::missed)
        .description("Asked for while none was ready")
        .register(registry);
    FunctionCounter.builder("staithe.keys.refused", pool, KeyPool::refused).register(registry);
  }
}
