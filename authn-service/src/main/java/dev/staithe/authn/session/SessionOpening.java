package dev.staithe.authn.session;

import dev.staithe.authn.persistence.Session;

/** What became of a login's session. */
public sealed interface SessionOpening {
  /**
   * It is open, as surely as the persistence model promises.
   *
   * @param token its text: a secret
   * @param session what the store keeps of it
   */
  record Opened(String token, Session session) implements SessionOpening {
    /** Without the token. */
    @Override
    public String toString() {
      return "Opened[" + session.id() + "]";
    }
  }

  /** The user has as many as one may have. */
  record TooMany() implements SessionOpening {}

  /**
   * The store did not do in time what the model promises; there is no token.
   *
   * @param reason one line for the log
   */
  record Unavailable(String reason) implements SessionOpening {}
}
