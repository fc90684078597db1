package dev.staithe.authn.persistence;

import dev.staithe.service.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where sessions, and the log of those that were ended, are kept for all nodes. Safe for many
 * threads; calls may block, on virtual threads too.
 */
public interface SessionStore extends AutoCloseable {
  /** What it promises of writes. */
  PersistenceModel model();

  /**
   * Keeps a new session.
   *
   * @param deadline how long to wait for the acknowledgement that the model promises. After that
   *     the answer is {@link WriteOutcome.NotAcknowledged}; whatever is written late is removed
   *     again
   */
  WriteOutcome open(Session session, Duration deadline);

  /**
   * Appends to the revocation log and removes the records of the ended sessions. What was not
   * acknowledged in time is tried again until it is, or until the entry expires.
   *
   * @param deadline how long to wait for the acknowledgement
   */
  WriteOutcome revoke(Collection<Revocation> revocations, Duration deadline);

  /**
   * Reads the revocation log, which may be far longer than what a node can hold as objects.
   *
   * @param position where the read before ended; empty for all entries that have not expired
   * @param timeout how long the store may be silent
   * @param entries is given those after the position in pieces, possibly some of them again; what
   *     it was given holds even where reading fails afterwards
   */
  LogEnd readLog(String position, Duration timeout, Consumer<List<Revocation>> entries)
      throws StoreUnavailable;

  /** Reads the revocation log at once. */
  default LogSlice revocationsAfter(String position, Duration timeout) throws StoreUnavailable {
    List<Revocation> all = new ArrayList<>();
    LogEnd end = readLog(position, timeout, all::addAll);
    return new LogSlice(end.epoch(), List.copyOf(all), end.position(), end.regressed());
  }

  /**
   * Asks to be told soon when there may be something new in the log. Only a hint: it may come late,
   * more than once, for nothing, or never.
   */
  void onHint(Runnable wake);

  /** Ends all sessions of everybody: begins a new epoch, and forgets sessions and log. */
  WriteOutcome beginEpoch(Duration deadline);

  /**
   * The last use of a session that was written down.
   *
   * @return empty where there is no such session
   */
  Optional<Instant> lastUse(SessionId id, Duration timeout) throws StoreUnavailable;

  /** Writes uses down; older times than are known already change nothing. */
  void touch(Map<SessionId, Instant> uses) throws StoreUnavailable;

  /** A session that has not ended. */
  Optional<Session> find(SessionId id) throws StoreUnavailable;

  /** The sessions of a user that have not ended, oldest first. */
  List<Session> sessionsOf(String subject) throws StoreUnavailable;

  /**
   * How many sessions a user has: those of {@link #sessionsOf}, and perhaps some that have expired
   * and are not forgotten yet.
   */
  long countOf(String subject) throws StoreUnavailable;

  /** Sessions of all users, newest first. */
  List<Session> sessions(int limit) throws StoreUnavailable;

  /** Forgets sessions and log entries that have expired; for one node at a time to call. */
  void deleteExpired(Instant now) throws StoreUnavailable;

  /**
   * Why it cannot keep its promise at present, as {@code assured-write needs a standby, and none is
   * connected}; empty where it can.
   */
  Optional<String> trouble();

  /** Writes what waits, as far as that is possible within a few seconds, and ends. */
  @Override
  void close();
}
