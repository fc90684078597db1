package dev.staithe.storage.authz;

import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The signatures that are accepted (RFC 7518 section 3, RFC 8037). Each goes with one kind of key,
 * so that a token cannot choose how its key is used; there is no shared-secret algorithm among
 * them.
 */
enum TokenAlgorithm {
  RS256("SHA256withRSA", KeyKind.RSA, null),
  RS384("SHA384withRSA", KeyKind.RSA, null),
  RS512("SHA512withRSA", KeyKind.RSA, null),
  PS256("RSASSA-PSS", KeyKind.RSA, pss("SHA-256", MGF1ParameterSpec.SHA256, 32)),
  PS384("RSASSA-PSS", KeyKind.RSA, pss("SHA-384", MGF1ParameterSpec.SHA384, 48)),
  PS512("RSASSA-PSS", KeyKind.RSA, pss("SHA-512", MGF1ParameterSpec.SHA512, 64)),
  ES256("SHA256withECDSAinP1363Format", KeyKind.P256, null),
  ES384("SHA384withECDSAinP1363Format", KeyKind.P384, null),
  EdDSA("Ed25519", KeyKind.ED25519, null);

  /** What a key is, as far as algorithms ask. */
  enum KeyKind {
    RSA,
    P256,
    P384,
    ED25519
  }

  private final String signature;
  private final KeyKind keyKind;
  private final @Nullable PSSParameterSpec parameters;

  TokenAlgorithm(String signature, KeyKind keyKind, @Nullable PSSParameterSpec parameters) {
    this.signature = signature;
    this.keyKind = keyKind;
    this.parameters = parameters;
  }

  private static PSSParameterSpec pss(String digest, MGF1ParameterSpec mask, int salt) {
    return new PSSParameterSpec(digest, "MGF1", mask, salt, 1);
  }

  /** The algorithm of that name, compared exactly. */
  static @Nullable TokenAlgorithm of(String name) {
    for (TokenAlgorithm algorithm : values()) {
      if (algorithm.name().equals(name)) {
        return algorithm;
      }
    }
    return null;
  }

  /** The only kind of key that it takes. */
  KeyKind keyKind() {
    return keyKind;
  }

  /** Whether the signature is that key's; what cannot be judged is not. */
  boolean verifies(PublicKey key, byte[] signed, byte[] signatureValue) {
    try {
      Signature verifier = Signature.getInstance(signature);
      if (parameters != null) {
        verifier.setParameter(parameters);
      }
      verifier.initVerify(key);
      verifier.update(signed);
      return verifier.verify(signatureValue);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java knows no " + signature, e);
    } catch (GeneralSecurityException malformed) {
      return false;
    }
  }
}
