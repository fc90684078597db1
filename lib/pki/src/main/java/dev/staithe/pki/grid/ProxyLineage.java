package dev.staithe.pki.grid;

import eu.emi.security.authn.x509.helpers.proxy.ProxyHelper;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proxies at the begin of a chain, the last made first, by what they say of themselves.
 *
 * @param proxies their kinds, none of them {@link ProxyKind#NONE}
 * @param pathLeft how many more may follow below the first, by the path lengths of all of them;
 *     negative where there are too many already, null where none of them says
 */
record ProxyLineage(List<ProxyKind> proxies, @Nullable Integer pathLeft) {
  ProxyLineage {
    proxies = List.copyOf(proxies);
  }

  /**
   * Reads it.
   *
   * @param chain each certificate before the one that issued it
   */
  static ProxyLineage of(List<X509Certificate> chain) {
    List<ProxyKind> proxies = new ArrayList<>();
    Integer left = null;
    for (X509Certificate certificate : chain) {
      ProxyKind kind = ProxyKind.of(certificate);
      if (kind == ProxyKind.NONE) {
        break;
      }
      Integer allowed = kind == ProxyKind.MALFORMED ? null : pathLength(certificate);
      if (allowed != null) {
        int here = allowed - proxies.size();
        left = left == null ? here : Math.min(left, here);
      }
      proxies.add(kind);
    }
    return new ProxyLineage(proxies, left);
  }

  /** How many proxies there are, and so the place of the certificate that they are made of. */
  int count() {
    return proxies.size();
  }

  boolean limited() {
    return proxies.stream().anyMatch(ProxyKind::limited);
  }

  boolean independent() {
    return proxies.contains(ProxyKind.INDEPENDENT);
  }

  boolean legacy() {
    return proxies.stream().anyMatch(ProxyKind::legacy);
  }

  private static @Nullable Integer pathLength(X509Certificate proxy) {
    try {
      int said = ProxyHelper.getProxyPathLimit(proxy);
      return said == Integer.MAX_VALUE ? null : said;
    } catch (IOException e) {
      return 0;
    }
  }
}
