package dev.staithe.gateway.trust;

import java.time.Duration;

/**
 * How many contexts there may be, and how long they live.
 *
 * @param lifetime of one that nobody asked a time for
 * @param longest that one may live, all renewals together
 * @param most in all
 * @param mostPerSubject of one owner
 */
public record ContextLimits(Duration lifetime, Duration longest, int most, int mostPerSubject) {
  /** What the service takes where nothing else is configured. */
  public static final ContextLimits DEFAULT =
      new ContextLimits(Duration.ofMinutes(10), Duration.ofHours(8), 100_000, 1_000);

  /** Checks that they are positive, and the longest no shorter than the usual. */
  public ContextLimits {
    if (lifetime.isNegative()
        || lifetime.isZero()
        || longest.compareTo(lifetime) < 0
        || most < 1
        || mostPerSubject < 1) {
      throw new IllegalArgumentException("limits of contexts are positive");
    }
  }
}
