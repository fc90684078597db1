package dev.staithe.wss;

/**
 * Why a request went nowhere: one word for metrics and the audit log. What the caller is told is
 * coarser, so that faults are no oracle: {@link #told()}.
 */
public enum Refusal {
  /** No SOAP envelope, or none that is well-formed. */
  MALFORMED(Told.MALFORMED),
  /** Beyond a limit of size, depth, attributes, names or counts. */
  LIMIT(Told.MALFORMED),
  /** A header block that must be understood is not, or is not signed. */
  NOT_UNDERSTOOD(Told.NOT_UNDERSTOOD),
  /** No security header where one is demanded, or more than one. */
  NO_SECURITY(Told.INVALID),
  /** The message has a form that the policy does not demand or allow. */
  POLICY(Told.INVALID),
  /** A part that must be signed or encrypted is not, or is not where it counts. */
  COVERAGE(Told.INVALID),
  /** An algorithm that the policy's suite or the endpoint's list does not name. */
  ALGORITHM(Told.INVALID),
  /** A kind of token that is not taken, SAML among them. */
  TOKEN(Told.INVALID),
  /** A signature, digest or MAC that does not fit. */
  SIGNATURE(Told.INVALID),
  /** What could not be decrypted. */
  DECRYPTION(Told.INVALID),
  /** A certificate that is not believed. */
  UNTRUSTED(Told.INVALID),
  /** A derivation beyond the caps. */
  DERIVATION(Told.INVALID),
  /** Came before. */
  REPLAY(Told.INVALID),
  /** The action in the message is not the one of the transport, or not that of its body. */
  ACTION(Told.INVALID),
  /** Two engines judged, and did not conclude the same. */
  DISAGREEMENT(Told.INVALID),
  /** Too old, or from the future. */
  STALE(Told.EXPIRED),
  /** A context that is unknown, foreign, expired or cancelled. */
  CONTEXT(Told.CONTEXT),
  /** A user's name and password, or a token, that are not right. */
  AUTHENTICATION(Told.AUTHENTICATION),
  /** Too many wrong passwords came before. */
  HELD(Told.HELD),
  /** The caller is known, and may not. */
  NOT_ALLOWED(Told.NOT_ALLOWED),
  /** TLS is demanded. */
  TRANSPORT(Told.INVALID),
  /** A cache that must not forget is full, or a store does not answer. */
  UNAVAILABLE(Told.UNAVAILABLE);

  /** What a fault says. */
  public enum Told {
    /** {@code Client}/{@code Sender}: no message that is read. */
    MALFORMED,
    /** {@code MustUnderstand}. */
    NOT_UNDERSTOOD,
    /** {@code wsse:InvalidSecurity}: one answer for all that concerns keys. */
    INVALID,
    /** {@code wsu:MessageExpired}. */
    EXPIRED,
    /** {@code wsc:BadContextToken}, which tells a client to ask for a new one. */
    CONTEXT,
    /** {@code wsse:FailedAuthentication}. */
    AUTHENTICATION,
    /** {@code wsse:FailedAuthentication}, whatever the password: later. */
    HELD,
    /** {@code Client}/{@code Sender}: not allowed. */
    NOT_ALLOWED,
    /** {@code Server}/{@code Receiver}: later, perhaps. */
    UNAVAILABLE
  }

  private final Told told;

  Refusal(Told told) {
    this.told = told;
  }

  /** What the caller is told. */
  public Told told() {
    return told;
  }
}
