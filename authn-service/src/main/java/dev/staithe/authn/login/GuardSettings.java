package dev.staithe.authn.login;

import java.time.Duration;

/**
 * How guesses are slowed down.
 *
 * @param user failures of one name from one IPv4 address or IPv6 /64, and wrong one-time codes of
 *     one name from wherever
 * @param strangers failures of one name from all addresses together but those from which its user
 *     has logged in
 * @param address failures from one IPv4 address or IPv6 /64, of whichever names
 * @param attemptsPerSecond of one address, successful or not, on one node; 0 for no limit
 * @param burst how many of them may come at once, at least 1
 */
public record GuardSettings(
    Rule user, Rule strangers, Rule address, double attemptsPerSecond, int burst) {
  /**
   * 5 failures of a name from one address, 100 from those that are not known; 50 from an address of
   * whichever names; 20 attempts per second, 100 at once.
   */
  public static final GuardSettings DEFAULT =
      new GuardSettings(
          new Rule(5, Duration.ofSeconds(30), Duration.ofMinutes(15), Duration.ofHours(12)),
          new Rule(100, Duration.ofSeconds(30), Duration.ofMinutes(15), Duration.ofHours(12)),
          new Rule(50, Duration.ofSeconds(30), Duration.ofMinutes(15), Duration.ofMinutes(10)),
          20,
          100);

  /** Checks the values. */
  public GuardSettings {
    if (!(attemptsPerSecond >= 0) || burst < 1) {
      throw new IllegalArgumentException("attempts are not negative, and a burst is at least 1");
    }
  }

  /**
   * When there is a lock, and for how long.
   *
   * @param failures that lead to the first lock
   * @param first how long it lasts; each further failure doubles that
   * @param longest that a lock may last
   * @param window after which failures are forgotten, from the first of them on; not shorter than
   *     the longest lock is wise
   */
  public record Rule(int failures, Duration first, Duration longest, Duration window) {
    /** Checks the values. */
    public Rule {
      if (failures < 1
          || first.toMillis() < 1
          || longest.compareTo(first) < 0
          || window.toMillis() < 1) {
        throw new IllegalArgumentException("a lock needs failures and times that are positive");
      }
    }

    /** How long the lock lasts after that many failures; zero for none. */
    Duration lock(int failures) {
      int over = failures - this.failures;
      if (over < 0) {
        return Duration.ZERO;
      }
      // 2^30 seconds are more than anybody's longest.
      Duration doubled = first.multipliedBy(1L << Math.min(over, 30));
      return doubled.compareTo(longest) < 0 ? doubled : longest;
    }
  }
}
