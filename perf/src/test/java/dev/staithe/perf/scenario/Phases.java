package dev.staithe.perf.scenario;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Tells requests of the measured phase from those before and after it, by a suffix of their names:
 * so Gatling reports each apart. Thread-safe.
 */
final class Phases {
  private static final long NOT_BEGUN = Long.MIN_VALUE;

  private final long warm;
  private final long cool;
  private final long end;
  private final LongSupplier nanos;
  private final AtomicLong begun = new AtomicLong(NOT_BEGUN);

  /**
   * @param nanos elapsed time, as {@link System#nanoTime}
   */
  Phases(Duration warmUp, Duration measured, Duration coolDown, LongSupplier nanos) {
    this.warm = warmUp.toNanos();
    this.cool = warm + measured.toNanos();
    this.end = cool + coolDown.toNanos();
    this.nanos = nanos;
  }

  /** Starts the time; all calls but the first do nothing. */
  void begin() {
    begun.compareAndSet(NOT_BEGUN, nanos.getAsLong());
  }

  /** Whether the end has not come yet. */
  boolean running() {
    return elapsed() < end;
  }

  /** Whether a request that begins now counts. */
  boolean measuring() {
    long elapsed = elapsed();
    return elapsed >= warm && elapsed < cool;
  }

  /** The name that a request that begins now has in the report. */
  String name(String request) {
    long elapsed = elapsed();
    return elapsed < warm ? request + " [warm]" : elapsed < cool ? request : request + " [cool]";
  }

  private long elapsed() {
    long start = begun.get();
    return start == NOT_BEGUN ? 0 : nanos.getAsLong() - start;
  }
}
