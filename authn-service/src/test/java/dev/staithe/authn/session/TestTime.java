package dev.staithe.authn.session;

import dev.staithe.testkit.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock and the time that passes, which a test moves together or apart. */
public final class TestTime {
  public static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  public final MutableClock clock = MutableClock.at(START);
  private final AtomicLong nanos = new AtomicLong(1_000_000_000L);

  long nanos() {
    return nanos.get();
  }

  /** Time passes. */
  public void pass(Duration by) {
    clock.advance(by);
    nanos.addAndGet(by.toNanos());
  }

  /** Somebody sets the clock. */
  public void jump(Duration by) {
    clock.advance(by);
  }
}
