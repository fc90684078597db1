package dev.staithe.pki;

import dev.staithe.pki.ChainVerdict.Reason;
import dev.staithe.pki.ChainVerdict.Refused;
import dev.staithe.pki.ChainVerdict.Trusted;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.PKIXCertPathChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Judges the certificate chain of a TLS server (RFC 5280 §6) at the clock's time. It does not look
 * at host names. Immutable and thread-safe.
 */
public final class ChainValidator {
  /** A server that sends more is not worth the search. */
  private static final int MAX_CHAIN = 16;

  /** Certificates that are looked at in the search for a path, each time that it comes to one. */
  private static final int MOST_STEPS = 256;

  private static final Set<String> SERVER_PURPOSES =
      Set.of("1.3.6.1.5.5.7.3.1", "2.5.29.37.0"); // serverAuth, anyExtendedKeyUsage

  private final TrustAnchors trust;
  private final Set<TrustAnchor> anchors;
  private final Clock clock;

  /** Judges by the given anchors and their revocation lists; a missing list is tolerated. */
  public ChainValidator(TrustAnchors trust, Clock clock) {
    this.trust = trust;
    this.anchors =
        trust.certificates().stream()
            .map(certificate -> new TrustAnchor(certificate, null))
            .collect(Collectors.toUnmodifiableSet());
    this.clock = clock;
  }

  /**
   * Judges a chain.
   *
   * @param chain as the server sent it, its own certificate first; the order of the others does not
   *     matter
   */
  public ChainVerdict validateServer(List<X509Certificate> chain) {
    if (chain.isEmpty() || chain.size() > MAX_CHAIN) {
      return new Refused(Reason.UNKNOWN_ISSUER);
    }
    X509Certificate host = chain.getFirst();
    Instant now = clock.instant();
    if (trust.certificates().contains(host)) {
      // Trusted by itself: a self-signed certificate that the operator names.
      Reason reason = validity(host, now);
      return reason == null ? judgePurpose(host, List.of(host)) : new Refused(reason);
    }
    var steps = new Steps();
    // A root that was renewed with its key has two, of which the search takes any.
    Optional<Path> found = build(chain, validAt(now), now, steps);
    if (found.isEmpty()) {
      found = build(chain, anchors, now, steps);
    }
    if (found.isEmpty()) {
      return new Refused(whyNoPath(chain, now, steps));
    }
    Path path = found.get();
    Reason anchorReason = validity(path.anchor(), now);
    if (anchorReason != null) {
      return new Refused(anchorReason);
    }
    if (revoked(path)) {
      return new Refused(Reason.REVOKED);
    }
    return judgePurpose(host, path.certificates());
  }

  private record Path(List<X509Certificate> certificates, X509Certificate anchor) {}

  /**
   * Ends a search that would take very long: of sixteen certificates that are issued by one another
   * there are hundreds of thousands of ways up.
   */
  private static final class Steps extends PKIXCertPathChecker {
    // The search makes copies of this, which count together.
    private final AtomicInteger left = new AtomicInteger(MOST_STEPS);

    @Override
    public void init(boolean forward) {
      // It counts all searches of one chain.
    }

    @Override
    public boolean isForwardCheckingSupported() {
      return true;
    }

    @Override
    public Set<String> getSupportedExtensions() {
      return Set.of();
    }

    @Override
    public void check(Certificate certificate, Collection<String> unresolved)
        throws CertPathValidatorException {
      if (left.decrementAndGet() < 0) {
        throw new CertPathValidatorException("too many ways");
      }
    }
  }

  private Set<TrustAnchor> validAt(Instant now) {
    return anchors.stream()
        .filter(anchor -> validity(anchor.getTrustedCert(), now) == null)
        .collect(Collectors.toSet());
  }

  private static Optional<Path> build(
      List<X509Certificate> chain, Set<TrustAnchor> tops, Instant at, Steps steps) {
    var target = new X509CertSelector();
    target.setCertificate(chain.getFirst());
    try {
      var parameters = new PKIXBuilderParameters(tops, target);
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
      // Lists that are at hand are checked below; nothing is fetched while a peer waits.
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(at));
      parameters.addCertPathChecker(steps);
      var result =
          (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
      var certificates = new ArrayList<X509Certificate>();
      for (Certificate certificate : result.getCertPath().getCertificates()) {
        certificates.add((X509Certificate) certificate);
      }
      return Optional.of(new Path(certificates, result.getTrustAnchor().getTrustedCert()));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  /** A chain that leads to an anchor at another time failed for its time. */
  private Reason whyNoPath(List<X509Certificate> chain, Instant now, Steps steps) {
    for (X509Certificate certificate : chain) {
      Reason reason = validity(certificate, now);
      if (reason == Reason.EXPIRED
          && build(chain, anchors, certificate.getNotAfter().toInstant(), steps).isPresent()) {
        return reason;
      }
      if (reason == Reason.NOT_YET_VALID
          && build(chain, anchors, certificate.getNotBefore().toInstant(), steps).isPresent()) {
        return reason;
      }
    }
    return Reason.UNKNOWN_ISSUER;
  }

  private static @Nullable Reason validity(X509Certificate certificate, Instant now) {
    if (now.isAfter(certificate.getNotAfter().toInstant())) {
      return Reason.EXPIRED;
    }
    if (now.isBefore(certificate.getNotBefore().toInstant())) {
      return Reason.NOT_YET_VALID;
    }
    return null;
  }

  private boolean revoked(Path path) {
    for (int i = 0; i < path.certificates().size(); i++) {
      X509Certificate issuer =
          i + 1 < path.certificates().size() ? path.certificates().get(i + 1) : path.anchor();
      if (revoked(path.certificates().get(i), issuer)) {
        return true;
      }
    }
    // Each certificate that the authority's key has there leads to it as well.
    return trust.certificates().stream()
        .filter(
            each ->
                each.getSubjectX500Principal().equals(path.anchor().getSubjectX500Principal())
                    && each.getPublicKey().equals(path.anchor().getPublicKey()))
        .allMatch(this::withdrawn);
  }

  /** Folders of trust hold authorities in between too: those above them may have withdrawn them. */
  private boolean withdrawn(X509Certificate authority) {
    X509Certificate below = authority;
    for (int i = 0; i < MAX_CHAIN; i++) {
      X509Certificate above = above(below);
      if (above == null) {
        return false;
      }
      if (revoked(below, above)) {
        return true;
      }
      below = above;
    }
    return false;
  }

  private @Nullable X509Certificate above(X509Certificate authority) {
    X500Principal issuer = authority.getIssuerX500Principal();
    if (issuer.equals(authority.getSubjectX500Principal())) {
      return null;
    }
    for (X509Certificate each : trust.certificates()) {
      if (each.getSubjectX500Principal().equals(issuer)) {
        try {
          authority.verify(each.getPublicKey());
          return each;
        } catch (GeneralSecurityException e) {
          // Another key of that name.
        }
      }
    }
    return null;
  }

  private boolean revoked(X509Certificate certificate, X509Certificate issuer) {
    for (X509CRL crl : trust.crls()) {
      if (crl.getIssuerX500Principal().equals(certificate.getIssuerX500Principal())
          && crl.getRevokedCertificate(certificate.getSerialNumber()) != null
          && signedBy(crl, issuer.getPublicKey())) {
        // Also from a list whose next update is overdue: what was withdrawn stays so.
        return true;
      }
    }
    return false;
  }

  private static boolean signedBy(X509CRL crl, PublicKey key) {
    try {
      crl.verify(key);
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** RFC 5280 §4.2.1.3 and §4.2.1.12: absent extensions allow every use. */
  private static ChainVerdict judgePurpose(X509Certificate host, List<X509Certificate> path) {
    boolean[] usage = host.getKeyUsage();
    if (usage != null && !usage[0]) {
      // All suites that we offer are signed handshakes.
      return new Refused(Reason.WRONG_PURPOSE);
    }
    try {
      List<String> purposes = host.getExtendedKeyUsage();
      boolean allowed = purposes == null || purposes.stream().anyMatch(SERVER_PURPOSES::contains);
      return allowed ? new Trusted(path) : new Refused(Reason.WRONG_PURPOSE);
    } catch (CertificateParsingException e) {
      return new Refused(Reason.WRONG_PURPOSE);
    }
  }
}
