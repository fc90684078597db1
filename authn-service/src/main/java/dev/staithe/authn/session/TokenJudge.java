package dev.staithe.authn.session;

import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Judges tokens by what this node knows of ended sessions and last uses, and by the store where
 * that is too old. Safe for many threads.
 */
final class TokenJudge {
  static final String NOT_LOADED = "the revocation log was not read yet";
  private static final String LOG_SILENT = "the revocation log does not answer";

  private final TokenMint mint;
  private final RevocationSet ended;
  private final RevocationFeed feed;
  private final LastUses uses;
  private final SessionPolicy policy;
  private final Clock clock;

  TokenJudge(
      TokenMint mint,
      RevocationSet ended,
      RevocationFeed feed,
      LastUses uses,
      SessionPolicy policy,
      Clock clock) {
    this.mint = mint;
    this.ended = ended;
    this.feed = feed;
    this.uses = uses;
    this.policy = policy;
    this.clock = clock;
  }

  /**
   * Whether a token is good; if it is, this is a use of its session.
   *
   * @param token what was presented, of any length and content
   */
  Validation validate(String token, Freshness freshness) {
    return switch (mint.open(token)) {
      case TokenReading.Genuine genuine -> validate(genuine.token(), freshness);
      case TokenReading.NotGenuine not -> refusal(not).verdict();
    };
  }

  /**
   * As {@link #validate}, where that needs nothing but this node's memory: for threads that must
   * not wait.
   *
   * @return null where the store has to be asked
   */
  @Nullable Validation validateAtOnce(String token, Freshness freshness) {
    return switch (mint.open(token)) {
      case TokenReading.Genuine genuine -> {
        long now = clock.millis();
        SessionToken read = genuine.token();
        yield feed.ready() && !hasExpired(read, now) && wouldWait(read, freshness, now)
            ? null
            : validate(read, freshness);
      }
      case TokenReading.NotGenuine not -> refusal(not).verdict();
    };
  }

  private boolean wouldWait(SessionToken token, Freshness freshness, long now) {
    RevocationSet.Status standing = ended.of(token);
    return mustAsk(token, standing, freshness, now)
        || standing == RevocationSet.Status.GOOD && uses.wouldWait(token, now);
  }

  private static boolean hasExpired(SessionToken token, long now) {
    return now / 1000 >= token.expires().getEpochSecond();
  }

  /**
   * Whether the session of a token that was genuine when it was read still stands: not ended, and
   * its time not over. Not a use of it, and no question of idleness. That somebody ended it is said
   * also when its time is over, for as long as that is known.
   *
   * @param token as it was read from a token; who calls vouches for it
   */
  Validation stands(SessionToken token, Freshness freshness) {
    long now = clock.millis();
    Validation against = ended(token, freshness, now);
    if (against == null) {
      against = against(token, Freshness.LOCAL, now);
    }
    return against == null
        ? new Validation.Valid(token, freshness == Freshness.LOCAL && stale())
        : against;
  }

  private Validation validate(SessionToken token, Freshness freshness) {
    long now = clock.millis();
    Validation against = against(token, freshness, now);
    if (against != null) {
      return against;
    }
    return switch (uses.use(token, now)) {
      case GOOD -> new Validation.Valid(token, freshness == Freshness.LOCAL && stale());
      case IDLE -> Refusal.IDLE.verdict();
      case GONE -> Refusal.ENDED.verdict();
      case UNKNOWN ->
          freshness == Freshness.LOCAL
              ? new Validation.Valid(token, true)
              : new Validation.Unavailable("the last use of the session cannot be read");
    };
  }

  /** What speaks against a token, but for the idle rule. */
  private @Nullable Validation against(SessionToken token, Freshness freshness, long now) {
    long issued = token.issued().toEpochMilli();
    if (hasExpired(token, now)) {
      return Refusal.EXPIRED.verdict();
    }
    if (issued > now + SessionPolicy.SKEW.toMillis()) {
      return Refusal.NOT_YET.verdict();
    }
    return ended(token, freshness, now);
  }

  /** Whether somebody ended it, as fresh as it was asked for. */
  private @Nullable Validation ended(SessionToken token, Freshness freshness, long now) {
    if (!feed.ready()) {
      return new Validation.Unavailable(NOT_LOADED);
    }
    RevocationSet.Status standing = ended.of(token);
    if (mustAsk(token, standing, freshness, now)) {
      if (!feed.catchUp(policy.deadline())) {
        return new Validation.Unavailable(LOG_SILENT);
      }
      standing = ended.of(token);
    }
    return switch (standing) {
      case GOOD -> null;
      case ENDED -> Refusal.ENDED.verdict();
      case OTHER_EPOCH -> Refusal.OTHER_EPOCH.verdict();
      case FORGOTTEN -> Refusal.EXPIRED.verdict();
    };
  }

  /** Whether what this node has read of the log is too old to judge by. */
  private boolean mustAsk(
      SessionToken token, RevocationSet.Status standing, Freshness freshness, long now) {
    return switch (standing) {
      case GOOD ->
          freshness == Freshness.STRICT
              || freshness == Freshness.BOUNDED && feed.olderThan(policy.freshness(), now);
      // It may be of an epoch that began since the log was read.
      case OTHER_EPOCH ->
          token.issued().toEpochMilli() + SessionPolicy.SKEW.toMillis() >= feed.readMillis();
      case ENDED, FORGOTTEN -> false;
    };
  }

  private boolean stale() {
    return feed.lag().compareTo(policy.freshness()) > 0;
  }

  private static Refusal refusal(TokenReading.NotGenuine not) {
    return switch (not) {
      case MALFORMED, OF_OTHER_VERSION -> Refusal.MALFORMED;
      case UNKNOWN_KEY -> Refusal.UNKNOWN_KEY;
      case FORGED -> Refusal.FORGED;
    };
  }

  /** What is to be said of a token's session, as of what this node knows; not a use of it. */
  SessionInfo info(String token) {
    switch (mint.open(token)) {
      case TokenReading.Genuine genuine -> {
        long now = clock.millis();
        Validation against = against(genuine.token(), Freshness.LOCAL, now);
        return against == null ? times(genuine.token(), now) : told(against);
      }
      case TokenReading.NotGenuine not -> {
        return new SessionInfo.Refused(refusal(not));
      }
    }
  }

  /** As {@link #validate}, with the times that are left after this use. */
  SessionInfo refresh(String token, Freshness freshness) {
    return told(validate(token, freshness));
  }

  private SessionInfo told(Validation validation) {
    return switch (validation) {
      case Validation.Valid valid -> times(valid.token(), clock.millis());
      case Validation.Invalid invalid -> new SessionInfo.Refused(invalid.reason());
      case Validation.Unavailable not -> new SessionInfo.Unavailable(not.reason());
    };
  }

  private SessionInfo times(SessionToken token, long now) {
    long left = token.expires().toEpochMilli() - now;
    long idleLeft = Math.min(left, uses.last(token, now) + token.idle().toMillis() - now);
    return idleLeft > 0
        ? new SessionInfo.Known(token, Duration.ofMillis(left), Duration.ofMillis(idleLeft))
        : new SessionInfo.Refused(Refusal.IDLE);
  }
}
