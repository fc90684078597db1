package dev.staithe.storage.files;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * Takes the time from another clock once and goes on by elapsed time from there: whoever sets the
 * other clock ahead or back while this process lives ends nothing before its time and makes nothing
 * last longer. For what was promised for a duration; not for comparing with times that others tell.
 *
 * <p>Elapsed time is not known beyond the end of a process. After a restart the other clock is
 * believed, so what reads instants of an earlier run lets none be later than it could be if it had
 * begun now. Safe for use by many threads.
 */
public final class SteadyClock extends Clock {
  private final Clock wall;
  private final LongSupplier nanos;
  private final Instant began;
  private final long beganNanos;

  /** Begins with the time of that clock. */
  public SteadyClock(Clock wall) {
    this(wall, System::nanoTime);
  }

  /**
   * Begins with the time of that clock.
   *
   * @param nanos elapsed time, as {@link System#nanoTime()}
   */
  public SteadyClock(Clock wall, LongSupplier nanos) {
    this.wall = wall;
    this.nanos = nanos;
    this.began = wall.instant();
    this.beganNanos = nanos.getAsLong();
  }

  @Override
  public Instant instant() {
    return began.plusNanos(nanos.getAsLong() - beganNanos);
  }

  @Override
  public ZoneId getZone() {
    return wall.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("instants only");
  }
}
