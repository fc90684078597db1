package dev.staithe.authn.session;

/** Why a token is not good. */
public enum Refusal {
  /** Not the text of a token that this version makes. */
  MALFORMED,
  /** Its MAC is wrong. */
  FORGED,
  /** Made with a key that is not known, or not any more. */
  UNKNOWN_KEY,
  /** Its time is over. */
  EXPIRED,
  /** Its session was ended. */
  ENDED,
  /** Its session was not used for too long. */
  IDLE,
  /** All sessions were ended since, or the store that knew it is gone. */
  OTHER_EPOCH,
  /** Issued in the future, by this node's clock. */
  NOT_YET;

  private final Validation.Invalid verdict = new Validation.Invalid(this);

  /** The verdict that says so; always the same one. */
  Validation.Invalid verdict() {
    return verdict;
  }
}
