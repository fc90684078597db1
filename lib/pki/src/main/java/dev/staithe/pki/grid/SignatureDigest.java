package dev.staithe.pki.grid;

import java.security.cert.X509Certificate;
import java.util.Locale;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSASSAPSSparams;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.operator.DefaultSignatureNameFinder;

/**
 * The digest that a signature is made over: one for which somebody can find two texts proves
 * nothing.
 *
 * @param algorithm of the whole signature, the digest first
 */
record SignatureDigest(String algorithm) {
  static SignatureDigest of(AlgorithmIdentifier identifier) {
    return new SignatureDigest(new DefaultSignatureNameFinder().getAlgorithmName(identifier));
  }

  /** Of RSASSA-PSS it stands in the parameters, and is SHA-1 without (RFC 4055 section 3.1). */
  static SignatureDigest of(X509Certificate certificate) {
    if (!certificate.getSigAlgOID().equals(PKCSObjectIdentifiers.id_RSASSA_PSS.getId())) {
      return new SignatureDigest(certificate.getSigAlgName());
    }
    byte[] given = certificate.getSigAlgParams();
    RSASSAPSSparams parameters =
        given == null ? new RSASSAPSSparams() : RSASSAPSSparams.getInstance(given);
    return of(new AlgorithmIdentifier(PKCSObjectIdentifiers.id_RSASSA_PSS, parameters));
  }

  /** Whether it is no proof, where SHA-1 is taken for one or not. */
  boolean forgeable(boolean takesSha1) {
    String digest = algorithm.toUpperCase(Locale.ROOT).replace("-", "");
    return digest.startsWith("MD") || digest.startsWith("SHA1") && !takesSha1;
  }
}
