package dev.staithe.service.http;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts connections that were refused, and those that were ended for being slow. Thread-safe. */
final class ConnectionCounts implements MeterBinder {
  /** What was too slow. */
  enum Part {
    /** A request's head, with the TLS handshake. */
    HEAD,
    /** Content that came. */
    UPLOAD,
    /** Content that was taken. */
    DOWNLOAD
  }

  private final LongAdder refused = new LongAdder();
  private final Map<Part, LongAdder> slow = new EnumMap<>(Part.class);

  ConnectionCounts() {
    for (Part part : Part.values()) {
      slow.put(part, new LongAdder());
    }
  }

  void refused() {
    refused.increment();
  }

  void slow(Part part) {
    Objects.requireNonNull(slow.get(part)).increment();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    FunctionCounter.builder("staithe.connections.refused", refused, LongAdder::sum)
        .description("beyond the share of one address")
        .register(registry);
    slow.forEach(
        (part, count) ->
            FunctionCounter.builder("staithe.connections.slow", count, LongAdder::sum)
                .description("ended because the client was too slow")
                .tag("part", part.name().toLowerCase(Locale.ROOT))
                .register(registry));
  }
}
