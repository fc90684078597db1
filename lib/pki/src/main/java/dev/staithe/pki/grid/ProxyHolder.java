package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * Whom a chain of proxies lets its holder act for, by what the certificates themselves say: nothing
 * is verified here. Thread-safe.
 */
public final class ProxyHolder {
  private ProxyHolder() {}

  /**
   * The name of the first certificate that is no proxy.
   *
   * @param chain the holder's own certificate first
   * @return empty where all are proxies
   */
  public static Optional<GridSubject> of(List<X509Certificate> chain) {
    return chain.stream()
        .filter(certificate -> !isProxy(certificate))
        .findFirst()
        .map(certificate -> GridSubject.of(certificate.getSubjectX500Principal()));
  }

  /** Whether a certificate is a proxy of any kind, also of one that nobody should believe. */
  public static boolean isProxy(X509Certificate certificate) {
    return ProxyKind.of(certificate) != ProxyKind.NONE;
  }
}
