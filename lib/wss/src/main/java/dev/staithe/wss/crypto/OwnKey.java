package dev.staithe.wss.crypto;

import dev.staithe.pki.Credential;
import dev.staithe.pki.keys.PrivateKeyOperations;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.AlgorithmSuite;
import java.security.GeneralSecurityException;
import java.security.interfaces.ECPublicKey;
import javax.crypto.spec.OAEPParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * One's own key with its certificate, converted once. Thread-safe.
 *
 * @param credential what it was made of
 * @param key for signatures and to take out keys
 * @param certificate of that key
 */
public record OwnKey(
    Credential credential, PrivateKeyOperations key, KnownCertificate certificate) {
  /** Of a credential. */
  public static OwnKey of(Credential credential) {
    return new OwnKey(
        credential,
        PrivateKeyOperations.of(credential.key()),
        KnownCertificate.of(credential.chain()));
  }

  /** The signature's URI that a suite prescribes for this kind of key. */
  public String signature(AlgorithmSuite suite) {
    return AlgorithmNames.signature(suite, key.algorithm().equals("EC"));
  }

  /**
   * Signs.
   *
   * @param uri of the signature
   * @throws GeneralSecurityException where it is none that is known, or none of this key
   */
  public byte[] sign(String uri, byte[] data, int from, int length)
      throws GeneralSecurityException {
    String algorithm = AlgorithmNames.signature(uri);
    if (algorithm == null) {
      throw new GeneralSecurityException("a signature that is not known");
    }
    byte[] value = key.sign(algorithm, data, from, length);
    return certificate.chain().getFirst().getPublicKey() instanceof ECPublicKey curved
        ? Ecdsa.fromDer(value, (curved.getParams().getOrder().bitLength() + 7) / 8)
        : value;
  }

  /**
   * How a key was encrypted for one's own.
   *
   * @param transport its URI
   * @param digest of OAEP, as the message says; null or empty for SHA-1
   * @param mask hash of its mask generation, the same
   * @return null where it is not known
   */
  public static @Nullable OAEPParameterSpec padding(
      String transport, @Nullable String digest, @Nullable String mask) {
    String hash = AlgorithmNames.oaepDigest(digest);
    String masking =
        transport.equals(Namespaces.XENC11 + "rsa-oaep") ? AlgorithmNames.mask(mask) : "SHA-1";
    return hash == null || masking == null ? null : KnownCertificate.oaep(hash, masking);
  }

  /** Says whose it is. */
  @Override
  public String toString() {
    return "OwnKey[" + certificate.chain().getFirst().getSubjectX500Principal() + "]";
  }
}
