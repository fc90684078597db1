package dev.staithe.authn.session;

import java.time.Duration;

/**
 * How long sessions last, how many there may be, and how new a node's knowledge has to be.
 *
 * @param idle after how long without use a session ends: whole seconds, 10 s or more
 * @param absolute when it ends at the latest: whole seconds, {@code idle} to 366 days
 * @param perUser how many a user may have, 1 to 10,000
 * @param onLimit what happens when there would be one more
 * @param freshness the bound of {@link Freshness#BOUNDED}: {@code poll} to 1 h
 * @param poll how often the log of ended sessions is read without a hint: 10 ms to 1 h
 * @param deadline how long a login, a logout or a question waits for the store: 100 ms to 60 s
 */
public record SessionPolicy(
    Duration idle,
    Duration absolute,
    int perUser,
    OnLimit onLimit,
    Duration freshness,
    Duration poll,
    Duration deadline) {
  private static final Duration HOUR = Duration.ofHours(1);

  /** 30 minutes, 2 hours, 100 per user, a bound of 1 s, read every 200 ms, a deadline of 3 s. */
  public static final SessionPolicy DEFAULT =
      new SessionPolicy(
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          100,
          OnLimit.END_OLDEST,
          Duration.ofSeconds(1),
          Duration.ofMillis(200),
          Duration.ofSeconds(3));

  /** How far the clocks of two nodes may be apart. */
  static final Duration SKEW = Duration.ofSeconds(60);

  /** What happens when a user who has as many sessions as allowed logs in again. */
  public enum OnLimit {
    /** The oldest is ended. */
    END_OLDEST,
    /** The login is refused. */
    REFUSE
  }

  /** Checks the ranges. */
  public SessionPolicy {
    within("idle", idle, Duration.ofSeconds(10), Duration.ofDays(366));
    within("absolute", absolute, idle, Duration.ofDays(366));
    if (idle.getNano() != 0 || absolute.getNano() != 0) {
      throw new IllegalArgumentException("idle and absolute must be whole seconds");
    }
    if (perUser < 1 || perUser > 10_000) {
      throw new IllegalArgumentException("per-user must be 1 to 10,000, not " + perUser);
    }
    within("poll", poll, Duration.ofMillis(10), HOUR);
    within("freshness", freshness, poll, HOUR);
    within("deadline", deadline, Duration.ofMillis(100), Duration.ofSeconds(60));
  }

  private static void within(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          name + " must be " + least + " to " + most + ", not " + value);
    }
  }
}
