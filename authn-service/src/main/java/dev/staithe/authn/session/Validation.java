package dev.staithe.authn.session;

/** Whether a token is good. */
public sealed interface Validation {
  /**
   * It is, and this was a use of it.
   *
   * @param token what it says
   * @param stale whether this rests on knowledge older than the bound, because the store did not
   *     answer; only ever with {@link Freshness#LOCAL}
   */
  record Valid(SessionToken token, boolean stale) implements Validation {}

  /** It is not. */
  record Invalid(Refusal reason) implements Validation {}

  /**
   * Nobody can say at present, with the freshness that was asked for.
   *
   * @param reason one line for the log
   */
  record Unavailable(String reason) implements Validation {}
}
