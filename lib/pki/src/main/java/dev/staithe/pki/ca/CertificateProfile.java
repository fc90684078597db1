package dev.staithe.pki.ca;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.CertificatePolicies;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.PolicyInformation;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What all certificates of an authority say alike about where they come from. Immutable and
 * thread-safe.
 *
 * @param policies identifiers in dots of the policies they were issued under (RFC 5280 §4.2.1.4)
 * @param crls where the list of revoked ones is (§4.2.1.13)
 * @param ocsp where the status of one can be asked for (§4.2.2.1), or null
 * @param issuer where the authority's own certificate is (§4.2.2.1), or null
 */
public record CertificateProfile(
    List<String> policies, List<URI> crls, @Nullable URI ocsp, @Nullable URI issuer) {
  /** Checks the identifiers. */
  public CertificateProfile {
    policies = List.copyOf(policies);
    crls = List.copyOf(crls);
    for (String policy : policies) {
      if (ASN1ObjectIdentifier.tryFromID(policy) == null) {
        throw new IllegalArgumentException("a policy is an identifier in dots: " + policy);
      }
    }
  }

  /** Says nothing. */
  public static CertificateProfile plain() {
    return new CertificateProfile(List.of(), List.of(), null, null);
  }

  void addTo(X509v3CertificateBuilder builder) throws CertIOException {
    if (!policies.isEmpty()) {
      builder.addExtension(
          Extension.certificatePolicies,
          false,
          new CertificatePolicies(
              policies.stream()
                  .map(policy -> new PolicyInformation(new ASN1ObjectIdentifier(policy)))
                  .toArray(PolicyInformation[]::new)));
    }
    if (!crls.isEmpty()) {
      // One point with all places: they hold the same list.
      var places = crls.stream().map(CertificateProfile::name).toArray(GeneralName[]::new);
      builder.addExtension(
          Extension.cRLDistributionPoints,
          false,
          new CRLDistPoint(
              new DistributionPoint[] {
                new DistributionPoint(
                    new DistributionPointName(new GeneralNames(places)), null, null)
              }));
    }
    var access = new ArrayList<AccessDescription>();
    if (ocsp != null) {
      access.add(new AccessDescription(AccessDescription.id_ad_ocsp, name(ocsp)));
    }
    if (issuer != null) {
      access.add(new AccessDescription(AccessDescription.id_ad_caIssuers, name(issuer)));
    }
    if (!access.isEmpty()) {
      builder.addExtension(
          Extension.authorityInfoAccess,
          false,
          new AuthorityInformationAccess(access.toArray(AccessDescription[]::new)));
    }
  }

  private static GeneralName name(URI uri) {
    return new GeneralName(GeneralName.uniformResourceIdentifier, uri.toASCIIString());
  }
}
