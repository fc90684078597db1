package dev.staithe.authn.session;

import dev.staithe.authn.persistence.LogEnd;
import dev.staithe.authn.persistence.LogSlice;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.service.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store that fails in the ways a real one does, when a test says so. */
public final class FaultyStore implements SessionStore {
  volatile SessionStore inner;

  /** It cannot be reached. */
  volatile boolean down;

  /** It does as told, and its acknowledgement never comes. */
  public volatile boolean mute;

  /** It gives what is there, and takes nothing. */
  public volatile boolean full;

  /** It gives every entry again in each slice. */
  volatile boolean repeats;

  /** It passes no hints on. */
  volatile boolean hintless;

  /** It says that this is its epoch. */
  volatile @Nullable Long epoch;

  /** Reads of the log wait for it before they look. */
  volatile @Nullable CountDownLatch gate;

  /** Reads of the log wait for it after they have looked. */
  volatile @Nullable CountDownLatch held;

  final AtomicInteger logReads = new AtomicInteger();
  final AtomicInteger logEntries = new AtomicInteger();
  final AtomicInteger holding = new AtomicInteger();
  final AtomicInteger useReads = new AtomicInteger();
  final AtomicInteger touches = new AtomicInteger();
  final AtomicInteger purges = new AtomicInteger();

  public FaultyStore(SessionStore inner) {
    this.inner = inner;
  }

  private void reach() throws StoreUnavailable {
    if (down) {
      throw new StoreUnavailable("the test has taken the store down");
    }
  }

  private WriteOutcome answered(WriteOutcome stored) {
    return mute ? new WriteOutcome.NotAcknowledged("the test keeps the acknowledgement") : stored;
  }

  @Override
  public PersistenceModel model() {
    return PersistenceModel.ASSURED_WRITE;
  }

  @Override
  public WriteOutcome open(Session session, Duration deadline) {
    return down || full
        ? new WriteOutcome.Failed("the test has taken the store down")
        : answered(inner.open(session, deadline));
  }

  @Override
  public WriteOutcome revoke(Collection<Revocation> revocations, Duration deadline) {
    return down || full
        ? new WriteOutcome.Failed("the test has taken the store down")
        : answered(inner.revoke(revocations, deadline));
  }

  @Override
  public LogEnd readLog(String position, Duration timeout, Consumer<List<Revocation>> read)
      throws StoreUnavailable {
    logReads.incrementAndGet();
    await(gate);
    reach();
    LogSlice slice = inner.revocationsAfter(position, timeout);
    CountDownLatch answer = held;
    if (answer != null) {
      holding.incrementAndGet();
      await(answer);
    }
    List<Revocation> entries = new ArrayList<>(slice.entries());
    if (repeats) {
      entries.addAll(0, inner.revocationsAfter("", timeout).entries());
    }
    Long said = epoch;
    logEntries.addAndGet(entries.size());
    read.accept(entries);
    return new LogEnd(said == null ? slice.epoch() : said, slice.position(), slice.regressed());
  }

  private static void await(@Nullable CountDownLatch latch) throws StoreUnavailable {
    if (latch != null) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreUnavailable("interrupted", e);
      }
    }
  }

  @Override
  public void onHint(Runnable wake) {
    inner.onHint(
        () -> {
          if (!hintless) {
            wake.run();
          }
        });
  }

  @Override
  public WriteOutcome beginEpoch(Duration deadline) {
    if (down || full) {
      return new WriteOutcome.Failed("the test has taken the store down");
    }
    epoch = null;
    return answered(inner.beginEpoch(deadline));
  }

  @Override
  public Optional<Instant> lastUse(SessionId id, Duration timeout) throws StoreUnavailable {
    useReads.incrementAndGet();
    reach();
    return inner.lastUse(id, timeout);
  }

  @Override
  public void touch(Map<SessionId, Instant> uses) throws StoreUnavailable {
    reach();
    touches.addAndGet(uses.size());
    inner.touch(uses);
  }

  @Override
  public Optional<Session> find(SessionId id) throws StoreUnavailable {
    reach();
    return inner.find(id);
  }

  @Override
  public List<Session> sessionsOf(String subject) throws StoreUnavailable {
    reach();
    return inner.sessionsOf(subject);
  }

  @Override
  public long countOf(String subject) throws StoreUnavailable {
    reach();
    return inner.countOf(subject);
  }

  @Override
  public List<Session> sessions(int limit) throws StoreUnavailable {
    reach();
    return inner.sessions(limit);
  }

  @Override
  public void deleteExpired(Instant now) throws StoreUnavailable {
    reach();
    inner.deleteExpired(now);
    purges.incrementAndGet();
  }

  @Override
  public Optional<String> trouble() {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
