package dev.staithe.pki.grid;

import dev.staithe.pki.TrustAnchors;
import dev.staithe.pki.grid.ClientChainRules.Revocation;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CRLReason;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.jspecify.annotations.Nullable;

/**
 * Revocation lists (RFC 5280 section 5) by their authority, all in memory: nothing is read or
 * fetched while a client waits, and the signature of a list, which can be long, is verified once.
 * Thread-safe.
 */
final class RevocationLists {
  /** What is said against a certificate that its authority has withdrawn. */
  static final String REVOKED = "has been revoked";

  private static final int CRL_SIGN = 6;

  private static final Set<String> SCOPE = Set.of(Extension.issuingDistributionPoint.getId());

  private record CachedList(X509CRL list, Map<PublicKey, Boolean> signers) {
    boolean signedBy(PublicKey key) {
      return signers.computeIfAbsent(key, this::verified);
    }

    private boolean verified(PublicKey key) {
      try {
        list.verify(key);
        return true;
      } catch (GeneralSecurityException | RuntimeException e) {
        return false;
      }
    }

    /**
     * Whether the certificate is of those that the list speaks of. One that says only what changed
     * is of none, and neither is one with a critical extension that we do not know (5.2).
     */
    boolean covers(X509Certificate certificate) {
      Set<String> critical = list.getCriticalExtensionOIDs();
      return critical == null || SCOPE.containsAll(critical) && isInScope(certificate);
    }

    /** RFC 5280 section 6.3.3 (b)(2); a list without the extension is for all. */
    private boolean isInScope(X509Certificate certificate) {
      byte[] extension = list.getExtensionValue(Extension.issuingDistributionPoint.getId());
      if (extension == null) {
        return true;
      }
      try {
        var scope =
            IssuingDistributionPoint.getInstance(
                ASN1OctetString.getInstance(extension).getOctets());
        boolean authority = certificate.getBasicConstraints() >= 0;
        return !scope.isIndirectCRL()
            && scope.getOnlySomeReasons() == null
            && !scope.onlyContainsAttributeCerts()
            && !(scope.onlyContainsUserCerts() && authority)
            && !(scope.onlyContainsCACerts() && !authority)
            && (scope.getDistributionPoint() == null
                || isNamed(scope.getDistributionPoint(), certificate));
      } catch (RuntimeException e) {
        return false;
      }
    }

    /** An authority may have several lists, each for the certificates that name it. */
    private static boolean isNamed(DistributionPointName list, X509Certificate certificate) {
      byte[] extension = certificate.getExtensionValue(Extension.cRLDistributionPoints.getId());
      if (extension == null || list.getType() != DistributionPointName.FULL_NAME) {
        return false;
      }
      var names = List.of(GeneralNames.getInstance(list.getName()).getNames());
      var points = CRLDistPoint.getInstance(ASN1OctetString.getInstance(extension).getOctets());
      for (DistributionPoint point : points.getDistributionPoints()) {
        DistributionPointName name = point.getDistributionPoint();
        if (name != null
            && name.getType() == DistributionPointName.FULL_NAME
            && Stream.of(GeneralNames.getInstance(name.getName()).getNames())
                .anyMatch(names::contains)) {
          return true;
        }
      }
      return false;
    }

    boolean current(Instant now) {
      return list.getNextUpdate() != null
          && !now.isAfter(list.getNextUpdate().toInstant())
          && !now.plus(ClientChainValidator.SKEW).isBefore(list.getThisUpdate().toInstant());
    }
  }

  private final Map<X500Principal, List<CachedList>> byIssuer = new HashMap<>();

  RevocationLists(TrustAnchors trust) {
    for (X509CRL list : trust.crls()) {
      CachedList held = new CachedList(list, new ConcurrentHashMap<>());
      byIssuer.computeIfAbsent(list.getIssuerX500Principal(), name -> new ArrayList<>()).add(held);
      for (X509Certificate anchor : trust.certificates()) {
        if (anchor.getSubjectX500Principal().equals(list.getIssuerX500Principal())) {
          // Now, and not while the first client waits.
          held.signedBy(anchor.getPublicKey());
        }
      }
    }
  }

  /** What lists say against the certificate, as the end of a sentence, or null for nothing. */
  @Nullable String against(
      X509Certificate certificate, X509Certificate issuer, Revocation mode, Instant now) {
    if (mode == Revocation.IGNORE) {
      return null;
    }
    boolean[] usage = issuer.getKeyUsage();
    boolean signsLists = usage == null || usage[CRL_SIGN];
    boolean any = false;
    boolean current = false;
    for (CachedList held : byIssuer.getOrDefault(certificate.getIssuerX500Principal(), List.of())) {
      if (!signsLists || !held.signedBy(issuer.getPublicKey())) {
        continue;
      }
      X509CRLEntry entry = held.list().getRevokedCertificate(certificate.getSerialNumber());
      // In a list of what changed, one that is no longer on hold (5.3.1).
      if (entry != null && entry.getRevocationReason() != CRLReason.REMOVE_FROM_CRL) {
        return REVOKED;
      }
      any = true;
      current |= held.covers(certificate) && held.current(now);
    }
    return switch (mode) {
      case REQUIRE ->
          current ? null : "cannot be checked: its authority has no current revocation list";
      case IF_PRESENT ->
          current || !any
              ? null
              : "cannot be checked: the revocation list of its authority is overdue";
      case IF_VALID, IGNORE -> null;
    };
  }
}
