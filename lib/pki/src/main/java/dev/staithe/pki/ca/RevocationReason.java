package dev.staithe.pki.ca;

/** Why a certificate is withdrawn (RFC 5280 §5.3.1), of those that fit a person's. */
public enum RevocationReason {
  /** Not told. */
  UNSPECIFIED(0),
  /** Someone else has or may have the key. */
  KEY_COMPROMISE(1),
  /** The person left, or something of the name changed. */
  AFFILIATION_CHANGED(3),
  /** Another certificate took its place. */
  SUPERSEDED(4),
  /** It is needed no longer. */
  CESSATION_OF_OPERATION(5),
  /** The person may not have it any more. */
  PRIVILEGE_WITHDRAWN(9);

  private final int code;

  RevocationReason(int code) {
    this.code = code;
  }

  /** The number of RFC 5280. */
  public int code() {
    return code;
  }
}
