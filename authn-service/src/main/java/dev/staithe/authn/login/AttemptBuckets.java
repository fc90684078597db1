package dev.staithe.authn.login;

import java.time.Clock;
import java.time.Duration;

/**
 * A bucket of attempts for each address, on this node: a bucket is filled at the rate and holds the
 * burst. Thread-safe.
 */
final class AttemptBuckets {
  private final GuardSettings settings;
  private final Clock clock;
  private final RecentMap<Bucket> buckets;

  private static final class Bucket {
    private double tokens;
    private long filledAt;
  }

  AttemptBuckets(GuardSettings settings, int remembered, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    this.buckets = new RecentMap<>(remembered);
  }

  /** Takes one attempt out; zero where there was one, else when there will be. */
  Duration take(String address) {
    double rate = settings.attemptsPerSecond();
    if (rate == 0) {
      return Duration.ZERO;
    }
    long now = clock.millis();
    return buckets.with(
        address,
        () -> {
          Bucket full = new Bucket();
          full.tokens = settings.burst();
          full.filledAt = now;
          return full;
        },
        bucket -> {
          // A clock that was set back fills nothing, and does not empty either.
          double seconds = Math.max(0, now - bucket.filledAt) / 1000.0;
          bucket.tokens = Math.min(settings.burst(), bucket.tokens + seconds * rate);
          bucket.filledAt = now;
          if (bucket.tokens >= 1) {
            bucket.tokens -= 1;
            return Duration.ZERO;
          }
          return Duration.ofMillis((long) Math.ceil((1 - bucket.tokens) / rate * 1000));
        });
  }
}
