package dev.staithe.authn.session;

/** What a text presented as a token turned out to be. */
sealed interface TokenReading {
  /** Ours; whether it is still good is another question. */
  record Genuine(SessionToken token) implements TokenReading {}

  /** Not ours, or not any more. */
  enum NotGenuine implements TokenReading {
    /** No token, too long, or not in its one spelling. */
    MALFORMED,
    /** A token of another version than this node knows. */
    OF_OTHER_VERSION,
    /** Made with a key that is not in the ring. */
    UNKNOWN_KEY,
    /** The MAC is wrong. */
    FORGED
  }
}
