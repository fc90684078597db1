package dev.staithe.wss.policy;

/**
 * A token beside the one that protects the message.
 *
 * @param kind what is presented
 * @param endorsing whether it signs the main signature (or, over TLS, the timestamp)
 * @param signed whether the main signature covers it (TLS covers it where the binding is transport)
 * @param encrypted whether it travels encrypted (TLS does that where the binding is transport)
 */
public record SupportingToken(Kind kind, boolean endorsing, boolean signed, boolean encrypted) {
  /** What is presented. */
  public enum Kind {
    /** A user's name and password in the clear, under TLS or encryption. */
    USERNAME_TEXT,
    /** A user's name with the digest of password, nonce and time. */
    USERNAME_DIGEST,
    /** A user's name without a password, vouched for by what signs it. */
    USERNAME_ONLY,
    /** An X.509 certificate. */
    X509,
    /** A token of authn-service, as {@code Authorization: Bearer} of the HTTP request. */
    BEARER
  }
}
