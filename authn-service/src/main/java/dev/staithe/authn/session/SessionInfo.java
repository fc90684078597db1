package dev.staithe.authn.session;

import java.time.Duration;

/** What is to be said of the session of a token. */
public sealed interface SessionInfo {
  /**
   * It is good.
   *
   * @param token what its token says
   * @param left until it ends at the latest
   * @param idleLeft until it ends without use, as far as this node and the store know; never more
   *     than {@code left}
   */
  record Known(SessionToken token, Duration left, Duration idleLeft) implements SessionInfo {}

  /** It is not. */
  record Refused(Refusal reason) implements SessionInfo {}

  /**
   * Nobody can say at present.
   *
   * @param reason one line for the log
   */
  record Unavailable(String reason) implements SessionInfo {}
}
