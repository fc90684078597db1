package dev.staithe.pki;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;

/** The kinds of key that a {@link CertificateIssuer} makes. */
public enum KeyKind {
  /** NIST P-256: the default, the cheapest handshake. */
  EC_P256("EC", new ECGenParameterSpec("secp256r1")),
  /** RSA of 2048 bits, for peers that know no elliptic curves. */
  RSA_2048("RSA", new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4)),
  /** RSA of 3072 bits: 128 bits of strength, as P-256 has. */
  RSA_3072("RSA", new RSAKeyGenParameterSpec(3072, RSAKeyGenParameterSpec.F4));

  private final String algorithm;
  private final AlgorithmParameterSpec parameters;

  KeyKind(String algorithm, AlgorithmParameterSpec parameters) {
    this.algorithm = algorithm;
    this.parameters = parameters;
  }

  /** The kind that is nearest to that key, for those who want a new one as strong as their own. */
  public static KeyKind like(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa when rsa.getModulus().bitLength() <= 2048 -> RSA_2048;
      case RSAPublicKey _ -> RSA_3072;
      default -> EC_P256;
    };
  }

  KeyPair generate(SecureRandom random) {
    try {
      var generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(parameters, random);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime cannot make " + this + " keys", e);
    }
  }
}
