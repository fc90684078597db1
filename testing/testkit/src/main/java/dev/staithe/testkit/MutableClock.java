package dev.staithe.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until it is told the time. Thread-safe. */
public final class MutableClock extends Clock {
  private final AtomicReference<Instant> now;
  private final ZoneId zone;

  private MutableClock(AtomicReference<Instant> now, ZoneId zone) {
    this.now = now;
    this.zone = zone;
  }

  /** A clock that shows that time, in UTC. */
  public static MutableClock at(Instant start) {
    return new MutableClock(new AtomicReference<>(start), ZoneOffset.UTC);
  }

  /** Goes on by that much, or back if it is negative. */
  public void advance(Duration by) {
    now.updateAndGet(before -> before.plus(by));
  }

  /** Shows that time from now on. */
  public void set(Instant instant) {
    now.set(instant);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  /** The same time in another zone: advancing one advances both. */
  @Override
  public Clock withZone(ZoneId other) {
    return new MutableClock(now, other);
  }
}
