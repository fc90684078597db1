package dev.staithe.pki.keys;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import javax.crypto.Cipher;
import org.jspecify.annotations.Nullable;

/**
 * A private key as the fastest library at hand wants it: Conscrypt where it loads and takes the
 * key, else whatever the Java runtime finds. The key is converted once, not for each use, which
 * would cost as much as the use. Immutable and thread-safe.
 */
public final class PrivateKeyOperations {
  private static final String OAEP = "RSA/ECB/OAEPPadding";

  private final PrivateKey key;
  private final @Nullable Provider provider;

  private PrivateKeyOperations(PrivateKey key, @Nullable Provider provider) {
    this.key = key;
    this.provider = provider;
  }

  /** Takes an RSA or EC key; one that does not leave its token is used where it is. */
  public static PrivateKeyOperations of(PrivateKey key) {
    byte[] encoded = key.getEncoded();
    Provider fast = FastKeys.PROVIDER;
    if (encoded == null || fast == null) {
      return new PrivateKeyOperations(key, null);
    }
    try {
      return new PrivateKeyOperations(
          FastKeys.factory(fast, key).generatePrivate(new PKCS8EncodedKeySpec(encoded)), fast);
    } catch (GeneralSecurityException | RuntimeException e) {
      return new PrivateKeyOperations(key, null);
    }
  }

  /** A key that never leaves its token, by the provider of that token. */
  public static PrivateKeyOperations inToken(PrivateKey key, Provider token) {
    return new PrivateKeyOperations(key, token);
  }

  /** {@code RSA} or {@code EC}. */
  public String algorithm() {
    return key.getAlgorithm();
  }

  /**
   * Signs.
   *
   * @param algorithm as {@code SHA256withRSA}
   * @throws GeneralSecurityException where the key is not of that kind
   */
  public byte[] sign(String algorithm, byte[] data, int from, int length)
      throws GeneralSecurityException {
    Signature signature = FastKeys.signature(algorithm, provider);
    signature.initSign(key);
    signature.update(data, from, length);
    return signature.sign();
  }

  /**
   * Decrypts what was encrypted by RSA with OAEP (RFC 8017 section 7.1).
   *
   * @param parameters hash, mask and label
   * @throws GeneralSecurityException where it was encrypted otherwise, or for another key; whoever
   *     calls must not let that be told from a wrong result
   */
  public byte[] unwrap(byte[] wrapped, AlgorithmParameterSpec parameters)
      throws GeneralSecurityException {
    Cipher cipher =
        provider == null ? Cipher.getInstance(OAEP) : Cipher.getInstance(OAEP, provider);
    cipher.init(Cipher.DECRYPT_MODE, key, parameters);
    return cipher.doFinal(wrapped);
  }

  /** Says nothing of the key. */
  @Override
  public String toString() {
    return "PrivateKeyOperations[" + key.getAlgorithm() + "]";
  }
}
