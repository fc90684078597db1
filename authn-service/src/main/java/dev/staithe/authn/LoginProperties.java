package dev.staithe.authn;

import dev.staithe.authn.password.HashProfile;
import dev.staithe.service.Settings;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Logins.
 *
 * @param hash how new passwords are hashed, and older ones once their user logs in
 * @param threads that hash passwords; 0 for half the processors, at least one. They and the profile
 *     bound the memory that logins take
 * @param queue logins that may wait for such a thread; 0 for 30 for each thread. Beyond that a
 *     login is refused with 503 before any work is done
 * @param deadline how long a login may wait there
 * @param askEnrolled whether who has a second factor is always asked for it
 * @param user failures of one name from one address, and wrong one-time codes of one name
 * @param strangers failures of one name from addresses from which its user has not logged in
 * @param address failures from one IPv4 address or IPv6 /64, of whichever names
 * @param attemptsPerSecond of one address on one node, successful or not; 0 for any number
 * @param burst how many of those may come at once
 */
public record LoginProperties(
    @DefaultValue("owasp") HashProfile hash,
    @DefaultValue("0") int threads,
    @DefaultValue("0") int queue,
    @DefaultValue("5s") Duration deadline,
    @DefaultValue("true") boolean askEnrolled,
    @DefaultValue User user,
    @DefaultValue Strangers strangers,
    @DefaultValue Address address,
    @DefaultValue("20") double attemptsPerSecond,
    @DefaultValue("100") int burst) {
  /**
   * When a name is locked at an address.
   *
   * @param failures that lead to the first lock
   * @param first how long that lasts; each further failure doubles it
   * @param longest that a lock may last
   * @param window after which failures are forgotten
   */
  public record User(
      @DefaultValue("5") int failures,
      @DefaultValue("30s") Duration first,
      @DefaultValue("15m") Duration longest,
      @DefaultValue("12h") Duration window) {
    /** Checks the ranges. */
    public User {
      check(failures, first, longest, window);
    }
  }

  /**
   * When a name is locked at all addresses that are not its user's.
   *
   * @param failures that lead to the first lock
   * @param first how long that lasts; each further failure doubles it
   * @param longest that a lock may last
   * @param window after which failures are forgotten
   */
  public record Strangers(
      @DefaultValue("100") int failures,
      @DefaultValue("30s") Duration first,
      @DefaultValue("15m") Duration longest,
      @DefaultValue("12h") Duration window) {
    /** Checks the ranges. */
    public Strangers {
      check(failures, first, longest, window);
    }
  }

  /**
   * When an address is locked.
   *
   * @param failures that lead to the first lock
   * @param first how long that lasts; each further failure doubles it
   * @param longest that a lock may last
   * @param window after which failures are forgotten
   */
  public record Address(
      @DefaultValue("50") int failures,
      @DefaultValue("30s") Duration first,
      @DefaultValue("15m") Duration longest,
      @DefaultValue("10m") Duration window) {
    /** Checks the ranges. */
    public Address {
      check(failures, first, longest, window);
    }
  }

  private static void check(int failures, Duration first, Duration longest, Duration window) {
    Duration second = Duration.ofSeconds(1);
    Duration day = Duration.ofDays(1);
    Settings.requireWithin(failures, 1, 1_000_000, "failures");
    Settings.requireWithin(first, second, day, "first");
    Settings.requireWithin(longest, first, day, "longest");
    Settings.requireWithin(window, second, Duration.ofDays(30), "window");
  }

  /** Checks the ranges. */
  public LoginProperties {
    Settings.requireWithin(threads, 0, 256, "threads");
    Settings.requireWithin(queue, 0, 100_000, "queue");
    Settings.requireWithin(deadline, Duration.ofMillis(100), Duration.ofMinutes(1), "deadline");
    Settings.require(
        attemptsPerSecond >= 0 && attemptsPerSecond <= 1_000_000,
        "attempts-per-second",
        attemptsPerSecond,
        "0 to 1000000");
    Settings.requireWithin(burst, 1, 1_000_000, "burst");
  }
}
