package dev.staithe.pki.keys;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/** A public key as the fastest library at hand wants it. Immutable and thread-safe. */
public final class PublicKeyOperations {
  private static final String OAEP = "RSA/ECB/OAEPPadding";

  private final PublicKey key;
  private final @Nullable Provider provider;

  private PublicKeyOperations(PublicKey key, @Nullable Provider provider) {
    this.key = key;
    this.provider = provider;
  }

  /** Takes an RSA or EC key; others are left to what the Java runtime finds. */
  public static PublicKeyOperations of(PublicKey key) {
    Provider fast = FastKeys.PROVIDER;
    if (fast == null) {
      return new PublicKeyOperations(key, null);
    }
    try {
      return new PublicKeyOperations(
          FastKeys.factory(fast, key).generatePublic(new X509EncodedKeySpec(key.getEncoded())),
          fast);
    } catch (GeneralSecurityException | RuntimeException e) {
      return new PublicKeyOperations(key, null);
    }
  }

  /** {@code RSA} or {@code EC}. */
  public String algorithm() {
    return key.getAlgorithm();
  }

  /**
   * Whether a signature fits.
   *
   * @param algorithm as {@code SHA256withRSA}
   * @param value of the signature; one that is no such thing at all does not fit
   * @throws GeneralSecurityException where the key is not of that kind
   */
  public boolean verify(String algorithm, byte[] data, int from, int length, byte[] value)
      throws GeneralSecurityException {
    Signature signature = FastKeys.signature(algorithm, provider);
    signature.initVerify(key);
    signature.update(data, from, length);
    try {
      return signature.verify(value);
    } catch (SignatureException e) {
      return false;
    }
  }

  /**
   * Encrypts a key by RSA with OAEP (RFC 8017 section 7.1).
   *
   * @param parameters hash, mask and label
   * @throws GeneralSecurityException where this is no RSA key, or too small a one
   */
  public byte[] wrap(byte[] secret, AlgorithmParameterSpec parameters)
      throws GeneralSecurityException {
    Cipher cipher =
        provider == null ? Cipher.getInstance(OAEP) : Cipher.getInstance(OAEP, provider);
    cipher.init(Cipher.ENCRYPT_MODE, key, parameters);
    return cipher.doFinal(secret);
  }
}
