package dev.staithe.authn.session;

import dev.staithe.testkit.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock and the time that passes, which a test moves together or apart. */
final class TestTime {
  static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  final MutableClock clock = MutableClock.at(START);
  private final AtomicLong nanos = new AtomicLong(1_000_000_000L);

  long nanos() {
    return nanos.get();
  }

  /** Time passes. */
  void pass(Duration by) {
    clock.advance(by);
    nanos.addAndGet(by.toNanos());
  }

  /** Somebody sets the clock. */
  void jump(Duration by) {
    clock.advance(by);
  }
}
