package dev.staithe.pki.grid;

import dev.staithe.pki.Credential;
import dev.staithe.pki.ca.AuthorityKey;
import dev.staithe.pki.grid.ProxySigning.Refused;
import dev.staithe.pki.grid.ProxySigning.Signed;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
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
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Signs proxies (RFC 3820) of a person's or a service's certificate, or of a proxy of it, for
 * anybody's key. A proxy gets at most what its maker has: it ends when the first certificate above
 * it does, or the attributes of VOMS that the chain carries; below a limited one it is limited; the
 * path lengths above it are kept. It begins five minutes ago, for clocks that are late, but not
 * before its maker. Thread-safe; costs one signature.
 */
public final class ProxySigner {
  private static final int DIGITAL_SIGNATURE = 0;
  private static final int KEY_ENCIPHERMENT = 2;

  private static final SecureRandom RANDOM = new SecureRandom();

  private ProxySigner() {}

  /**
   * Signs a proxy.
   *
   * @param issuer who makes it; its chain has each certificate before the one that issued it
   * @param key the proxy's
   */
  public static ProxySigning sign(Credential issuer, PublicKey key, ProxyTerms terms, Clock clock) {
    return sign(issuer.key(), issuer.chain(), key, terms, clock);
  }

  /**
   * Signs a proxy with a key of which it is known that it belongs to the first certificate of the
   * chain. To make a {@link Credential} of the two would cost a signature more.
   *
   * @param chain its maker's, each certificate before the one that issued it; at least one
   * @param key the proxy's
   */
  public static ProxySigning sign(
      PrivateKey with, List<X509Certificate> chain, PublicKey key, ProxyTerms terms, Clock clock) {
    if (chain.isEmpty()) {
      return new Refused("nobody makes the proxy: there is no certificate");
    }
    ProxyLineage above = ProxyLineage.of(chain);
    String fault = fault(chain, above, terms);
    if (fault != null) {
      return new Refused(fault);
    }
    Instant now = clock.instant();
    X509Certificate issuer = chain.getFirst();
    Instant begin = now.minus(ClientChainValidator.SKEW);
    if (begin.isBefore(issuer.getNotBefore().toInstant())) {
      begin = issuer.getNotBefore().toInstant();
    }
    Instant end = end(chain, now.plus(terms.lifetime())).truncatedTo(ChronoUnit.SECONDS);
    if (!end.isAfter(now)) {
      return new Refused("what the proxy is made of ended at " + end);
    }
    BigInteger serial = new BigInteger(126, RANDOM).setBit(126);
    X500Name maker = X500Name.getInstance(issuer.getSubjectX500Principal().getEncoded());
    var builder =
        new X509v3CertificateBuilder(
            maker,
            serial,
            Date.from(begin),
            Date.from(end),
            below(maker, commonName(terms, above, serial)),
            SubjectPublicKeyInfo.getInstance(key.getEncoded()));
    try {
      if (terms.form() == ProxyForm.RFC3820) {
        builder.addExtension(Extension.keyUsage, true, usage(issuer, key));
        builder.addExtension(
            new ASN1ObjectIdentifier(ProxyKind.PROXY_CERT_INFO), true, info(terms, above));
      }
      X509Certificate proxy =
          new JcaX509CertificateConverter()
              .getCertificate(builder.build(signer(with, issuer.getPublicKey(), terms.sha1())));
      return new Signed(withChain(proxy, chain));
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new IllegalStateException("this Java runtime cannot sign a proxy", e);
    }
  }

  /** What stands against any proxy, or against this one, below that chain. */
  private static @Nullable String fault(
      List<X509Certificate> chain, ProxyLineage above, ProxyTerms terms) {
    if (above.count() == chain.size()) {
      return "the chain does not lead to the certificate that its proxies are made of";
    }
    for (int i = 0; i < above.count(); i++) {
      ProxyKind kind = above.proxies().get(i);
      if (kind == ProxyKind.FOREIGN || kind == ProxyKind.MALFORMED) {
        return "the proxy above is not understood";
      }
      if (kind.legacy() != (terms.form() == ProxyForm.LEGACY)) {
        return "proxies by RFC 3820 and from before it cannot stand in one chain";
      }
      if (!chain
          .get(i)
          .getIssuerX500Principal()
          .equals(chain.get(i + 1).getSubjectX500Principal())) {
        return "a certificate of the chain is not issued by the one behind it";
      }
    }
    if (chain.get(above.count()).getBasicConstraints() >= 0) {
      return "an authority makes no proxies";
    }
    for (X509Certificate each : chain.subList(0, above.count() + 1)) {
      boolean[] usage = each.getKeyUsage();
      if (usage != null && !usage[DIGITAL_SIGNATURE]) {
        return "the certificate of its maker may not sign (digitalSignature)";
      }
    }
    Integer left = above.pathLeft();
    if (left != null && left < 1) {
      return "the proxies above allow no further one below them";
    }
    if (above.limited() && terms.policy() == ProxyPolicy.INDEPENDENT) {
      // Whoever reads it would see a limited one, which has more rights than none.
      return "a limited proxy makes no independent one";
    }
    return null;
  }

  private static Instant end(List<X509Certificate> chain, Instant wanted) {
    Instant end = wanted;
    for (X509Certificate certificate : chain) {
      Instant each = certificate.getNotAfter().toInstant();
      end = each.isBefore(end) ? each : end;
    }
    for (VomsAttributes attributes : VomsAttributes.read(chain)) {
      end = attributes.notAfter().isBefore(end) ? attributes.notAfter() : end;
    }
    return end;
  }

  private static String commonName(ProxyTerms terms, ProxyLineage above, BigInteger serial) {
    return switch (terms.form()) {
      // RFC 3820 section 3.4 asks for one that its maker gives to no other.
      case RFC3820 -> serial.toString();
      case LEGACY -> policy(terms, above) == ProxyPolicy.LIMITED ? "limited proxy" : "proxy";
    };
  }

  /** The name as its authority encoded it, and one part more. */
  private static X500Name below(X500Name maker, String commonName) {
    RDN[] parts = maker.getRDNs();
    RDN[] all = Arrays.copyOf(parts, parts.length + 1);
    all[parts.length] = new RDN(BCStyle.CN, new DERPrintableString(commonName));
    return new X500Name(all);
  }

  /** RFC 3820 section 3.6: no more than its maker may. */
  private static KeyUsage usage(X509Certificate issuer, PublicKey key) {
    boolean[] above = issuer.getKeyUsage();
    boolean enciphers =
        key.getAlgorithm().equals("RSA") && (above == null || above[KEY_ENCIPHERMENT]);
    return new KeyUsage(
        enciphers
            ? KeyUsage.digitalSignature | KeyUsage.keyEncipherment
            : KeyUsage.digitalSignature);
  }

  private static ProxyPolicy policy(ProxyTerms terms, ProxyLineage above) {
    return above.limited() ? ProxyPolicy.LIMITED : terms.policy();
  }

  /** RFC 3820 section 3.8. */
  private static DERSequence info(ProxyTerms terms, ProxyLineage above) {
    var policy = new DERSequence(new ASN1ObjectIdentifier(policy(terms, above).language()));
    Integer most = terms.pathLength();
    Integer left = above.pathLeft();
    if (most != null && left != null) {
      most = Math.min(most, left - 1);
    }
    return most == null
        ? new DERSequence(policy)
        : new DERSequence(new ASN1Encodable[] {new ASN1Integer(most), policy});
  }

  private static ContentSigner signer(PrivateKey with, PublicKey issuer, boolean sha1)
      throws GeneralSecurityException, OperatorCreationException {
    return sha1
        ? new JcaContentSignerBuilder(
                with.getAlgorithm().equals("EC") ? "SHA1withECDSA" : "SHA1withRSA")
            .build(with)
        : AuthorityKey.signer(with, issuer);
  }

  private static List<X509Certificate> withChain(
      X509Certificate proxy, List<X509Certificate> chain) {
    List<X509Certificate> all = new ArrayList<>();
    all.add(proxy);
    for (X509Certificate above : chain) {
      if (!above.getSubjectX500Principal().equals(above.getIssuerX500Principal())) {
        all.add(above);
      }
    }
    return all;
  }
}
