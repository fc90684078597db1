package dev.staithe.authn.oauth;

import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.Refusal;
import dev.staithe.authn.session.SessionToken;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.Validation;
import java.util.Optional;

/** What browsers and grants ask of sessions. Thread-safe. */
public final class SessionLink {
  private final Sessions sessions;
  private final Grants grants;

  /** On sessions that were started. */
  public SessionLink(Sessions sessions, Grants grants) {
    this.sessions = sessions;
    this.grants = grants;
  }

  /**
   * The session of a cookie, where it is good; this is a use of it.
   *
   * @throws Unavailable where nobody can say
   */
  public Optional<SessionToken> valid(String token) {
    return switch (sessions.validate(token, Freshness.BOUNDED)) {
      case Validation.Valid valid -> Optional.of(valid.token());
      case Validation.Invalid invalid -> Optional.empty();
      case Validation.Unavailable not -> throw new Unavailable(not.reason());
    };
  }

  /** Ends a session and all that was granted in it. */
  public void end(String token, SessionToken session) {
    // The session first: without it the grants are nothing, whatever happens between.
    sessions.end(token);
    grants.endSession(session.id());
  }

  /**
   * How the session of a grant stands; not a use of it.
   *
   * @throws Unavailable where nobody can say
   */
  public static Standing standing(Sessions sessions, SessionToken session) {
    return switch (sessions.stands(session, Freshness.BOUNDED)) {
      case Validation.Valid valid -> Standing.GOOD;
      case Validation.Invalid(Refusal reason) ->
          reason == Refusal.EXPIRED || reason == Refusal.IDLE ? Standing.OVER : Standing.ENDED;
      case Validation.Unavailable not -> throw new Unavailable(not.reason());
    };
  }
}
