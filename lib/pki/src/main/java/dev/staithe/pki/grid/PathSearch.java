package dev.staithe.pki.grid;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Finds the ways from a client's certificate to a trust anchor by names and signatures, among what
 * the client sent and what is trusted. An authority that several others have certified has several
 * ways up, of which each may be the good one. For one search and one thread.
 *
 * <p>What a client sends may be made to have very many ways: signatures that are verified are
 * counted, and the search ends.
 */
final class PathSearch {
  private static final int MOST_SIGNATURES = 64;
  private static final int MOST_PATHS = 4;

  /**
   * A way.
   *
   * @param certificates from the client's own to the last below the anchor
   * @param anchor a trusted authority that is certified by none that is trusted too
   */
  record Found(List<X509Certificate> certificates, X509Certificate anchor) {
    Found {
      certificates = List.copyOf(certificates);
    }

    /** The one that issued {@code certificates[index]}. */
    X509Certificate issuer(int index) {
      return index + 1 < certificates.size() ? certificates.get(index + 1) : anchor;
    }

    List<X509Certificate> withAnchor() {
      List<X509Certificate> all = new ArrayList<>(certificates);
      all.add(anchor);
      return all;
    }

    /** When the first of all of them ends. */
    Instant notAfter() {
      return withAnchor().stream()
          .map(certificate -> certificate.getNotAfter().toInstant())
          .min(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private final List<X509Certificate> sent;
  private final Set<X509Certificate> anchors;
  private final List<Found> found = new ArrayList<>();
  private int signatures;

  private PathSearch(List<X509Certificate> sent, Set<X509Certificate> anchors) {
    this.sent = sent;
    this.anchors = anchors;
  }

  /** At most four ways from the first certificate. */
  static List<Found> from(List<X509Certificate> sent, Set<X509Certificate> anchors) {
    PathSearch search = new PathSearch(sent, anchors);
    List<X509Certificate> begin = new ArrayList<>();
    begin.add(sent.getFirst());
    search.upwards(begin);
    return search.found;
  }

  private void upwards(List<X509Certificate> path) {
    X509Certificate last = path.getLast();
    for (X509Certificate anchor : anchors) {
      if (found.size() < MOST_PATHS && issued(anchor, last)) {
        top(path, anchor);
      }
    }
    for (X509Certificate next : sent) {
      if (found.size() < MOST_PATHS
          && !path.contains(next)
          && !anchors.contains(next)
          && issued(next, last)) {
        path.add(next);
        upwards(path);
        path.removeLast();
      }
    }
  }

  /** Folders of trust hold authorities in between too; what is above them counts for them. */
  private void top(List<X509Certificate> path, X509Certificate anchor) {
    boolean highest = true;
    if (!selfIssued(anchor)) {
      path.add(anchor);
      for (X509Certificate above : anchors) {
        if (!path.contains(above) && issued(above, anchor)) {
          highest = false;
          top(path, above);
        }
      }
      path.removeLast();
    }
    // Where the search has ended nobody knows whether there is something above.
    if (highest && signatures <= MOST_SIGNATURES && found.size() < MOST_PATHS) {
      found.add(new Found(path, anchor));
    }
  }

  private static boolean selfIssued(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
  }

  private boolean issued(X509Certificate issuer, X509Certificate certificate) {
    return issuer.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())
        && signatures++ < MOST_SIGNATURES
        && signed(issuer.getPublicKey(), certificate);
  }

  static boolean signed(PublicKey key, X509Certificate certificate) {
    try {
      certificate.verify(key);
      return true;
    } catch (GeneralSecurityException | RuntimeException e) {
      return false;
    }
  }
}
