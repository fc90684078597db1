package dev.staithe.authn.grants;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.Freshness;
import dev.staithe.authn.session.Refusal;
import dev.staithe.authn.session.SessionEnd;
import dev.staithe.authn.session.SessionOpening;
import dev.staithe.authn.session.SessionToken;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.session.Validation;
import dev.staithe.authn.users.UserEnds;
import dev.staithe.authn.users.UserName;
import dev.staithe.authn.users.UsersUnavailable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Sessions together with what was granted in them: whoever ends one ends the other. Where the store
 * of the grants does not answer, the end is {@link SessionEnd.Pending} and is tried again until it
 * does; meanwhile what was granted is refused by the log of ended sessions. Thread-safe.
 */
public final class SessionLink {
  private static final Logger LOG = LoggerFactory.getLogger(SessionLink.class);
  private static final String LATER = "what was granted is ended as soon as its store answers";

  /** After that time nobody is about to end them any more. */
  private static final Duration UNDER_WAY = Duration.ofMinutes(1);

  /** So many users' sessions are ended by one write. */
  private static final int TOGETHER = 500;

  private final Sessions sessions;
  private final Grants grants;
  private final UserEnds users;
  private final Clock clock;
  private final Set<SessionId> waitingSessions = ConcurrentHashMap.newKeySet();
  private final Map<String, Instant> waitingUsers = new ConcurrentHashMap<>();

  /** On sessions that were started. */
  public SessionLink(Sessions sessions, Grants grants, UserEnds users, Clock clock) {
    this.sessions = sessions;
    this.grants = grants;
    this.users = users;
    this.clock = clock;
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

  /**
   * Opens a session as {@link Sessions#open} does, but none for whose user all was ended since the
   * password was checked, as by a new password: that end may have come before the session.
   *
   * @param since as {@link UserEnds#notBefore} said when the password was read; null for a user of
   *     whose password it says nothing
   */
  public SessionOpening open(
      String subject, @Nullable Instant since, Assurance assurance, String address, String client) {
    SessionOpening opening = sessions.open(subject, assurance, address, client);
    if (since == null || !(opening instanceof SessionOpening.Opened opened)) {
      return opening;
    }
    String reason = "all sessions of the user were ended during the login";
    try {
      // Asked when the session is kept: an end that comes from now on finds it.
      if (users.notBefore(subject).equals(since)) {
        return opening;
      }
    } catch (UsersUnavailable e) {
      reason = reason(e);
    }
    end(opened.token());
    return new SessionOpening.Unavailable(reason);
  }

  /** Ends the session of a token, and all that was granted in it. */
  public SessionEnd end(String token) {
    // The session first: without it the grants are nothing, whatever happens between.
    SessionEnd end = sessions.end(token);
    return sessions.read(token).map(read -> withGrants(end, read.id())).orElse(end);
  }

  /** Ends a session by its id, and all that was granted in it. */
  public SessionEnd end(SessionId id) {
    return withGrants(sessions.end(id), id);
  }

  private SessionEnd withGrants(SessionEnd end, SessionId id) {
    waitingSessions.add(id);
    // A store that is waited for already need not be waited for twice.
    return and(end, !isLate(end) && endGrants(id));
  }

  /** Ends all sessions of a user that were begun before now, and all that was ever granted. */
  public SessionEnd endAllOf(String user) {
    String name = UserName.of(user).orElse(user);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    SessionEnd end = sessions.endAllOf(name);
    waitingUsers.merge(name, now, (one, other) -> one.isAfter(other) ? one : other);
    return and(end, !isLate(end) && endGrants(name, now, Instant.MAX));
  }

  /**
   * Ends all sessions of a user but one, and what was granted in others, past ones too.
   *
   * @return the worst of what became of them
   */
  public SessionEnd endOthersOf(SessionToken kept, Iterable<SessionId> others) {
    SessionEnd worst = new SessionEnd.Ended();
    for (SessionId other : others) {
      SessionEnd end = sessions.end(other);
      worst = worst instanceof SessionEnd.Failed || !isLate(end) ? worst : end;
    }
    grants.endOthers(kept.subject(), kept.id());
    return worst;
  }

  /**
   * What a page may say of an end: whether it holds everywhere. Where not, it holds here, and
   * elsewhere as soon as a store answers.
   *
   * @throws Unavailable where it could not be kept
   */
  public static boolean isComplete(SessionEnd end) {
    return switch (end) {
      case SessionEnd.Ended ended -> true;
      case SessionEnd.AlreadyEnded already -> true;
      case SessionEnd.NotFound none -> true;
      case SessionEnd.Pending pending -> false;
      case SessionEnd.Failed(String reason) -> throw new Unavailable(reason);
    };
  }

  /** Ends all sessions of everybody, and all that anybody granted. */
  public SessionEnd endEverything() {
    SessionEnd end = sessions.endEpoch();
    try {
      grants.endEverybody();
      return end;
    } catch (DataAccessException | TransactionException e) {
      // They are of an epoch that is over: nobody can use them.
      LOG.warn("grants of the epoch that was ended stay unusable: {}", reason(e));
      return end;
    }
  }

  private static boolean isLate(SessionEnd end) {
    return end instanceof SessionEnd.Pending || end instanceof SessionEnd.Failed;
  }

  private static SessionEnd and(SessionEnd end, boolean grants) {
    return grants || isLate(end) ? end : new SessionEnd.Pending(LATER);
  }

  private boolean endGrants(SessionId id) {
    try {
      grants.endSession(id);
      waitingSessions.remove(id);
      return true;
    } catch (DataAccessException | TransactionException e) {
      LOG.warn("grants of a session that was ended wait: {}", reason(e));
      return false;
    }
  }

  /** Of sessions that began before {@code began} as well: those of a node whose clock is ahead. */
  private boolean endGrants(String name, Instant before, Instant began) {
    try {
      users.end(name, before);
      grants.endUser(name, began);
      waitingUsers.remove(name, before);
      return true;
    } catch (UsersUnavailable | DataAccessException | TransactionException e) {
      LOG.warn("grants of a user whose sessions were ended wait: {}", reason(e));
      return false;
    }
  }

  private static String reason(Exception e) {
    return e instanceof UsersUnavailable ? e.getMessage() + "" : e.getClass().getSimpleName();
  }

  /** Does what waits for a store; to be called every few seconds. */
  public void retry() {
    for (SessionId id : waitingSessions) {
      if (!endGrants(id)) {
        return;
      }
    }
    for (Map.Entry<String, Instant> user : waitingUsers.entrySet()) {
      if (!endGrants(user.getKey(), user.getValue(), user.getValue())) {
        return;
      }
    }
  }

  /**
   * Ends sessions that were to end with a new password and the like, where the node that changed it
   * was stopped before it came to that; to be called every minute or so.
   */
  public void endForgotten() throws UsersUnavailable {
    var part = new HashMap<String, Instant>();
    for (UserEnds.End end : users.between(sessions.oldest(), clock.instant().minus(UNDER_WAY))) {
      part.put(end.name(), end.notBefore());
      if (part.size() == TOGETHER) {
        sessions.endBefore(part);
        part.clear();
      }
    }
    sessions.endBefore(part);
  }

  /**
   * How the session of a grant stands; not a use of it.
   *
   * @throws Unavailable where nobody can say
   */
  public static SessionStanding standing(Sessions sessions, SessionToken session) {
    return switch (sessions.stands(session, Freshness.BOUNDED)) {
      case Validation.Valid valid -> SessionStanding.GOOD;
      case Validation.Invalid(Refusal reason) ->
          switch (reason) {
            case EXPIRED, IDLE -> SessionStanding.OVER;
            case ENDED, OTHER_EPOCH -> SessionStanding.ENDED;
            case NOT_YET -> SessionStanding.NOT_YET;
            case MALFORMED, FORGED, UNKNOWN_KEY ->
                throw new IllegalStateException("said of texts, and this was read from one");
          };
      case Validation.Unavailable not -> throw new Unavailable(not.reason());
    };
  }

  /**
   * Since when what a user grants counts.
   *
   * @throws Unavailable where nobody can say
   */
  public static Instant notBefore(UserEnds users, String name) {
    try {
      return users.notBefore(name);
    } catch (UsersUnavailable e) {
      throw new Unavailable(String.valueOf(e.getMessage()));
    }
  }
}
