package dev.staithe.pki.grid;

import dev.staithe.pki.KeyKind;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes certificates good and bad, each rule to be broken by itself. */
final class Chains {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private static final SecureRandom RANDOM = new SecureRandom();

  private Chains() {}

  /** A key with the certificates that lead up from it, its own first. */
  record Holder(KeyPair keys, List<X509Certificate> chain) {
    X509Certificate certificate() {
      return chain.getFirst();
    }

    X500Principal subject() {
      return certificate().getSubjectX500Principal();
    }
  }

  /** A certificate to be; the defaults are those of a good person. */
  static final class Draft {
    private X500Principal subject;
    private Instant begin = NOW.minus(Duration.ofHours(1));
    private Instant end = NOW.plus(Duration.ofDays(1));
    private KeyKind kind = KeyKind.EC_P256;
    private int usage = KeyUsage.digitalSignature;
    private String algorithm = "SHA256";
    private boolean authority;
    private boolean sendsIssuer = true;
    private @org.jspecify.annotations.Nullable KeyPair keys;
    private final List<Extension> extensions = new ArrayList<>();

    Draft(String subject) {
      this.subject = new X500Principal(subject);
    }

    Draft named(X500Principal name) {
      subject = name;
      return this;
    }

    Draft from(Instant when) {
      begin = when;
      return this;
    }

    Draft until(Instant when) {
      end = when;
      return this;
    }

    Draft key(KeyKind of) {
      kind = of;
      return this;
    }

    Draft keys(KeyPair these) {
      keys = these;
      return this;
    }

    /** 0 for no such extension. */
    Draft usage(int bits) {
      usage = bits;
      return this;
    }

    /** A digest, or a whole algorithm that has one among its parameters. */
    Draft signedWith(String digest) {
      algorithm = digest;
      return this;
    }

    Draft authority() {
      authority = true;
      usage = KeyUsage.keyCertSign | KeyUsage.cRLSign;
      return this;
    }

    /** The client does not send the certificate of its authority. */
    Draft alone() {
      sendsIssuer = false;
      return this;
    }

    Draft purpose(KeyPurposeId purpose) {
      return extension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
    }

    Draft alternativeName(String host) {
      return extension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(new GeneralName(GeneralName.dNSName, host)));
    }

    Draft extension(ASN1ObjectIdentifier type, boolean critical, ASN1Encodable value) {
      try {
        extensions.add(new Extension(type, critical, value.toASN1Primitive().getEncoded("DER")));
        return this;
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    Holder selfSigned() {
      KeyPair own = keys == null ? kind.generate() : keys;
      return new Holder(own, List.of(sign(own, subject, own.getPrivate())));
    }

    Holder by(Holder issuer) {
      KeyPair own = keys == null ? kind.generate() : keys;
      List<X509Certificate> chain = new ArrayList<>();
      chain.add(sign(own, issuer.subject(), issuer.keys().getPrivate()));
      if (sendsIssuer) {
        chain.addAll(issuer.chain());
      }
      return new Holder(own, chain);
    }

    private X509Certificate sign(KeyPair own, X500Principal issuer, PrivateKey with) {
      var builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(64, RANDOM).setBit(64),
              Date.from(begin),
              Date.from(end),
              subject,
              own.getPublic());
      try {
        if (authority) {
          builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        }
        if (usage != 0) {
          builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
        }
        for (Extension extension : extensions) {
          builder.addExtension(extension);
        }
        String suffix =
            algorithm.contains("with")
                ? ""
                : with.getAlgorithm().equals("EC") ? "withECDSA" : "withRSA";
        return new JcaX509CertificateConverter()
            .getCertificate(
                builder.build(
                    new JcaContentSignerBuilder(algorithm + suffix)
                        .setProvider(new BouncyCastleProvider())
                        .build(with)));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static Holder authority(String name) {
    return new Draft(name).authority().until(NOW.plus(Duration.ofDays(365))).selfSigned();
  }

  static Draft person(String name) {
    return new Draft(name);
  }

  /** A proxy that inherits all, to be changed. */
  static Draft proxy(Holder of) {
    return proxy(of, "1", info(-1, INHERIT_ALL));
  }

  static Draft limitedProxy(Holder of) {
    return proxy(of, "2", info(-1, LIMITED));
  }

  static Draft proxy(Holder of, String commonName, ASN1Encodable info) {
    return below(of, commonName).extension(PROXY_CERT_INFO, true, info);
  }

  /** ProxyCertInfo of RFC 3820 section 3.8; a negative path length is absent. */
  static ASN1Encodable info(int pathLength, String language) {
    var policy = new DERSequence(new ASN1ObjectIdentifier(language));
    return pathLength < 0
        ? new DERSequence(policy)
        : new DERSequence(new ASN1Encodable[] {new ASN1Integer(pathLength), policy});
  }

  /** As Globus Toolkit 2 has it: told by its name alone. */
  static Draft legacyProxy(Holder of) {
    return below(of, "proxy").usage(0);
  }

  /** Named as a proxy is, without being one. */
  static Draft below(Holder of, String commonName) {
    return new Draft("CN=replaced")
        .named(new X500Principal("CN=" + commonName + "," + of.subject().getName()))
        .until(NOW.plus(Duration.ofHours(12)));
  }

  static final ASN1ObjectIdentifier PROXY_CERT_INFO =
      new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.14");
  static final String INHERIT_ALL = "1.3.6.1.5.5.7.21.1";
  static final String INDEPENDENT = "1.3.6.1.5.5.7.21.2";
  static final String LIMITED = "1.3.6.1.4.1.3536.1.1.1.9";

  static X509CRL list(Holder authority, Instant next, Holder... revoked) {
    return list(authority, next, List.of(), CRLReason.unspecified, revoked);
  }

  /** With a reason for all its entries. */
  static X509CRL list(
      Holder authority, Instant next, List<Extension> extensions, int reason, Holder... revoked) {
    try {
      var builder =
          new JcaX509v2CRLBuilder(authority.subject(), Date.from(NOW.minus(Duration.ofDays(2))));
      builder.setNextUpdate(Date.from(next));
      for (Holder each : revoked) {
        builder.addCRLEntry(
            each.certificate().getSerialNumber(), Date.from(NOW.minus(Duration.ofDays(2))), reason);
      }
      for (Extension each : extensions) {
        builder.addExtension(each);
      }
      return new JcaX509CRLConverter()
          .getCRL(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA")
                      .build(authority.keys().getPrivate())));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
