package dev.staithe.pki;

import eu.emi.security.authn.x509.helpers.proxy.ProxyHelper;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a chain of certificates says of itself: for its holder to look at, not to trust. Nothing is
 * verified, no signature and no time.
 *
 * @param form of the first certificate; null where that is no proxy
 * @param rights of the first certificate, and what it has left after all those above it
 * @param identity the name of the first certificate that is no proxy: whom it acts for. Where none
 *     is in the chain, the name above the last
 * @param proxies how many proxies stand at the begin of the chain
 * @param pathLeft how many proxies may be signed below the first certificate (RFC 3820 section
 *     3.8.1); null for any number
 * @param notAfter when the first of all certificates in the chain ends
 */
public record ProxyFacts(
    @Nullable Form form,
    Rights rights,
    GridSubject identity,
    int proxies,
    @Nullable Integer pathLeft,
    Instant notAfter) {
  /** By what a proxy is told. */
  public enum Form {
    /** The extension ProxyCertInfo of RFC 3820. */
    RFC3820,
    /** The name alone, as in Globus 2, or an extension of the drafts before the RFC. */
    LEGACY
  }

  /** What a proxy carries on of its maker's rights. */
  public enum Rights {
    /** All. */
    FULL,
    /** All but starting programs: limited in the sense of Globus, by itself or further up. */
    LIMITED,
    /** None, by itself or further up (RFC 3820 section 3.8.2). */
    INDEPENDENT,
    /** Told in a language that is not spoken here, or malformed: nobody should believe it. */
    UNKNOWN
  }

  /**
   * Reads a chain.
   *
   * @param chain at least one certificate, each expected to be issued by the next
   */
  public static ProxyFacts of(List<X509Certificate> chain) {
    List<ProxyKind> kinds = chain.stream().map(ProxyKind::of).toList();
    int proxies = 0;
    while (proxies < kinds.size() && kinds.get(proxies) != ProxyKind.NONE) {
      proxies++;
    }
    List<ProxyKind> own = kinds.subList(0, proxies);
    return new ProxyFacts(
        own.isEmpty() ? null : own.getFirst().legacy() ? Form.LEGACY : Form.RFC3820,
        rights(own),
        GridSubject.of(
            proxies < chain.size()
                ? chain.get(proxies).getSubjectX500Principal()
                : chain.getLast().getIssuerX500Principal()),
        proxies,
        pathLeft(chain.subList(0, proxies)),
        chain.stream()
            .map(each -> each.getNotAfter().toInstant())
            .min(Comparator.naturalOrder())
            .orElseThrow());
  }

  private static Rights rights(List<ProxyKind> proxies) {
    if (proxies.contains(ProxyKind.FOREIGN) || proxies.contains(ProxyKind.MALFORMED)) {
      return Rights.UNKNOWN;
    }
    if (proxies.contains(ProxyKind.INDEPENDENT)) {
      return Rights.INDEPENDENT;
    }
    return proxies.stream().anyMatch(ProxyKind::limited) ? Rights.LIMITED : Rights.FULL;
  }

  private static @Nullable Integer pathLeft(List<X509Certificate> proxies) {
    Integer least = null;
    for (int i = 0; i < proxies.size(); i++) {
      int allowed = limit(proxies.get(i));
      if (allowed != Integer.MAX_VALUE) {
        int left = Math.max(0, allowed - i);
        least = least == null ? left : Math.min(least, left);
      }
    }
    return least;
  }

  private static int limit(X509Certificate proxy) {
    try {
      int limit = ProxyHelper.getProxyPathLimit(proxy);
      return limit < 0 ? Integer.MAX_VALUE : limit;
    } catch (IOException | RuntimeException malformed) {
      return 0;
    }
  }
}
