package dev.staithe.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
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
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority: a key that signs certificates (RFC 5280). Immutable and thread-safe; all
 * times come from the clock given.
 */
public final class CertificateIssuer {
  /** Starts a little early, so that a peer whose clock is late accepts a new certificate. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Credential authority;
  private final Clock clock;

  private CertificateIssuer(Credential authority, Clock clock) {
    this.authority = authority;
    this.clock = clock;
  }

  /**
   * Makes a new self-signed authority.
   *
   * @param commonName what it is called, not blank
   * @param validity from now on, positive
   */
  public static CertificateIssuer create(
      String commonName, KeyKind keyKind, Duration validity, Clock clock) {
    if (commonName.isBlank() || !validity.isPositive()) {
      throw new IllegalArgumentException("an authority needs a name and a positive validity");
    }
    KeyPair keys = keyKind.generate(RANDOM);
    Instant now = clock.instant();
    X500Principal name = commonName(commonName);
    var builder = builder(name, name, keys.getPublic(), now, now.plus(validity));
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
      X509Certificate certificate =
          new JcaX509CertificateConverter()
              .getCertificate(builder.build(signer(keys.getPrivate())));
      return new CertificateIssuer(new Credential(keys.getPrivate(), List.of(certificate)), clock);
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
    var authority = Credential.read(certificateFile, keyFile);
    if (authority.certificate().getBasicConstraints() < 0) {
      throw new PemException(
          certificateFile + " is not the certificate of an authority: expected CA:TRUE");
    }
    return new CertificateIssuer(authority, clock);
  }

  /** Writes the authority's certificate and key, the key readable by its owner only. */
  public void write(Path certificateFile, Path keyFile) throws IOException {
    authority.write(certificateFile, keyFile);
  }

  /** The authority's own certificate. */
  public X509Certificate certificate() {
    return authority.certificate();
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
    KeyPair keys = request.keyKind().generate(RANDOM);
    Instant now = clock.instant();
    var builder =
        builder(
            certificate().getSubjectX500Principal(),
            commonName(request.hosts().getFirst()),
            keys.getPublic(),
            now,
            end(now, request.validity()));
    int usage =
        keys.getPublic().getAlgorithm().equals("RSA")
            ? KeyUsage.digitalSignature | KeyUsage.keyEncipherment
            : KeyUsage.digitalSignature;
    try {
      var extensions = new JcaX509ExtensionUtils();
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
      builder.addExtension(
          Extension.extendedKeyUsage,
          false,
          new ExtendedKeyUsage(
              new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
      builder.addExtension(
          Extension.subjectAlternativeName, false, alternativeNames(request.hosts()));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          extensions.createSubjectKeyIdentifier(keys.getPublic()));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          extensions.createAuthorityKeyIdentifier(certificate()));
      var chain = new ArrayList<X509Certificate>();
      chain.add(
          new JcaX509CertificateConverter().getCertificate(builder.build(signer(authority.key()))));
      for (X509Certificate above : authority.chain()) {
        if (!above.getSubjectX500Principal().equals(above.getIssuerX500Principal())) {
          chain.add(above);
        }
      }
      return new Credential(keys.getPrivate(), chain);
    } catch (GeneralSecurityException | CertIOException e) {
      throw new IllegalStateException("cannot make a host certificate", e);
    }
  }

  /**
   * Makes the list of revoked certificates (RFC 5280 §5).
   *
   * @param revoked certificates of this authority
   * @param validity until the next list is due, positive
   */
  public X509CRL revocationList(Collection<X509Certificate> revoked, Duration validity) {
    Instant now = clock.instant();
    var builder =
        new JcaX509v2CRLBuilder(
            certificate().getSubjectX500Principal(), Date.from(now.minus(SKEW)));
    builder.setNextUpdate(Date.from(now.plus(validity)));
    for (X509Certificate certificate : revoked) {
      builder.addCRLEntry(certificate.getSerialNumber(), Date.from(now), 0);
    }
    try {
      return new JcaX509CRLConverter().getCRL(builder.build(signer(authority.key())));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a revocation list", e);
    }
  }

  private Instant end(Instant now, Duration validity) {
    Instant authorityEnd = certificate().getNotAfter().toInstant();
    if (authorityEnd.isBefore(now)) {
      throw new IllegalStateException("the certificate authority ended at " + authorityEnd);
    }
    Instant wanted = now.plus(validity);
    return wanted.isAfter(authorityEnd) ? authorityEnd : wanted;
  }

  private static JcaX509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, PublicKey key, Instant now, Instant end) {
    return new JcaX509v3CertificateBuilder(
        issuer, serial(), Date.from(now.minus(SKEW)), Date.from(end), subject, key);
  }

  /** 127 random bits: RFC 5280 §4.1.2.2 allows 20 octets, the CA/Browser Forum asks for 64 bits. */
  private static BigInteger serial() {
    return new BigInteger(126, RANDOM).setBit(126);
  }

  private static X500Principal commonName(String name) {
    // Built from parts, so that a comma in a name stays part of the name.
    try {
      return new X500Principal(
          new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build().getEncoded());
    } catch (IOException e) {
      throw new IllegalArgumentException("not a name for a certificate", e);
    }
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

  private static ContentSigner signer(PrivateKey key) throws GeneralSecurityException {
    try {
      return new JcaContentSignerBuilder(
              key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA")
          .build(key);
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }
}
