package dev.staithe.wss.policy;

import java.util.Set;

/**
 * The algorithms that a policy prescribes for what is sent, each by its URI; of what comes, the
 * same are demanded.
 *
 * @param name as the policy names it, for people
 * @param digest of references
 * @param asymmetricSignature with a private key; where the key is of an elliptic curve, the engine
 *     takes ECDSA with the same hash
 * @param symmetricSignature the MAC
 * @param encryption of content
 * @param keyTransport encryption of a key for a certificate
 * @param encryptionKeyBytes of the key of {@code encryption}
 * @param signatureKeyBytes of a key that is derived for the MAC
 */
public record AlgorithmSuite(
    String name,
    String digest,
    String asymmetricSignature,
    String symmetricSignature,
    String encryption,
    String keyTransport,
    int encryptionKeyBytes,
    int signatureKeyBytes) {
  private static final Set<String> SHA_256 =
      Set.of(Algorithms.RSA_SHA256, Algorithms.ECDSA_SHA256, Algorithms.HMAC_SHA256);

  /**
   * The suite in the form that a message is in which signs so. Those of the standard whose names
   * end in {@code Sha256} prescribe signatures with SHA-1; WCF, Rampart and others sign with
   * SHA-256 under them, which is stronger, and expect the same of answers. All other suites have
   * one form.
   *
   * @param signature its URI
   */
  public AlgorithmSuite inFormOf(String signature) {
    return digest.equals(Algorithms.SHA256)
            && asymmetricSignature.equals(Algorithms.RSA_SHA1)
            && SHA_256.contains(signature)
        ? new AlgorithmSuite(
            name,
            digest,
            Algorithms.RSA_SHA256,
            Algorithms.HMAC_SHA256,
            encryption,
            keyTransport,
            encryptionKeyBytes,
            signatureKeyBytes)
        : this;
  }
}
