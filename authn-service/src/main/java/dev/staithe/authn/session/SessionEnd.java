package dev.staithe.authn.session;

/** What became of a logout. Whatever it is, but for {@link NotFound}, this node refuses at once. */
public sealed interface SessionEnd {
  /** Ended, as surely as the persistence model promises. */
  record Ended() implements SessionEnd {}

  /**
   * Refused here; the acknowledgement that the model promises has not come yet and is tried for
   * until the session would have ended by itself.
   *
   * @param reason one line for the log
   */
  record Pending(String reason) implements SessionEnd {}

  /** It was over before. */
  record AlreadyEnded() implements SessionEnd {}

  /** There is no such session, or the text is no token. */
  record NotFound() implements SessionEnd {}

  /**
   * The store refused. Where this node knows enough of the session, it refuses it and keeps trying;
   * other nodes may take it until then.
   *
   * @param reason one line for the log
   */
  record Failed(String reason) implements SessionEnd {}
}
