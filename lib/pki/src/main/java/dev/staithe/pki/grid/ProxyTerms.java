package dev.staithe.pki.grid;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy is to be. The one who signs it may cut it down further: see {@link ProxySigner}.
 *
 * @param pathLength how many proxies may follow one another below it, 0 or more; null for any
 *     number
 * @param lifetime from now on, positive; at least a second
 * @param form how it says that it is a proxy; {@link ProxyForm#LEGACY} knows neither a path length
 *     nor independence
 * @param sha1 whether it is signed over SHA-1, which is forgeable: for programs from before 2015
 */
public record ProxyTerms(
    ProxyPolicy policy,
    @Nullable Integer pathLength,
    Duration lifetime,
    ProxyForm form,
    boolean sha1) {
  /**
   * Checks that the parts go together.
   *
   * @throws IllegalArgumentException where they do not
   */
  public ProxyTerms {
    if (lifetime.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("a proxy lives a second at least");
    }
    if (pathLength != null && pathLength < 0) {
      throw new IllegalArgumentException("the path length of a proxy is 0 or more");
    }
    if (form == ProxyForm.LEGACY && (pathLength != null || policy == ProxyPolicy.INDEPENDENT)) {
      throw new IllegalArgumentException(
          "a proxy from before RFC 3820 has no path length and is not independent");
    }
  }

  /** By RFC 3820, with all rights, any number of proxies below it, signed over SHA-256. */
  public static ProxyTerms of(Duration lifetime) {
    return new ProxyTerms(ProxyPolicy.INHERIT_ALL, null, lifetime, ProxyForm.RFC3820, false);
  }

  /** The same with that policy. */
  public ProxyTerms withPolicy(ProxyPolicy other) {
    return new ProxyTerms(other, pathLength, lifetime, form, sha1);
  }

  /** The same with that path length; null for any number. */
  public ProxyTerms withPathLength(@Nullable Integer most) {
    return new ProxyTerms(policy, most, lifetime, form, sha1);
  }
}
