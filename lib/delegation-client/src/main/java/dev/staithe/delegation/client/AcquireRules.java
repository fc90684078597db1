package dev.staithe.delegation.client;

import dev.staithe.pki.GridSubject;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may acquire a proxy from a delegation, and of what kind.
 *
 * @param acquirers subjects of services; empty for nobody
 * @param uses how many proxies, 1 or more; null for any number
 * @param hops how many services further an acquirer may let act in its turn, 0 or more
 * @param limited whether what is given out is limited in the sense of Globus
 * @param longest how long one that is given out may be valid; null for as long as the delegation
 */
public record AcquireRules(
    List<GridSubject> acquirers,
    @Nullable Integer uses,
    int hops,
    boolean limited,
    @Nullable Duration longest) {
  /** Checks the values. */
  public AcquireRules {
    acquirers = List.copyOf(acquirers);
    if (uses != null && uses < 1) {
      throw new IllegalArgumentException("a delegation is used at least once");
    }
    if (hops < 0) {
      throw new IllegalArgumentException("the number of hops is not negative");
    }
    if (longest != null && !longest.isPositive()) {
      throw new IllegalArgumentException("a proxy is valid for some time");
    }
  }

  /** Any number of full proxies for some services, which may not pass them on. */
  public static AcquireRules of(List<GridSubject> acquirers) {
    return new AcquireRules(acquirers, null, 0, false, null);
  }
}
