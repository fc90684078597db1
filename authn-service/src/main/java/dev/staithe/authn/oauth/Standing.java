package dev.staithe.authn.oauth;

/** How a session stands that a grant came from. */
public enum Standing {
  /** It goes on. */
  GOOD,
  /** Its time is over; nobody ended it. */
  OVER,
  /** Somebody ended it. */
  ENDED
}
