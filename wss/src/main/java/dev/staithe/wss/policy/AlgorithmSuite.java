package dev.staithe.wss.policy;

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
    int signatureKeyBytes) {}
