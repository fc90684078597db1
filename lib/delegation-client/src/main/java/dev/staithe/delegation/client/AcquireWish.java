package dev.staithe.delegation.client;

import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What proxy to acquire. The service gives what the delegator's rules allow of it.
 *
 * @param key of the proxy; made freshly for each
 * @param delegator whose delegation it must be; null where the id alone tells
 * @param lifetime positive; null for as long as is allowed
 * @param pathLength how many proxies may be signed below it, 0 or more; null for as many as is
 *     allowed
 * @param limited whether it is limited in any case
 */
public record AcquireWish(
    KeyKind key,
    @Nullable GridSubject delegator,
    @Nullable Duration lifetime,
    @Nullable Integer pathLength,
    boolean limited) {
  /** Checks the values. */
  public AcquireWish {
    if (lifetime != null && !lifetime.isPositive()) {
      throw new IllegalArgumentException("a proxy is valid for some time");
    }
    if (pathLength != null && pathLength < 0) {
      throw new IllegalArgumentException("a path length is not negative");
    }
  }

  /** All that is allowed, with a key of P-256. */
  public static AcquireWish of(@Nullable GridSubject delegator) {
    return new AcquireWish(KeyKind.EC_P256, delegator, null, null, false);
  }
}
