package dev.staithe.authn.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Compares the clock with the time that passes, to notice when it is set. What a node forgets
 * because it has expired would be missed if the clock was ahead by mistake and comes back; so a
 * clock that was set forward is believed for forgetting only when it has stayed so for ten minutes.
 * Safe for many threads.
 */
final class ClockWatch {
  /** Differences up to this are a clock being slewed, or a thread that had to wait. */
  static final Duration TOLERANCE = Duration.ofSeconds(5);

  /** How long a clock that was set forward is doubted. */
  static final Duration DOUBT = Duration.ofMinutes(10);

  private final Clock clock;
  private final LongSupplier nanos;
  private long last;
  private long trusted;
  private long doubtedSince;
  private boolean doubted;

  ClockWatch(Clock clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    this.last = clock.millis() - elapsed();
    this.trusted = last;
  }

  /** Looks; whether the clock was set back since the last look. To be called often. */
  synchronized boolean setBack() {
    long elapsed = elapsed();
    long ahead = clock.millis() - elapsed;
    final boolean back = ahead < last - TOLERANCE.toMillis();
    last = ahead;
    if (ahead <= trusted + TOLERANCE.toMillis()) {
      trusted = ahead;
      doubted = false;
    } else if (!doubted) {
      doubted = true;
      doubtedSince = elapsed;
    } else if (elapsed - doubtedSince >= DOUBT.toMillis()) {
      trusted = ahead;
      doubted = false;
    }
    return back;
  }

  /** The time up to which what has expired may be forgotten; never ahead of the clock. */
  synchronized Instant forForgetting() {
    return Instant.ofEpochMilli(Math.min(clock.millis(), elapsed() + trusted));
  }

  private long elapsed() {
    return nanos.getAsLong() / 1_000_000;
  }
}
