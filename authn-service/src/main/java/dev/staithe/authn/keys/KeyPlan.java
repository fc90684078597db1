package dev.staithe.authn.keys;

import java.time.Duration;
import java.util.Set;

/**
 * When signing keys change.
 *
 * @param algorithms those that clients may be given; RS256 always is
 * @param rotation how long a key signs: 1 minute or more, longer than {@code overlap}
 * @param overlap how long a new key is published before it signs, so that services that keep keys
 *     for a while have it: 4 seconds or more
 * @param keep how long a key stays published after it signed last: at least the longest lifetime of
 *     a token
 */
public record KeyPlan(
    Set<KeyAlgorithm> algorithms, Duration rotation, Duration overlap, Duration keep) {
  /**
   * RS256; 90 days; published 2 days before, which is longer than the profile lets keys be kept.
   */
  public static final KeyPlan DEFAULT =
      new KeyPlan(
          Set.of(KeyAlgorithm.RS256), Duration.ofDays(90), Duration.ofDays(2), Duration.ofDays(2));

  /** Checks the ranges and adds RS256. */
  public KeyPlan {
    if (rotation.compareTo(Duration.ofMinutes(1)) < 0 || rotation.compareTo(overlap) <= 0) {
      throw new IllegalArgumentException("rotation must be a minute or more, and above overlap");
    }
    if (overlap.compareTo(Duration.ofSeconds(4)) < 0) {
      throw new IllegalArgumentException("overlap must be 4 s or more, not " + overlap);
    }
    if (keep.isNegative()) {
      throw new IllegalArgumentException("keep must not be negative");
    }
    algorithms = Set.copyOf(withDefault(algorithms));
  }

  private static Set<KeyAlgorithm> withDefault(Set<KeyAlgorithm> algorithms) {
    var all = new java.util.HashSet<>(algorithms);
    all.add(KeyAlgorithm.RS256);
    return all;
  }

  /** How often a node looks for keys of others: well before one of them signs. */
  Duration reread() {
    Duration quarter = overlap.dividedBy(4);
    Duration most = Duration.ofSeconds(30);
    return quarter.compareTo(most) < 0 ? quarter : most;
  }
}
