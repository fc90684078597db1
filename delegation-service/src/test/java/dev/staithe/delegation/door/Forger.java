package dev.staithe.delegation.door;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/** Makes proxies, and such as no honest program would make. Each call changes what comes next. */
public final class Forger {
  static final String INHERIT_ALL = "1.3.6.1.5.5.7.21.1";
  static final String LIMITED = "1.3.6.1.4.1.3536.1.1.1.9";

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Credential maker;
  private String policy = INHERIT_ALL;
  private Integer pathLength;
  private Instant begin = Instant.now().minus(Duration.ofMinutes(5));
  private Instant end;
  private Credential signer;
  private int names = 1;
  private boolean legacy;

  private Forger(Credential maker) {
    this.maker = maker;
    this.signer = maker;
    Instant soon = Instant.now().plus(Duration.ofHours(6));
    Instant above = maker.certificate().getNotAfter().toInstant();
    this.end = above.isBefore(soon) ? above : soon;
  }

  /** Below that one; an honest proxy for six hours unless told otherwise. */
  public static Forger below(Credential maker) {
    return new Forger(maker);
  }

  Forger policy(String oid) {
    this.policy = oid;
    return this;
  }

  Forger pathLength(int most) {
    this.pathLength = most;
    return this;
  }

  Forger from(Instant begin) {
    this.begin = begin;
    return this;
  }

  Forger until(Instant end) {
    this.end = end;
    return this;
  }

  /** The name says one thing, the signature another. */
  Forger signedBy(Credential other) {
    this.signer = other;
    return this;
  }

  /** How many common names the subject has more than its maker's: 1 unless told. */
  Forger names(int names) {
    this.names = names;
    return this;
  }

  /** As Globus 2 made them, before RFC 3820: a name and no extension. */
  Forger legacy() {
    this.legacy = true;
    return this;
  }

  /** The chain in PEM, for the key of a request in PEM. */
  public String forRequest(String request) {
    return forKey(keyOf(request));
  }

  /** The chain in PEM, for a key. */
  String forKey(PublicKey key) {
    List<X509Certificate> chain = new ArrayList<>(List.of(certificate(key)));
    chain.addAll(maker.chain());
    return Pem.encode(chain);
  }

  /** A proxy with a key of its own, which can be a maker. */
  Credential withNewKey() {
    RequestedKey own = RequestedKey.make(KeyKind.EC_P256);
    List<X509Certificate> chain = new ArrayList<>(List.of(certificate(own.publicKey())));
    chain.addAll(maker.chain());
    return new Credential(own.key(), chain);
  }

  static PublicKey keyOf(String request) {
    try (var parser = new PEMParser(new StringReader(request))) {
      return new JcaPKCS10CertificationRequest((PKCS10CertificationRequest) parser.readObject())
          .getPublicKey();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Certificate certificate(PublicKey key) {
    X500Name above =
        X500Name.getInstance(maker.certificate().getSubjectX500Principal().getEncoded());
    BigInteger serial = new BigInteger(100, RANDOM).setBit(100);
    RDN[] parts = Arrays.copyOf(above.getRDNs(), above.getRDNs().length + names);
    for (int i = 0; i < names; i++) {
      parts[above.getRDNs().length + i] =
          new RDN(BCStyle.CN, new DERPrintableString(legacy ? "proxy" : serial.toString()));
    }
    var builder =
        new X509v3CertificateBuilder(
            above,
            serial,
            Date.from(begin),
            Date.from(end),
            new X500Name(parts),
            SubjectPublicKeyInfo.getInstance(key.getEncoded()));
    var info = new ASN1EncodableVector();
    if (pathLength != null) {
      info.add(new ASN1Integer(pathLength));
    }
    info.add(new DERSequence(new ASN1ObjectIdentifier(policy)));
    try {
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      if (!legacy) {
        builder.addExtension(
            new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.14"), true, new DERSequence(info));
      }
      String algorithm =
          signer.key().getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(new JcaContentSignerBuilder(algorithm).build(signer.key())));
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
