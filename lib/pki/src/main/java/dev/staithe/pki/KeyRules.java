package dev.staithe.pki;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.nist.NISTNamedCurves;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X962Parameters;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * Which public keys get a certificate: RSA of 2048 to 8192 bits that shows no known weakness, and
 * points of P-256 and P-384 (the IGTF's technology guidelines, NIST SP 800-186). Immutable and
 * thread-safe.
 *
 * @param knownWeak keys that are refused by name
 * @param legacy whether RSA of 1024 bits will do, and SHA-1 below a request: for proxies of old
 *     services, which live for hours
 * @param weakness what is wrong with an RSA modulus, as {@link RsaWeakness#of} finds it or as it
 *     was found before: finding takes several times as long as signing
 */
public record KeyRules(
    WeakKeys knownWeak, boolean legacy, Function<BigInteger, Optional<String>> weakness) {
  private static final int LEAST_RSA_BITS = 2048;
  private static final int LEAST_LEGACY_RSA_BITS = 1024;

  /** Verifying with larger keys costs a server more than it is worth to anybody. */
  private static final int MOST_RSA_BITS = 8192;

  private static final BigInteger LEAST_EXPONENT = BigInteger.valueOf(65537);

  /** The longest exponent that other software takes (OpenSSL's bound for large moduli). */
  private static final int MOST_EXPONENT_BITS = 64;

  private static final Map<ASN1ObjectIdentifier, String> CURVES =
      Map.of(SECObjectIdentifiers.secp256r1, "P-256", SECObjectIdentifiers.secp384r1, "P-384");

  /** With such a list. */
  public KeyRules(WeakKeys knownWeak) {
    this(knownWeak, false, RsaWeakness::of);
  }

  /** No list of weak keys. */
  public static KeyRules standard() {
    return new KeyRules(WeakKeys.none());
  }

  /** No list either, and what services from before 2015 make. */
  public static KeyRules forOldServices() {
    return new KeyRules(WeakKeys.none(), true, RsaWeakness::of);
  }

  /** What is thought of a key. */
  public sealed interface KeyVerdict {
    /** It may have a certificate. */
    record Accepted(PublicKey key) implements KeyVerdict {}

    /** It may not; the line completes "the key …". */
    record Refused(String line) implements KeyVerdict {}
  }

  public KeyVerdict judge(SubjectPublicKeyInfo info) {
    var algorithm = info.getAlgorithm().getAlgorithm();
    try {
      if (algorithm.equals(PKCSObjectIdentifiers.rsaEncryption)) {
        return judgeRsa(info);
      }
      if (algorithm.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
        return judgeEc(info);
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      return new KeyVerdict.Refused("cannot be decoded");
    }
    return new KeyVerdict.Refused("is neither RSA nor on a curve P-256 or P-384");
  }

  private KeyVerdict judgeRsa(SubjectPublicKeyInfo info)
      throws IOException, GeneralSecurityException {
    var key = RSAPublicKey.getInstance(info.parsePublicKey());
    BigInteger modulus = key.getModulus();
    BigInteger exponent = key.getPublicExponent();
    int least = legacy ? LEAST_LEGACY_RSA_BITS : LEAST_RSA_BITS;
    if (modulus.signum() <= 0 || modulus.bitLength() < least) {
      return new KeyVerdict.Refused(
          "is RSA of " + modulus.bitLength() + " bits: expected at least " + least);
    }
    if (modulus.bitLength() > MOST_RSA_BITS) {
      return new KeyVerdict.Refused("is RSA of more than " + MOST_RSA_BITS + " bits");
    }
    if (!exponent.testBit(0)
        || exponent.compareTo(LEAST_EXPONENT) < 0
        || exponent.bitLength() > MOST_EXPONENT_BITS) {
      return new KeyVerdict.Refused(
          "has an RSA exponent that is even, below 65537 or longer than 64 bits");
    }
    Optional<String> wrong = weakness.apply(modulus);
    if (wrong.isPresent()) {
      return new KeyVerdict.Refused(wrong.get());
    }
    if (knownWeak.contains(modulus)) {
      return new KeyVerdict.Refused("is on the list of weak keys (CVE-2008-0166)");
    }
    return new KeyVerdict.Accepted(decoded("RSA", info));
  }

  private static KeyVerdict judgeEc(SubjectPublicKeyInfo info)
      throws IOException, GeneralSecurityException {
    var parameters = X962Parameters.getInstance(info.getAlgorithm().getParameters());
    if (!parameters.isNamedCurve()) {
      // CVE-2020-0601: parameters of one's own can make any key one's own.
      return new KeyVerdict.Refused("spells out the parameters of its curve instead of naming it");
    }
    String curve = CURVES.get(ASN1ObjectIdentifier.getInstance(parameters.getParameters()));
    if (curve == null) {
      return new KeyVerdict.Refused("is on a curve other than P-256 and P-384");
    }
    byte[] point = info.getPublicKeyData().getOctets();
    if (point.length == 0 || point[0] != 4) {
      return new KeyVerdict.Refused("is a point in another form than the uncompressed one");
    }
    try {
      // Throws for a point that is not on the curve; both curves have no small subgroup.
      NISTNamedCurves.getByName(curve).getCurve().decodePoint(point);
    } catch (IllegalArgumentException e) {
      return new KeyVerdict.Refused("is no point of the curve " + curve);
    }
    return new KeyVerdict.Accepted(decoded("EC", info));
  }

  private static PublicKey decoded(String algorithm, SubjectPublicKeyInfo info)
      throws IOException, GeneralSecurityException {
    return KeyFactory.getInstance(algorithm)
        .generatePublic(new X509EncodedKeySpec(info.getEncoded()));
  }
}
