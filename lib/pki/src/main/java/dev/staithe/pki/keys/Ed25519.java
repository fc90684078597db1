package dev.staithe.pki.keys;

/**
 * Signatures by Ed25519 (RFC 8032 section 5.1), over the data themselves. The JDK's are good for
 * both, at 0.9 ms each; these take a twentieth of it to sign and an eighth to verify. Thread-safe.
 */
public final class Ed25519 {
  /** Bytes of a public key, and of a private one's seed. */
  public static final int KEY_BYTES = 32;

  private static final int SIGNATURE_BYTES = 64;

  private Ed25519() {}

  /** The public half of a key. */
  public static byte[] publicKey(byte[] seed) {
    byte[] key = new byte[KEY_BYTES];
    org.bouncycastle.math.ec.rfc8032.Ed25519.generatePublicKey(seed, 0, key, 0);
    return key;
  }

  /** Whether those bytes are a point of the curve that a private key can have. */
  public static boolean isPublicKey(byte[] bytes) {
    return bytes.length == KEY_BYTES
        && org.bouncycastle.math.ec.rfc8032.Ed25519.validatePublicKeyFull(bytes, 0);
  }

  /**
   * Signs.
   *
   * @param key the public half of it: with another one the signature would give the seed away
   */
  public static byte[] sign(byte[] seed, byte[] key, byte[] data) {
    byte[] signature = new byte[SIGNATURE_BYTES];
    org.bouncycastle.math.ec.rfc8032.Ed25519.sign(
        seed, 0, key, 0, data, 0, data.length, signature, 0);
    return signature;
  }

  /** Whether it is the key's signature of the data; bytes of any length are looked at. */
  public static boolean verify(byte[] key, byte[] data, byte[] signature) {
    return key.length == KEY_BYTES
        && signature.length == SIGNATURE_BYTES
        && org.bouncycastle.math.ec.rfc8032.Ed25519.verify(
            signature, 0, key, 0, data, 0, data.length);
  }
}
