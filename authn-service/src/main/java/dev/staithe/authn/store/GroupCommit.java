package dev.staithe.authn.store;

import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.service.StoreUnavailable;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread writes for all: what waits while a batch is on its way becomes the next batch, so that
 * the number of commits does not grow with the number of logins and logouts. Safe for many threads.
 *
 * <p>Whoever waits takes the answer of the batch, or gives up at his deadline. A login that was
 * given up is not written, or, where it may have been, removed again; everything else is tried
 * until it is acknowledged or has expired.
 *
 * <p>Write-behind answers logins at once instead, as long as the store keeps up: nothing that was
 * answered may wait longer than the second that the model allows to be lost. Ends are answered when
 * they are in the log, whatever a crash of the store may take of it: the time within which other
 * nodes refuse what was ended counts from that answer.
 */
final class GroupCommit implements AutoCloseable {
  static final int ROWS = 500;

  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
  private static final int LONGEST_QUEUE = 100_000;
  private static final Duration COLLECTING = Duration.ofMillis(50);
  private static final Duration COLLECTING_ENDS = Duration.ofMillis(10);
  private static final Duration REST = Duration.ofMillis(20);
  private static final Duration BEFORE_AGAIN = Duration.ofMillis(200);
  private static final Duration AT_END = Duration.ofSeconds(3);

  /** What a crash of the node may lose, with a little left for the crash to come. */
  private static final long KEEPS_UP = TimeUnit.MILLISECONDS.toNanos(900);

  private static final WriteOutcome KEPT = new WriteOutcome.Stored();
  private static final WriteOutcome CLOSING =
      new WriteOutcome.Failed("the session store is closing");

  private final BatchWriter writer;
  private final boolean behind;
  private final Clock clock;
  private final LinkedBlockingDeque<Pending> queue = new LinkedBlockingDeque<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Semaphore urgent = new Semaphore(0);
  private final AtomicLong oldest = new AtomicLong();
  private final Map<Revocation, Pending> ending = new HashMap<>(); // guarded by itself
  private @Nullable Pending beginning; // guarded by ending
  private final Consumer<List<Revocation>> notYet;
  private final Thread thread;
  private volatile @Nullable String failing;

  /**
   * Begins.
   *
   * @param behind whether to answer before it is written
   * @param notYet told of ends whose acknowledgement did not come in time, once for each
   */
  GroupCommit(
      String name,
      BatchWriter writer,
      boolean behind,
      Clock clock,
      Consumer<List<Revocation>> notYet) {
    this.writer = writer;
    this.notYet = notYet;
    this.behind = behind;
    this.clock = clock;
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
    thread.start();
  }

  private static final class Pending {
    private final Write write;
    private final boolean detached;
    private final long since = System.nanoTime();
    // Whoever completes it first decides: the writer, or the one who waits at his deadline.
    private final CompletableFuture<WriteOutcome> answer = new CompletableFuture<>();
    private boolean mayBeWritten;

    private Pending(Write write, boolean detached) {
      this.write = write;
      this.detached = detached;
    }

    private boolean givenUp() {
      return !detached && answer.isDone();
    }
  }

  /** Keeps a session. */
  WriteOutcome open(Session session, Duration deadline) {
    Write write = new Write.Open(session);
    if (!behind) {
      return submit(write, deadline);
    }
    String late = late();
    if (late != null) {
      return new WriteOutcome.Failed(late);
    }
    return detached(write);
  }

  /**
   * Ends sessions. What waits already, because somebody asks again for what was not acknowledged,
   * does not wait twice.
   */
  WriteOutcome end(Collection<Revocation> revocations, Duration deadline) {
    if (revocations.isEmpty()) {
      return KEPT;
    }
    Pending added = null;
    List<CompletableFuture<WriteOutcome>> answers = new ArrayList<>();
    List<Revocation> fresh = new ArrayList<>();
    synchronized (ending) {
      for (Revocation each : revocations) {
        Pending known = ending.get(each);
        if (known == null) {
          fresh.add(each);
        } else {
          answers.add(known.answer);
        }
      }
      if (!fresh.isEmpty()) {
        added = new Pending(new Write.End(List.copyOf(fresh)), true);
        if (!enqueue(added)) {
          return refused();
        }
        answers.add(added.answer);
        for (Revocation each : fresh) {
          ending.put(each, added);
        }
      }
    }
    if (behind) {
      urgent.release();
      String late = late();
      if (late != null) {
        return new WriteOutcome.NotAcknowledged(late);
      }
    }
    WriteOutcome stored = awaitAll(answers, deadline);
    if (!behind && added != null && stored instanceof WriteOutcome.NotAcknowledged) {
      notYet.accept(List.copyOf(fresh));
    }
    return stored;
  }

  private WriteOutcome awaitAll(List<CompletableFuture<WriteOutcome>> answers, Duration deadline) {
    CompletableFuture<?> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    try {
      all.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
      return answers.stream()
          .map(CompletableFuture::join)
          .filter(each -> !(each instanceof WriteOutcome.Stored))
          .findFirst()
          .orElse(KEPT);
    } catch (TimeoutException e) {
      return late(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new WriteOutcome.NotAcknowledged("interrupted before the acknowledgement");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // nobody completes it so
    }
  }

  private WriteOutcome late(Duration deadline) {
    String reason = failing;
    String line = "not acknowledged within " + deadline.toMillis() + " ms";
    return new WriteOutcome.NotAcknowledged(reason == null ? line : line + ": " + reason);
  }

  /**
   * Begins an epoch; waits with write-behind too, because it is rare and means much. One that waits
   * already, because somebody asks again, does for all: each would end the sessions begun since.
   */
  WriteOutcome begin(Write.Begin write, Duration deadline) {
    Pending waiting;
    synchronized (ending) {
      waiting = beginning;
      if (waiting == null || waiting.answer.isDone()) {
        waiting = new Pending(write, true);
        if (!enqueue(waiting)) {
          return refused();
        }
        beginning = waiting;
      }
    }
    return awaitAll(List.of(waiting.answer), deadline);
  }

  /** Why nothing can be written at present; null where it can. */
  @Nullable String failing() {
    return failing;
  }

  /** How many writes wait for their turn. */
  int waiting() {
    return queue.size();
  }

  private WriteOutcome detached(Write write) {
    return enqueue(new Pending(write, true)) ? KEPT : refused();
  }

  private WriteOutcome submit(Write write, Duration deadline) {
    Pending pending = new Pending(write, false);
    return enqueue(pending) ? await(pending, deadline) : refused();
  }

  private boolean enqueue(Pending pending) {
    if (closing.getCount() == 0 || queue.size() >= LONGEST_QUEUE) {
      return false;
    }
    queue.add(pending);
    return true;
  }

  private WriteOutcome refused() {
    return closing.getCount() == 0
        ? CLOSING
        : new WriteOutcome.Failed(
            "more than " + LONGEST_QUEUE + " writes wait for the session store");
  }

  private @Nullable String late() {
    String reason = failing;
    if (reason != null) {
      return reason;
    }
    long since = oldest.get();
    return since != 0 && System.nanoTime() - since > KEEPS_UP
        ? "the session store does not keep up"
        : null;
  }

  private WriteOutcome await(Pending pending, Duration deadline) {
    try {
      return pending.answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return giveUp(pending, late(deadline));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return giveUp(
          pending, new WriteOutcome.NotAcknowledged("interrupted before the acknowledgement"));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // nobody completes it so
    }
  }

  private WriteOutcome giveUp(Pending pending, WriteOutcome answer) {
    if (!pending.answer.complete(answer)) {
      return pending.answer.join();
    }
    // The writer may hang for as long as there is no standby: the places are for ends.
    if (pending.write instanceof Write.Open open && queue.remove(pending) && pending.mayBeWritten) {
      queue.add(removal(open));
    }
    return answer;
  }

  // --- the writing thread ----------------------------------------------------------------------

  private void run() {
    long end = Long.MAX_VALUE;
    while (true) {
      try {
        if (closing.getCount() == 0) {
          end = end == Long.MAX_VALUE ? System.nanoTime() + AT_END.toNanos() : end;
          if (queue.isEmpty() || System.nanoTime() > end) {
            break;
          }
        }
        List<Pending> batch = next();
        if (!batch.isEmpty()) {
          write(batch);
        }
        oldest.set(0);
        writer.rest();
      } catch (InterruptedException e) {
        break;
      } catch (RuntimeException | Error e) {
        // A mistake of ours must not end all writing.
        LOG.error("The session store's writer failed", e);
      }
    }
    for (Pending left = queue.poll(); left != null; left = queue.poll()) {
      left.answer.complete(new WriteOutcome.NotAcknowledged("the session store was closed"));
    }
  }

  private List<Pending> next() throws InterruptedException {
    Pending first = queue.poll(REST.toMillis(), TimeUnit.MILLISECONDS);
    if (first == null) {
      return List.of();
    }
    oldest.set(first.since);
    if (behind) {
      long rest = COLLECTING.toNanos() - (System.nanoTime() - first.since);
      if (rest > 0 && urgent.tryAcquire(rest, TimeUnit.NANOSECONDS)) {
        closing.await(COLLECTING_ENDS.toMillis(), TimeUnit.MILLISECONDS);
      }
      // Before the queue is taken: whoever asks from now on is in the next batch.
      urgent.drainPermits();
    }
    List<Pending> batch = new ArrayList<>();
    int rows = 0;
    for (Pending each = first; each != null; each = queue.poll()) {
      Pending wanted = wanted(each);
      if (wanted != null) {
        if (!batch.isEmpty() && rows + wanted.write.rows() > ROWS) {
          queue.addFirst(wanted);
          break;
        }
        batch.add(wanted);
        rows += wanted.write.rows();
      }
    }
    return batch;
  }

  private @Nullable Pending wanted(Pending pending) {
    if (pending.write.expires().isBefore(clock.instant())) {
      finish(pending, new WriteOutcome.Failed("it has expired"));
      return null;
    }
    if (pending.write instanceof Write.Open open && pending.givenUp()) {
      return pending.mayBeWritten ? removal(open) : null;
    }
    return pending;
  }

  private static Pending removal(Write.Open open) {
    return new Pending(new Write.Remove(open.session()), true);
  }

  private void write(List<Pending> batch) throws InterruptedException {
    try {
      writer.write(batch.stream().map(each -> each.write).toList());
      recovered();
      batch.forEach(this::acknowledged);
    } catch (RefusedWrite | RuntimeException | Error e) {
      // Mistakes of ours too: an end that nobody answers would be waited for whenever it is asked
      // for again, and never be written.
      if (batch.size() > 1) {
        // One bad row must not take the others with it.
        for (Pending each : batch) {
          write(List.of(each));
        }
      } else {
        if (e instanceof RefusedWrite) {
          LOG.warn("The session store refused a write: {}", e.getMessage());
        } else {
          LOG.error("The session store's writer failed", e);
        }
        finish(batch.getFirst(), new WriteOutcome.Failed(String.valueOf(e.getMessage())));
      }
    } catch (StoreUnavailable e) {
      unavailable(batch, String.valueOf(e.getMessage()));
    }
  }

  private void acknowledged(Pending pending) {
    boolean first = finish(pending, KEPT);
    if (!first && !pending.detached && pending.write instanceof Write.Open open) {
      queue.add(removal(open));
    }
  }

  private boolean finish(Pending pending, WriteOutcome answer) {
    if (pending.write instanceof Write.End end) {
      synchronized (ending) {
        end.revocations().forEach(ending::remove);
      }
    }
    return pending.answer.complete(answer);
  }

  private void unavailable(List<Pending> batch, String reason) throws InterruptedException {
    if (failing == null) {
      LOG.warn("Writes of sessions wait: {}", reason);
    }
    failing = reason;
    for (Pending each : batch.reversed()) {
      each.mayBeWritten = true;
      queue.addFirst(each);
    }
    closing.await(BEFORE_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void recovered() {
    if (failing != null) {
      LOG.info("Writes of sessions are acknowledged again");
      failing = null;
    }
  }

  /** Writes what waits, for a few seconds at most; returns when the thread has ended. */
  @Override
  public void close() {
    closing.countDown();
    urgent.release();
    try {
      if (!thread.join(AT_END)) {
        writer.abort();
        thread.interrupt();
        thread.join(AT_END);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writer.abort();
  }
}
