package dev.staithe.authn.grants;

/** How a session stands that a grant came from. */
public enum SessionStanding {
  /** It goes on. */
  GOOD,
  /** Its time is over; nobody ended it. */
  OVER,
  /** Somebody ended it. */
  ENDED,
  /** By this node's clock it has not begun: that clock is behind, or was ahead where it began. */
  NOT_YET
}
