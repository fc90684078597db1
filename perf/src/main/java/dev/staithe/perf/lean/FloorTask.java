package dev.staithe.perf.lean;

/**
 * What a bare process is to do without any service around it: the least that a piece of work can
 * cost in this Java.
 *
 * @param work what
 * @param seconds how long
 * @param file a response of the identity provider, for {@link Work#SIGN_ON}; one as long as what is
 *     hashed, for {@link Work#SHA_256}
 */
public record FloorTask(Work work, double seconds, String file) implements Assignment {
  /** A kind of work. */
  public enum Work {
    /**
     * What no service provider can do without for one single sign-on: one RSA-2048 signature as of
     * its request, then a response parsed, and both of its signatures (response and assertion)
     * verified, which canonicalizes either.
     */
    SIGN_ON,
    /** One RSA-2048 signature of a kilobyte, as of a certificate, by the JDK. */
    RSA_SIGNATURE,
    /** The same by the library that the services sign by. */
    RSA_SIGNATURE_NATIVE,
    /** One P-256 signature of a kilobyte. */
    EC_SIGNATURE,
    /** One RSA-2048 key, by the library that the services have theirs from. */
    RSA_KEY,
    /**
     * What an X.509 exchange of a gateway cannot do without a private key: an RSA-2048 OAEP key
     * unwrapped and a kilobyte signed, by the library that the gateway takes.
     */
    PRIVATE_KEYS,
    /** Its other half: a signature verified and a key wrapped. */
    PUBLIC_KEYS,
    /**
     * What either message of an exchange under a context needs, twice: SHA-256, HMAC-SHA256 and
     * AES-128-GCM over two kilobytes.
     */
    SYMMETRIC,
    /**
     * As many bytes as a file has, hashed from memory: what no receiver under contract is without.
     */
    SHA_256
  }
}
