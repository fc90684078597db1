package dev.staithe.pki.grid;

import dev.staithe.pki.GridSubject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Attribute;
import org.bouncycastle.asn1.x509.AttributeCertificate;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.IetfAttrSyntax;
import org.bouncycastle.cert.CertException;
import org.bouncycastle.cert.X509AttributeCertificateHolder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.jspecify.annotations.Nullable;

/**
 * An attribute certificate of VOMS as it stands in a proxy, taken apart.
 *
 * @param server the host of the server that the organization's name is of, or empty
 * @param holderName the name of the certificate that it belongs to, or of that one's issuer
 * @param holderSerial the serial number of that certificate
 * @param signers the certificate of its issuer first, where it brings any, and those above
 */
record VomsCertificate(
    X509AttributeCertificateHolder encoded,
    String vo,
    String server,
    List<String> fqans,
    X500Principal holderName,
    BigInteger holderSerial,
    X500Principal issuer,
    List<X509Certificate> signers) {
  private static final String IN_PROXY = "1.3.6.1.4.1.8005.100.100.5";
  private static final ASN1ObjectIdentifier FQANS =
      new ASN1ObjectIdentifier("1.3.6.1.4.1.8005.100.100.4");
  private static final ASN1ObjectIdentifier SIGNERS =
      new ASN1ObjectIdentifier("1.3.6.1.4.1.8005.100.100.10");

  /** An organization that names more is refused before it fills the memory. */
  private static final int MOST_FQANS = 500;

  private static final int MOST_SIGNERS = 8;
  private static final int MOST_CERTIFICATES = 8;

  /**
   * Those that are in force of a chain.
   *
   * @param malformed whether there are some that cannot be read
   */
  record InForce(List<VomsCertificate> certificates, boolean malformed) {
    InForce {
      certificates = List.copyOf(certificates);
    }
  }

  /** Whether a certificate carries any. */
  static boolean isIn(X509Certificate certificate) {
    return certificate.getExtensionValue(IN_PROXY) != null;
  }

  /**
   * Those of the first proxy that carries any: what is nearer to the user's key counts.
   *
   * @param chain each certificate before the one that issued it
   */
  static InForce inForce(List<X509Certificate> chain) {
    for (X509Certificate certificate : chain) {
      if (isIn(certificate)) {
        if (ProxyKind.of(certificate) == ProxyKind.NONE) {
          // An authority's word about its own people is not the organization's.
          break;
        }
        try {
          return new InForce(read(certificate.getExtensionValue(IN_PROXY)), false);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
          // Its decoder fails in many ways on what it does not expect.
          return new InForce(List.of(), true);
        }
      }
    }
    return new InForce(List.of(), false);
  }

  /** A sequence with one sequence of certificates in it. */
  private static List<VomsCertificate> read(byte[] extension)
      throws IOException, GeneralSecurityException {
    List<VomsCertificate> all = new ArrayList<>();
    var outer = ASN1Sequence.getInstance(ASN1OctetString.getInstance(extension).getOctets());
    for (ASN1Encodable group : outer) {
      for (ASN1Encodable each : ASN1Sequence.getInstance(group)) {
        if (all.size() == MOST_CERTIFICATES) {
          throw new IOException("too many attribute certificates");
        }
        all.add(one(new X509AttributeCertificateHolder(AttributeCertificate.getInstance(each))));
      }
    }
    return all;
  }

  private static VomsCertificate one(X509AttributeCertificateHolder encoded)
      throws IOException, GeneralSecurityException {
    String authority = "";
    List<String> fqans = new ArrayList<>();
    for (Attribute attribute : encoded.getAttributes(FQANS)) {
      for (ASN1Encodable value : attribute.getAttributeValues()) {
        var syntax = IetfAttrSyntax.getInstance(value);
        if (authority.isEmpty() && syntax.getPolicyAuthority() != null) {
          authority = syntax.getPolicyAuthority().getNames()[0].getName().toString();
        }
        for (Object fqan : syntax.getValues()) {
          fqans.add(text(((ASN1OctetString) fqan).getOctets()));
        }
      }
    }
    // "vo://host:port"
    int end = authority.indexOf("://");
    X500Name[] names = encoded.getHolder().getIssuer();
    BigInteger serial = encoded.getHolder().getSerialNumber();
    if (end <= 0
        || fqans.isEmpty()
        || fqans.size() > MOST_FQANS
        || names == null
        || names.length != 1
        || serial == null
        || encoded.getIssuer().getNames().length != 1) {
      throw new IOException("not as VOMS makes them");
    }
    var read =
        new VomsCertificate(
            encoded,
            text(authority.substring(0, end).getBytes(StandardCharsets.UTF_8)),
            host(authority.substring(end)),
            List.copyOf(fqans),
            new X500Principal(names[0].getEncoded()),
            serial,
            new X500Principal(encoded.getIssuer().getNames()[0].getEncoded()),
            signers(encoded.getExtension(SIGNERS)));
    // Names and times are decoded late: what is wrong with them is to be found here.
    read.attributes(null);
    return read;
  }

  /** These go into logs, pages and comparisons. */
  private static String text(byte[] bytes) throws IOException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.isEmpty() || text.chars().anyMatch(c -> c <= ' ' && c != ' ' || c >= 0x7f)) {
      throw new IOException("a name with other characters than printable ASCII");
    }
    return text;
  }

  private static String host(String rest) {
    try {
      String host = URI.create("voms" + rest).getHost();
      return host == null ? "" : host;
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static List<X509Certificate> signers(@Nullable Extension extension)
      throws IOException, GeneralSecurityException {
    if (extension == null) {
      return List.of();
    }
    List<X509Certificate> all = new ArrayList<>();
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    for (ASN1Encodable group : ASN1Sequence.getInstance(extension.getParsedValue())) {
      for (ASN1Encodable each : ASN1Sequence.getInstance(group)) {
        if (all.size() == MOST_SIGNERS) {
          throw new IOException("too many certificates");
        }
        all.add(
            (X509Certificate)
                factory.generateCertificate(
                    new ByteArrayInputStream(each.toASN1Primitive().getEncoded("DER"))));
      }
    }
    return List.copyOf(all);
  }

  Instant notBefore() {
    return encoded.getNotBefore().toInstant();
  }

  Instant notAfter() {
    return encoded.getNotAfter().toInstant();
  }

  /**
   * Whether it is said of the holder of that certificate. Servers write its own name where RFC 5755
   * section 4.2.2 wants that of its issuer, so both are taken with the serial number.
   */
  boolean isOf(X509Certificate person) {
    return holderSerial.equals(person.getSerialNumber())
        && (holderName.equals(person.getSubjectX500Principal())
            || holderName.equals(person.getIssuerX500Principal()));
  }

  /** Whether that key signed it. */
  boolean signedBy(PublicKey key) {
    try {
      return encoded.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key));
    } catch (CertException | OperatorCreationException | RuntimeException e) {
      return false;
    }
  }

  /** What it is signed over. */
  SignatureDigest digest() {
    return SignatureDigest.of(encoded.getSignatureAlgorithm());
  }

  /** Whether it asks its readers for something that none here does, such as to be another host. */
  boolean demanding() {
    Set<?> critical = encoded.getCriticalExtensionOIDs();
    return critical != null && !critical.isEmpty();
  }

  VomsAttributes attributes(@Nullable String doubt) {
    return new VomsAttributes(
        vo,
        fqans,
        GridSubject.of(holderName),
        GridSubject.of(issuer),
        notBefore(),
        notAfter(),
        doubt);
  }
}
