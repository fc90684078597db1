package dev.staithe.authn.persistence;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sessions in this process only: the model {@link PersistenceModel#OFF} of a single node. Each new
 * one begins a new epoch, so that no token outlives the process. Never fails; thread-safe.
 */
public final class MemorySessions implements SessionStore {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Clock clock;
  private final List<Runnable> wakes = new CopyOnWriteArrayList<>();

  // All guarded by this.
  private final Map<SessionId, Session> sessions = new HashMap<>();
  private final Map<String, Map<SessionId, Session>> bySubject = new HashMap<>();
  private final NavigableMap<Long, Revocation> entries = new TreeMap<>();
  private long sequence;
  private long epoch = RANDOM.nextLong();
  private final String name = Long.toHexString(epoch);

  /** An empty one. */
  public MemorySessions(Clock clock) {
    this.clock = clock;
  }

  @Override
  public PersistenceModel model() {
    return PersistenceModel.OFF;
  }

  @Override
  public synchronized WriteOutcome open(Session session, Duration deadline) {
    keep(session);
    return new WriteOutcome.Stored();
  }

  private void keep(Session session) {
    sessions.put(session.id(), session);
    bySubject.computeIfAbsent(session.subject(), s -> new HashMap<>()).put(session.id(), session);
  }

  private void drop(SessionId id) {
    Session session = sessions.remove(id);
    if (session != null) {
      bySubject.computeIfPresent(
          session.subject(),
          (subject, own) -> {
            own.remove(id);
            return own.isEmpty() ? null : own;
          });
    }
  }

  @Override
  public WriteOutcome revoke(Collection<Revocation> revocations, Duration deadline) {
    synchronized (this) {
      for (Revocation revocation : revocations) {
        entries.put(++sequence, revocation);
        switch (revocation) {
          case Revocation.OfSession session -> drop(session.id());
          case Revocation.OfUser user ->
              List.copyOf(bySubject.getOrDefault(user.subject(), Map.of()).values()).stream()
                  .filter(session -> session.created().isBefore(user.notBefore()))
                  .forEach(session -> drop(session.id()));
        }
      }
    }
    wakes.forEach(Runnable::run);
    return new WriteOutcome.Stored();
  }

  @Override
  public LogEnd readLog(String position, Duration timeout, Consumer<List<Revocation>> read) {
    LogSlice slice = revocationsAfter(position, timeout);
    read.accept(slice.entries());
    return new LogEnd(slice.epoch(), slice.position(), slice.regressed());
  }

  @Override
  public synchronized LogSlice revocationsAfter(String position, Duration timeout) {
    String own = name + ":";
    boolean known = position.startsWith(own);
    long after = known ? Long.parseLong(position.substring(own.length())) : 0;
    Instant now = clock.instant();
    List<Revocation> slice =
        entries.tailMap(after, false).values().stream()
            .filter(entry -> entry.expires().isAfter(now))
            .toList();
    return new LogSlice(epoch, slice, own + sequence, !known && !position.isEmpty());
  }

  @Override
  public void onHint(Runnable wake) {
    wakes.add(wake);
  }

  @Override
  public WriteOutcome beginEpoch(Duration deadline) {
    synchronized (this) {
      epoch = RANDOM.nextLong();
      sessions.clear();
      bySubject.clear();
      entries.clear();
    }
    wakes.forEach(Runnable::run);
    return new WriteOutcome.Stored();
  }

  @Override
  public synchronized Optional<Instant> lastUse(SessionId id, Duration timeout) {
    return find(id).map(Session::lastUse);
  }

  @Override
  public synchronized void touch(Map<SessionId, Instant> uses) {
    uses.forEach(
        (id, use) -> {
          Session session = sessions.get(id);
          if (session != null && use.isAfter(session.lastUse())) {
            keep(
                new Session(
                    id,
                    session.subject(),
                    session.created(),
                    session.expires(),
                    use,
                    session.assurance(),
                    session.address(),
                    session.client()));
          }
        });
  }

  @Override
  public synchronized Optional<Session> find(SessionId id) {
    return Optional.ofNullable(sessions.get(id)).filter(alive());
  }

  @Override
  public synchronized List<Session> sessionsOf(String subject) {
    return bySubject.getOrDefault(subject, Map.of()).values().stream()
        .filter(alive())
        .sorted(Comparator.comparing(Session::created))
        .toList();
  }

  @Override
  public synchronized long countOf(String subject) {
    return bySubject.getOrDefault(subject, Map.of()).size();
  }

  @Override
  public synchronized List<Session> sessions(int limit) {
    return sessions.values().stream()
        .filter(alive())
        .sorted(Comparator.comparing(Session::created).reversed())
        .limit(limit)
        .toList();
  }

  private Predicate<Session> alive() {
    Instant now = clock.instant();
    return session -> session.expires().isAfter(now);
  }

  @Override
  public synchronized void deleteExpired(Instant now) {
    List<Session> old = new ArrayList<>(sessions.values());
    old.removeIf(session -> session.expires().isAfter(now));
    old.forEach(session -> drop(session.id()));
    entries.values().removeIf(entry -> !entry.expires().isAfter(now));
  }

  @Override
  public Optional<String> trouble() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
