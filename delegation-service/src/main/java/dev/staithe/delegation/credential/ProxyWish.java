package dev.staithe.delegation.credential;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an acquirer would like; it never gets more than the rules and the chain leave.
 *
 * @param lifetime positive; null: as long as it may be
 * @param pathLength how many proxies below, 0 or more (RFC 3820 section 3.8.1); null: as many as
 *     may be
 * @param limited in the sense of Globus
 */
public record ProxyWish(
    @Nullable Duration lifetime, @Nullable Integer pathLength, boolean limited) {
  /** As much as may be. */
  public static final ProxyWish NOTHING = new ProxyWish(null, null, false);

  /** Checks the ranges. */
  public ProxyWish {
    if (lifetime != null && !lifetime.isPositive()) {
      throw new IllegalArgumentException("the lifetime is not positive");
    }
    if (pathLength != null && pathLength < 0) {
      throw new IllegalArgumentException("the path length is negative");
    }
  }
}
