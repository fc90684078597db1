package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
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
 * @param identity whom it acts for: the name of the first certificate that is no proxy, or of an
 *     independent proxy before that, which is somebody of its own (RFC 3820 section 3.8.2). Where
 *     neither is in the chain, the name above the last
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
    ProxyLineage lineage = ProxyLineage.of(chain);
    List<ProxyKind> own = lineage.proxies();
    Integer left = lineage.pathLeft();
    return new ProxyFacts(
        own.isEmpty() ? null : own.getFirst().legacy() ? Form.LEGACY : Form.RFC3820,
        rights(own),
        identity(chain, own),
        own.size(),
        left == null ? null : Math.max(0, left),
        chain.stream()
            .map(each -> each.getNotAfter().toInstant())
            .min(Comparator.naturalOrder())
            .orElseThrow());
  }

  private static GridSubject identity(List<X509Certificate> chain, List<ProxyKind> proxies) {
    int independent = proxies.indexOf(ProxyKind.INDEPENDENT);
    int of = independent < 0 ? proxies.size() : independent;
    return GridSubject.of(
        of < chain.size()
            ? chain.get(of).getSubjectX500Principal()
            : chain.getLast().getIssuerX500Principal());
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
}
