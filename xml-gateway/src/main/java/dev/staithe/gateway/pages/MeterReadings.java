package dev.staithe.gateway.pages;

import dev.staithe.service.process.Chores;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The readings of the last minute, so that the first look at the page has rates already. Meters
 * register themselves when there is something to count, so what is missing counts as 0.
 * Thread-safe.
 */
final class MeterReadings implements AutoCloseable {
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final long WINDOW = Duration.ofMinutes(1).toNanos();

  private final MeterRegistry registry;
  private final LongSupplier nanos;
  private final @Nullable Chores chores;

  /** Oldest first, never empty; guarded by itself. */
  private final ArrayDeque<MeterReading> kept = new ArrayDeque<>();

  /**
   * Without a thread of its own: somebody has to {@link #take}.
   *
   * @param nanos a clock that only runs forward
   */
  MeterReadings(MeterRegistry registry, LongSupplier nanos) {
    this(registry, nanos, null);
  }

  private MeterReadings(MeterRegistry registry, LongSupplier nanos, @Nullable Chores chores) {
    this.registry = registry;
    this.nanos = nanos;
    this.chores = chores;
    kept.add(MeterReading.of(registry, nanos.getAsLong()));
  }

  /** Reads every few seconds until it is closed. */
  static MeterReadings regular(MeterRegistry registry) {
    var chores = new Chores("figures");
    MeterReadings readings = new MeterReadings(registry, System::nanoTime, chores);
    chores.every(EVERY, "reading the meters", readings::take);
    return readings;
  }

  /** Reads, and forgets what is not needed for a minute any more. */
  void take() {
    MeterReading reading = MeterReading.of(registry, nanos.getAsLong());
    synchronized (kept) {
      kept.add(reading);
      trim(reading.nanos());
    }
  }

  /** What the meters say now, beside the reading of a minute ago. */
  Figures figures() {
    MeterReading now = MeterReading.of(registry, nanos.getAsLong());
    synchronized (kept) {
      trim(now.nanos());
      return new Figures(kept.getFirst(), now);
    }
  }

  /** The first stays until there is another one that is a minute old. */
  private void trim(long now) {
    while (kept.size() > 1) {
      MeterReading first = kept.removeFirst();
      if (now - kept.getFirst().nanos() < WINDOW) {
        kept.addFirst(first);
        return;
      }
    }
  }

  @Override
  public void close() {
    if (chores != null) {
      chores.close();
    }
  }
}
