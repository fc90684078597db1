package dev.staithe.delegation.credential;

import dev.staithe.pki.GridSubject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may have proxies signed with a delegation, and what proxies.
 *
 * @param acquirers subjects of the services that may; empty: nobody. At most {@value
 *     #MOST_ACQUIRERS}
 * @param uses how many proxies in all, at least 1; null: as many as they like
 * @param hops how many services further the acquirer may let act in its turn, 0 to {@value
 *     #MOST_HOPS}; the proxy's path length says so (RFC 3820 section 3.8.1), two for each: one that
 *     the next delegation takes, one for the proxy acquired from it
 * @param limited whether the proxies are limited in the sense of Globus, whatever is wished
 * @param longest lifetime of each, positive
 */
public record AcquireRules(
    List<GridSubject> acquirers,
    @Nullable Integer uses,
    int hops,
    boolean limited,
    Duration longest) {
  /** More names than this are a mistake. */
  public static final int MOST_ACQUIRERS = 50;

  /** Far longer than any chain that is judged. */
  public static final int MOST_HOPS = 5;

  /** The greatest number of uses that can be told from no limit. */
  public static final int MOST_USES = 1_000_000;

  /** Characters of a name, which the store keeps. */
  static final int LONGEST_NAME = 1100;

  /** Checks the ranges. */
  public AcquireRules {
    acquirers = List.copyOf(acquirers);
    if (acquirers.size() > MOST_ACQUIRERS) {
      throw new IllegalArgumentException("more than " + MOST_ACQUIRERS + " acquirers");
    }
    acquirers.forEach(AcquireRules::checkName);
    if (uses != null && (uses < 1 || uses > MOST_USES)) {
      throw new IllegalArgumentException("uses are not within 1 to " + MOST_USES);
    }
    if (hops < 0 || hops > MOST_HOPS) {
      throw new IllegalArgumentException("hops are not within 0 to " + MOST_HOPS);
    }
    if (!longest.isPositive()) {
      throw new IllegalArgumentException("the longest lifetime is not positive");
    }
  }

  /**
   * Looks at the name of an acquirer.
   *
   * @throws IllegalArgumentException with one line where it cannot be kept
   */
  public static void checkName(GridSubject acquirer) {
    if (acquirer.name().length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "the name of an acquirer is longer than " + LONGEST_NAME + " characters");
    }
  }
}
