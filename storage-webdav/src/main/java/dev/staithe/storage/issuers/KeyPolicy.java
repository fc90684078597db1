package dev.staithe.storage.issuers;

import java.time.Duration;

/**
 * How long issuers' keys are kept (WLCG JWT profile 1.3: cached for at least an hour, refreshed
 * every six, served for one to four days while the issuer is down).
 *
 * @param refresh age at which keys are fetched anew, 1 h at least
 * @param longest age up to which keys are used while the issuer cannot be reached, 1 to 4 days
 * @param retry pause after a failed fetch, and between two fetches that unknown keys provoke
 * @param patience longest time that a request waits for keys
 */
public record KeyPolicy(Duration refresh, Duration longest, Duration retry, Duration patience) {
  /** Six hours, two days, one minute, three seconds. */
  public static final KeyPolicy DEFAULT =
      new KeyPolicy(
          Duration.ofHours(6), Duration.ofDays(2), Duration.ofMinutes(1), Duration.ofSeconds(3));

  /** Checks the ranges. */
  public KeyPolicy {
    if (refresh.compareTo(Duration.ofHours(1)) < 0) {
      throw new IllegalArgumentException(
          "keys are refreshed after " + refresh + ", want PT1H at least");
    }
    if (longest.compareTo(Duration.ofDays(1)) < 0
        || longest.compareTo(Duration.ofDays(4)) > 0
        || longest.compareTo(refresh) < 0) {
      throw new IllegalArgumentException(
          "keys are used up to " + longest + ", want P1D to P4D and no less than the refresh");
    }
    if (!retry.isPositive() || !patience.isPositive()) {
      throw new IllegalArgumentException("retry and patience must be positive");
    }
  }
}
