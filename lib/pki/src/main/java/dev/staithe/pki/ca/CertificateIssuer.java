package dev.staithe.pki.ca;

import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.PemException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;

/**
 * A certificate authority: a key that signs certificates (RFC 5280). Immutable and thread-safe; all
 * times come from the clock given.
 */
public final class CertificateIssuer {
  /** Starts a little early, so that a peer whose clock is late accepts a new certificate. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private static final int KEY_CERT_SIGN = 5;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final AuthorityKey authority;
  private final AuthorityKeyIdentifier identifier;
  private final X500Name name;
  private final Clock clock;

  private CertificateIssuer(AuthorityKey authority, Clock clock) {
    this.authority = authority;
    this.clock = clock;
    this.name =
        X500Name.getInstance(authority.certificate().getSubjectX500Principal().getEncoded());
    try {
      // By its key alone: the serial number is another one when the certificate is made anew, and
      // OpenSSL would refuse all that was issued before (RFC 5280 §4.2.1.1 allows both).
      this.identifier =
          new AuthorityKeyIdentifier(
              new JcaX509ExtensionUtils()
                  .createAuthorityKeyIdentifier(authority.certificate())
                  .getKeyIdentifierOctets());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate without an encoding", e);
    }
  }

  /**
   * Makes a new self-signed authority.
   *
   * @param commonName what it is called, not blank
   * @param validity from now on, positive
   */
  public static CertificateIssuer create(
      String commonName, KeyKind keyKind, Duration validity, Clock clock) {
    if (commonName.isBlank()) {
      throw new IllegalArgumentException("an authority needs a name");
    }
    return create(commonName(commonName), keyKind, validity, clock);
  }

  /**
   * Makes a new self-signed authority.
   *
   * @param validity from now on, positive
   */
  public static CertificateIssuer create(
      DistinguishedName name, KeyKind keyKind, Duration validity, Clock clock) {
    return create(name.x500Name(), keyKind, validity, clock);
  }

  private static CertificateIssuer create(
      X500Name name, KeyKind keyKind, Duration validity, Clock clock) {
    if (!validity.isPositive()) {
      throw new IllegalArgumentException("an authority needs a positive validity");
    }
    KeyPair keys = keyKind.generate();
    Instant now = clock.instant();
    var builder = builder(name, name, keys.getPublic(), now.minus(SKEW), now.plus(validity));
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
      var signer = AuthorityKey.signer(keys.getPrivate(), keys.getPublic());
      X509Certificate certificate =
          new JcaX509CertificateConverter().getCertificate(builder.build(signer));
      return new CertificateIssuer(
          AuthorityKey.of(new Credential(keys.getPrivate(), List.of(certificate))), clock);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot make a certificate authority", e);
    }
  }

  /**
   * Reads an authority from its files.
   *
   * @throws PemException where they cannot be read, do not belong together, or the certificate is
   *     not that of an authority
   */
  public static CertificateIssuer read(Path certificateFile, Path keyFile, Clock clock)
      throws PemException {
    return of(AuthorityKey.pem(certificateFile, keyFile), certificateFile.toString(), clock);
  }

  /**
   * An authority whose key lives anywhere.
   *
   * @throws PemException where the certificate is not that of an authority
   */
  public static CertificateIssuer of(AuthorityKey key, Clock clock) throws PemException {
    return of(key, key.toString(), clock);
  }

  private static CertificateIssuer of(AuthorityKey key, String name, Clock clock)
      throws PemException {
    boolean[] usage = key.certificate().getKeyUsage();
    if (key.certificate().getBasicConstraints() < 0 || (usage != null && !usage[KEY_CERT_SIGN])) {
      throw new PemException(
          name + " is not the certificate of an authority: expected CA:TRUE and keyCertSign");
    }
    return new CertificateIssuer(key, clock);
  }

  /**
   * Writes the authority's certificate and key, the key readable by its owner only.
   *
   * @throws IllegalArgumentException where the key is in a token that keeps it
   */
  public void write(Path certificateFile, Path keyFile) throws IOException {
    authority.credential().write(certificateFile, keyFile);
  }

  /** The authority's own certificate. */
  public X509Certificate certificate() {
    return authority.certificate();
  }

  /** The key that signs. */
  public AuthorityKey key() {
    return authority;
  }

  /**
   * Makes a key and a certificate for a host, good for both ends of a connection (serverAuth and
   * clientAuth).
   *
   * @return the key with the host's certificate first and the authority's chain behind it, without
   *     a self-signed root
   * @throws IllegalStateException where the authority itself is not valid now
   */
  public Credential issueHost(HostCertificateRequest request) {
    KeyPair keys = request.keyKind().generate();
    var builder =
        endEntity(
            commonName(request.hosts().getFirst()),
            keys.getPublic(),
            request.validity(),
            KeyPurposeId.id_kp_serverAuth,
            KeyPurposeId.id_kp_clientAuth);
    try {
      builder.addExtension(
          Extension.subjectAlternativeName, false, alternativeNames(request.hosts()));
      return new Credential(keys.getPrivate(), withChain(sign(builder)));
    } catch (GeneralSecurityException | CertIOException e) {
      throw new IllegalStateException("cannot make a host certificate", e);
    }
  }

  /**
   * Makes a person's certificate, good for the client's end of a connection.
   *
   * @throws IllegalStateException where the authority itself is not valid now, or its token does
   *     not sign
   */
  public X509Certificate issuePerson(PersonCertificateRequest request, CertificateProfile profile) {
    // The IGTF counts from the beginning that the certificate names, not from now.
    Duration most = PersonCertificateRequest.LONGEST.minus(SKEW);
    Duration lifetime = request.lifetime().compareTo(most) > 0 ? most : request.lifetime();
    var builder =
        endEntity(
            request.subject().x500Name(), request.key(), lifetime, KeyPurposeId.id_kp_clientAuth);
    try {
      profile.addTo(builder);
      if (!request.mail().isEmpty()) {
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(
                request.mail().stream()
                    .map(mail -> new GeneralName(GeneralName.rfc822Name, mail))
                    .toArray(GeneralName[]::new)));
      }
      byte[] saml = request.saml();
      if (saml != null) {
        builder.addExtension(
            new ASN1ObjectIdentifier(PersonCertificateRequest.SAML_OID),
            false,
            new DEROctetString(saml));
      }
      for (Map.Entry<String, String> attribute : request.attributes().entrySet()) {
        builder.addExtension(
            new ASN1ObjectIdentifier(attribute.getKey()),
            false,
            new DERUTF8String(attribute.getValue()));
      }
      return sign(builder);
    } catch (GeneralSecurityException | CertIOException e) {
      throw new IllegalStateException("cannot make a person's certificate", e);
    }
  }

  /**
   * Makes a key that may say in this authority's name which certificates are revoked (RFC 6960
   * §4.2.2.2), and nothing else. It needs no check of its own: it is replaced before long.
   *
   * @param validity from now on, positive; cut at the end of the authority's own
   */
  public Credential issueOcspResponder(KeyKind keyKind, Duration validity) {
    KeyPair keys = keyKind.generate();
    var builder =
        endEntity(
            commonName("OCSP responder"),
            keys.getPublic(),
            validity,
            KeyPurposeId.id_kp_OCSPSigning);
    try {
      builder.addExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nocheck, false, DERNull.INSTANCE);
      return new Credential(keys.getPrivate(), List.of(sign(builder)));
    } catch (GeneralSecurityException | CertIOException e) {
      throw new IllegalStateException("cannot make the certificate of an OCSP responder", e);
    }
  }

  /**
   * Makes the list of revoked certificates (RFC 5280 §5), all revoked now for no reason told.
   *
   * @param revoked certificates of this authority
   * @param validity until the next list is due, positive
   */
  public X509CRL revocationList(Collection<X509Certificate> revoked, Duration validity) {
    Instant now = clock.instant();
    return revocationList(
        new RevocationList(
            BigInteger.valueOf(Math.max(1, now.toEpochMilli())),
            revoked.stream()
                .map(
                    certificate ->
                        new RevocationList.Entry(
                            certificate.getSerialNumber(), now, RevocationReason.UNSPECIFIED))
                .toList(),
            validity));
  }

  /**
   * Makes a list of revoked certificates (RFC 5280 §5).
   *
   * @throws IllegalStateException where the authority's token does not sign
   */
  public X509CRL revocationList(RevocationList list) {
    Instant now = clock.instant();
    var builder =
        new JcaX509v2CRLBuilder(
            certificate().getSubjectX500Principal(), Date.from(now.minus(SKEW)));
    builder.setNextUpdate(Date.from(now.plus(list.validity())));
    for (RevocationList.Entry entry : list.entries()) {
      builder.addCRLEntry(entry.serial(), Date.from(entry.at()), entry.reason().code());
    }
    try {
      builder.addExtension(Extension.authorityKeyIdentifier, false, identifier);
      builder.addExtension(Extension.cRLNumber, false, new CRLNumber(list.number()));
      return new JcaX509CRLConverter().getCRL(builder.build(authority.signer()));
    } catch (GeneralSecurityException | CertIOException e) {
      throw new IllegalStateException("cannot make a revocation list", e);
    }
  }

  /** What all certificates that are no authority's have in common. */
  private X509v3CertificateBuilder endEntity(
      X500Name subject, PublicKey key, Duration validity, KeyPurposeId... purposes) {
    Instant now = clock.instant();
    Instant authorityStart = certificate().getNotBefore().toInstant();
    if (authorityStart.isAfter(now)) {
      throw new IllegalStateException("the certificate authority begins at " + authorityStart);
    }
    Instant start = now.minus(SKEW);
    start = start.isBefore(authorityStart) ? authorityStart : start;
    Instant end = end(now, validity);
    var builder = builder(name, subject, key, start, end);
    int usage =
        key.getAlgorithm().equals("RSA")
            ? KeyUsage.digitalSignature | KeyUsage.keyEncipherment
            : KeyUsage.digitalSignature;
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
      builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key));
      builder.addExtension(Extension.authorityKeyIdentifier, false, identifier);
      return builder;
    } catch (GeneralSecurityException | CertIOException e) {
      throw new IllegalStateException("cannot put a certificate together", e);
    }
  }

  private X509Certificate sign(X509v3CertificateBuilder builder) throws GeneralSecurityException {
    return new JcaX509CertificateConverter().getCertificate(builder.build(authority.signer()));
  }

  private List<X509Certificate> withChain(X509Certificate certificate) {
    var chain = new ArrayList<X509Certificate>();
    chain.add(certificate);
    for (X509Certificate above : authority.chain()) {
      if (!above.getSubjectX500Principal().equals(above.getIssuerX500Principal())) {
        chain.add(above);
      }
    }
    return chain;
  }

  private Instant end(Instant now, Duration validity) {
    Instant authorityEnd = certificate().getNotAfter().toInstant();
    if (authorityEnd.isBefore(now)) {
      throw new IllegalStateException("the certificate authority ended at " + authorityEnd);
    }
    return min(authorityEnd, now.plus(validity));
  }

  private static Instant min(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, PublicKey key, Instant start, Instant end) {
    return new X509v3CertificateBuilder(
        issuer,
        serial(),
        Date.from(start),
        Date.from(end),
        subject,
        SubjectPublicKeyInfo.getInstance(key.getEncoded()));
  }

  /** 127 random bits: RFC 5280 §4.1.2.2 allows 20 octets, the CA/Browser Forum asks for 64 bits. */
  private static BigInteger serial() {
    return new BigInteger(126, RANDOM).setBit(126);
  }

  private static X500Name commonName(String name) {
    // Built from parts, so that a comma in a name stays part of the name.
    return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build();
  }

  private static GeneralNames alternativeNames(List<String> hosts) {
    return new GeneralNames(
        hosts.stream()
            .map(
                host ->
                    new GeneralName(
                        IpLiteral.isOne(host) ? GeneralName.iPAddress : GeneralName.dNSName, host))
            .toArray(GeneralName[]::new));
  }
}
