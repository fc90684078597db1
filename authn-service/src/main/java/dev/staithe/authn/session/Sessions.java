package dev.staithe.authn.session;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.service.StoreUnavailable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions, from login to logout, on one node of any number that share a store and keys. Safe for
 * many threads. A validation takes microseconds and reads nothing but memory, unless more freshness
 * is asked for or the idle rule needs the store; everything else asks the store and may block for
 * as long as the policy's deadline, once or twice.
 */
public final class Sessions implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Sessions.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration PURGE = Duration.ofMinutes(1);

  private final SessionStore store;
  private final SessionPolicy policy;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final TokenMint mint;
  private final RevocationSet ended = new RevocationSet();
  private final PendingEnds pending;
  private final ClockWatch watch;
  private final RevocationFeed feed;
  private final LastUses uses;
  private final TokenJudge judge;
  private final RecurringTask retrying;
  private final RecurringTask purging;
  private final SessionEvents events;

  /** On a store that others may share; does nothing before {@link #start}. */
  public Sessions(
      SessionStore store, TokenKeys keys, SessionPolicy policy, Clock clock, SessionEvents events) {
    this(store, keys, policy, clock, System::nanoTime, events);
  }

  Sessions(
      SessionStore store, TokenKeys keys, SessionPolicy policy, Clock clock, LongSupplier nanos) {
    this(store, keys, policy, clock, nanos, SessionEvents.NONE);
  }

  private Sessions(
      SessionStore store,
      TokenKeys keys,
      SessionPolicy policy,
      Clock clock,
      LongSupplier nanos,
      SessionEvents events) {
    this.events = events;
    this.store = store;
    this.policy = policy;
    this.clock = clock;
    this.mint = new TokenMint(keys);
    this.watch = new ClockWatch(clock, nanos);
    this.pending = new PendingEnds(store, watch, policy.deadline(), nanos);
    this.feed = new RevocationFeed(store, ended, pending, watch, policy, clock, nanos);
    this.uses = new LastUses(store, policy.deadline(), nanos);
    this.judge = new TokenJudge(mint, ended, feed, uses, policy, clock);
    this.retrying = new RecurringTask("session-ends", RETRY, pending::retry);
    // Nodes that were started together need not purge together.
    long jitter = ThreadLocalRandom.current().nextLong(PURGE.toMillis() / 4);
    this.purging = new RecurringTask("session-purge", PURGE.plusMillis(jitter), this::purge);
  }

  /** Begins to read the log of ended sessions, and to do what is to be done now and then. */
  public void start() {
    feed.start();
    uses.start();
    retrying.start();
    purging.start();
  }

  /** Whether the log of ended sessions was read once; before that nothing can be answered. */
  public boolean ready() {
    return feed.ready();
  }

  /**
   * Waits for everything that is in the log of ended sessions now.
   *
   * @return whether it was read in time
   */
  public boolean catchUp(Duration patience) {
    return feed.catchUp(patience);
  }

  // --- login ---------------------------------------------------------------------------------

  /**
   * Opens a session. The limit per user is counted in the store without a lock: logins of one user
   * at the same time may pass it by as many; the next login makes up for it.
   *
   * @param subject who logged in, 1 to 255 bytes of UTF-8
   * @param address where from, as text; may be empty
   * @param client the program, as it names itself; cut after 200 characters; may be empty
   * @throws IllegalArgumentException for a subject that is too long or empty
   */
  public SessionOpening open(String subject, Assurance assurance, String address, String client) {
    SessionOpening opening = opening(subject, assurance, address, client);
    events.happened(
        "session.open",
        subject,
        opening instanceof SessionOpening.Opened opened ? opened.session().id().toString() : "",
        SessionEvents.word((Record) opening));
    return opening;
  }

  private SessionOpening opening(
      String subject, Assurance assurance, String address, String client) {
    if (!feed.ready()) {
      return new SessionOpening.Unavailable(TokenJudge.NOT_LOADED);
    }
    Instant now = ended.begin(subject, clock.instant().truncatedTo(ChronoUnit.MILLIS));
    Instant expires = now.plus(policy.absolute()).truncatedTo(ChronoUnit.SECONDS);
    var id = SessionId.random(random);
    long epoch = ended.epoch();
    // Minted before it is kept, so that a bad subject is refused before anything is written.
    String token =
        mint.mint(new SessionToken(id, epoch, subject, assurance, now, expires, policy.idle()));
    String program = client.length() > 200 ? client.substring(0, 200) : client;
    var session = new Session(id, subject, now, expires, now, assurance, address, program);
    List<Session> surplus;
    try {
      surplus = surplus(subject, now);
    } catch (StoreUnavailable e) {
      return new SessionOpening.Unavailable(line(e));
    }
    if (!surplus.isEmpty() && policy.onLimit() == SessionPolicy.OnLimit.REFUSE) {
      return new SessionOpening.TooMany();
    }
    switch (store.open(session, policy.deadline())) {
      case WriteOutcome.Stored kept -> {}
      case WriteOutcome.NotAcknowledged not -> {
        // Nobody gets the token. Should the record have been written all the same, or be written
        // late, its end removes it.
        ended.add(revocation(session));
        pending.later(revocation(session));
        return new SessionOpening.Unavailable(not.reason());
      }
      case WriteOutcome.Failed failed -> {
        return new SessionOpening.Unavailable(failed.reason());
      }
    }
    if (ended.epoch() != epoch) {
      return new SessionOpening.Unavailable("all sessions were ended during the login");
    }
    if (!surplus.isEmpty()) {
      SessionEnd end = end(surplus.stream().map(Sessions::revocation).toList());
      surplus.forEach(each -> told("session.end", subject, each.id().toString(), end));
    }
    return new SessionOpening.Opened(token, session);
  }

  /** The oldest sessions of a user, as many as have to go for one more. */
  private List<Session> surplus(String subject, Instant now) throws StoreUnavailable {
    // Nearly always: then none of them is read.
    if (store.countOf(subject) < policy.perUser()) {
      return List.of();
    }
    List<Session> alive = alive(store.sessionsOf(subject), now);
    return alive.subList(0, Math.max(0, alive.size() + 1 - policy.perUser()));
  }

  private List<Session> alive(List<Session> sessions, Instant now) {
    Instant used = now.minus(policy.idle()).minus(policy.idle().dividedBy(10));
    return sessions.stream()
        .filter(session -> session.expires().isAfter(now) && session.lastUse().isAfter(used))
        .filter(session -> !ended.contains(session.id(), session.expires()))
        // Written behind the end of all of its user's, its record stays.
        .filter(session -> !ended.hasEnded(session.subject(), session.created().plusMillis(1)))
        .toList();
  }

  // --- validation ----------------------------------------------------------------------------

  /**
   * Whether a token is good; if it is, this is a use of its session.
   *
   * @param token what was presented, of any length and content
   */
  public Validation validate(String token, Freshness freshness) {
    return judge.validate(token, freshness);
  }

  /**
   * As {@link #validate}, where that needs nothing but this node's memory: for threads that must
   * not wait.
   *
   * @return null where the store has to be asked
   */
  public @Nullable Validation validateAtOnce(String token, Freshness freshness) {
    return judge.validateAtOnce(token, freshness);
  }

  /**
   * Whether the session of a token that was genuine when it was read still stands: not ended, and
   * its time not over. Not a use of it, and no question of idleness. That somebody ended it is said
   * also when its time is over, for as long as that is known.
   *
   * @param token as it was read from a token; who calls vouches for it
   */
  public Validation stands(SessionToken token, Freshness freshness) {
    return judge.stands(token, freshness);
  }

  /** What a token says, where it is genuine; whether it is good is another question. */
  public Optional<SessionToken> read(String token) {
    return mint.open(token) instanceof TokenReading.Genuine genuine
        ? Optional.of(genuine.token())
        : Optional.empty();
  }

  /** What is to be said of a token's session, as of what this node knows; not a use of it. */
  public SessionInfo info(String token) {
    return judge.info(token);
  }

  /** As {@link #validate}, with the times that are left after this use. */
  public SessionInfo refresh(String token, Freshness freshness) {
    return judge.refresh(token, freshness);
  }

  // --- logout --------------------------------------------------------------------------------

  /** Ends the session of a token. */
  public SessionEnd end(String token) {
    SessionEnd end = ending(token);
    Optional<SessionToken> read = read(token);
    return told(
        "session.end",
        read.map(SessionToken::subject).orElse(""),
        read.map(each -> each.id().toString()).orElse(""),
        end);
  }

  private SessionEnd told(String event, String subject, String session, SessionEnd end) {
    events.happened(event, subject, session, SessionEvents.word((Record) end));
    return end;
  }

  private SessionEnd ending(String token) {
    SessionToken read = read(token).orElse(null);
    if (read == null) {
      return new SessionEnd.NotFound();
    }
    if (!clock.instant().isBefore(read.expires())) {
      return new SessionEnd.AlreadyEnded();
    }
    if (feed.ready() && ended.of(read) == RevocationSet.Status.OTHER_EPOCH) {
      return new SessionEnd.AlreadyEnded();
    }
    return endOnce(read.id(), read.expires());
  }

  /** Ends a session by its id, which only the store can tell more of. */
  public SessionEnd end(SessionId id) {
    try {
      Optional<Session> session = store.find(id);
      return told(
          "session.end",
          session.map(Session::subject).orElse(""),
          id.toString(),
          session.isPresent() ? endOnce(id, session.get().expires()) : new SessionEnd.NotFound());
    } catch (StoreUnavailable e) {
      return new SessionEnd.Failed(line(e));
    }
  }

  private SessionEnd endOnce(SessionId id, Instant expires) {
    if (ended.contains(id, expires)) {
      return pending.contains(id)
          ? new SessionEnd.Pending("the store has not acknowledged it yet")
          : new SessionEnd.AlreadyEnded();
    }
    return end(List.of(new Revocation.OfSession(id, expires)));
  }

  /** Ends all sessions of a user that were begun before now, or in this very millisecond. */
  public SessionEnd endAllOf(String subject) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    List<Revocation> revocations = new ArrayList<>();
    Instant notBefore = ended.begin(subject, now).plusMillis(1);
    revocations.add(new Revocation.OfUser(subject, notBefore, latestEnd(now)));
    try {
      // By id as well: those that were begun by a node whose clock is ahead.
      store.sessionsOf(subject).forEach(session -> revocations.add(revocation(session)));
    } catch (StoreUnavailable e) {
      log.debug("the sessions of a user are ended by time only: {}", e.getMessage());
    }
    return told("session.end-user", subject, "", end(revocations));
  }

  /**
   * Ends the sessions of users that were begun before a time, in one go; nothing of those of whom
   * they are ended.
   *
   * @param before by subject, in whole milliseconds
   */
  public void endBefore(Map<String, Instant> before) {
    if (!feed.ready()) {
      return;
    }
    Instant until = latestEnd(clock.instant());
    List<Revocation> over = new ArrayList<>();
    before.forEach(
        (subject, began) -> {
          if (!ended.hasEnded(subject, began)) {
            over.add(new Revocation.OfUser(subject, began, until));
          }
        });
    if (!over.isEmpty()) {
      SessionEnd end = end(over);
      for (Revocation each : over) {
        if (each instanceof Revocation.OfUser user) {
          told("session.end-user", user.subject(), "", end);
        }
      }
    }
  }

  /** Sessions that began before are over by themselves. */
  public Instant oldest() {
    return clock.instant().minus(policy.absolute()).minus(SessionPolicy.SKEW);
  }

  private Instant latestEnd(Instant now) {
    return now.plus(policy.absolute()).plus(SessionPolicy.SKEW).truncatedTo(ChronoUnit.SECONDS);
  }

  private SessionEnd end(List<Revocation> revocations) {
    // Here first and whatever the store says.
    ended.addAll(revocations);
    for (Revocation revocation : revocations) {
      if (revocation instanceof Revocation.OfSession session) {
        uses.forget(session.id());
      }
    }
    return answer(pending.revoke(revocations));
  }

  /**
   * Ends all sessions of everybody. Unlike other ends, it holds here when the store has done it.
   */
  public SessionEnd endEpoch() {
    long epoch = ended.epoch();
    WriteOutcome stored = store.beginEpoch(policy.deadline());
    if (!(stored instanceof WriteOutcome.Stored)) {
      pending.endEpoch(epoch);
    }
    feed.catchUp(policy.deadline());
    return told("session.end-everybody", "", "", answer(stored));
  }

  private static SessionEnd answer(WriteOutcome stored) {
    return switch (stored) {
      case WriteOutcome.Stored kept -> new SessionEnd.Ended();
      case WriteOutcome.NotAcknowledged not -> new SessionEnd.Pending(not.reason());
      case WriteOutcome.Failed failed -> new SessionEnd.Failed(failed.reason());
    };
  }

  private static String line(StoreUnavailable e) {
    return Objects.requireNonNullElse(e.getMessage(), "the session store does not answer");
  }

  private static Revocation revocation(Session session) {
    return new Revocation.OfSession(session.id(), session.expires());
  }

  // --- the rest ------------------------------------------------------------------------------

  /**
   * The time up to which what has expired may be forgotten, by whoever keeps something beside the
   * sessions: behind the clock while that is doubted, never ahead of it.
   */
  public Instant forForgetting() {
    return watch.forForgetting();
  }

  /** The sessions of a user that have not ended as far as this node knows, oldest first. */
  public List<Session> sessionsOf(String subject) throws StoreUnavailable {
    return alive(store.sessionsOf(subject), clock.instant());
  }

  /** All sessions of everybody, newest first. */
  public List<Session> newest(int limit) throws StoreUnavailable {
    return alive(store.sessions(limit), clock.instant());
  }

  private void purge() {
    try {
      // By a clock that is behind it has not expired yet, and a node that starts reads it.
      store.deleteExpired(watch.forForgetting().minus(SessionPolicy.SKEW));
    } catch (StoreUnavailable e) {
      log.debug("expired sessions are not removed this time: {}", e.getMessage());
    }
  }

  /** Age in seconds of what this node knows of ended sessions. */
  public double lagSeconds() {
    return feed.lag().toNanos() / 1e9;
  }

  /** How many ended sessions and users this node knows of. */
  public long endedSize() {
    return ended.size();
  }

  /** About how many bytes they take. */
  public long endedBytes() {
    return ended.bytes();
  }

  /** How many sessions' last uses this node remembers. */
  public int usesSize() {
    return uses.size();
  }

  /** How many last uses this node has written to the store. */
  public long touches() {
    return uses.writes();
  }

  /** How often this node has asked the store for a last use. */
  public long storeReads() {
    return uses.reads();
  }

  /** How many ends the store has not acknowledged yet. */
  public int pendingEnds() {
    return pending.size();
  }

  /**
   * Stops reading, writes last uses that wait, tries ends that wait once more. Leaves the store.
   */
  @Override
  public void close() {
    purging.close();
    retrying.close();
    feed.close();
    uses.close();
    pending.retry();
  }
}
