package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.MutableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupCommitTests {
  private final MutableClock clock = MutableClock.at(Some.now());
  private final Paper paper = new Paper();
  private final List<List<Revocation>> late = new CopyOnWriteArrayList<>();
  private GroupCommit commits = new GroupCommit("writer", paper, false, clock, late::add);

  /** A store that is a list: it can be held up, be away, and refuse. */
  private static final class Paper implements BatchWriter {
    private final List<List<Write>> batches = new CopyOnWriteArrayList<>();
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicBoolean broken = new AtomicBoolean();
    private volatile CountDownLatch held = new CountDownLatch(0);
    private final CountDownLatch entered = new CountDownLatch(1);

    @Override
    public void write(List<Write> batch) throws RefusedWrite, StoreUnavailable {
      entered.countDown();
      try {
        held.await();
      } catch (InterruptedException e) {
        throw new StoreUnavailable("interrupted", e);
      }
      if (batch.stream().anyMatch(it -> it instanceof Write.Open o && subject(o).equals("bad"))) {
        throw new RefusedWrite("such a name cannot be written", new IllegalStateException());
      }
      if (broken.get()) {
        throw new NoClassDefFoundError("thrown on purpose");
      }
      if (away.get()) {
        throw new StoreUnavailable("away");
      }
      batches.add(batch);
    }

    private static String subject(Write.Open open) {
      return open.session().subject();
    }

    private List<Write> written() {
      List<Write> all = new ArrayList<>();
      batches.forEach(all::addAll);
      return all;
    }

    @Override
    public void rest() {}

    @Override
    public void abort() {
      held.countDown();
    }
  }

  @AfterEach
  void close() {
    commits.close();
  }

  private CompletableFuture<WriteOutcome> opening(Session session) {
    return CompletableFuture.supplyAsync(
        () -> commits.open(session, Some.LONG), Thread::startVirtualThread);
  }

  @Test
  void whatWaitsWhileABatchIsWrittenSharesTheNext() throws InterruptedException {
    paper.held = new CountDownLatch(1);
    List<CompletableFuture<WriteOutcome>> answers = new ArrayList<>();
    answers.add(opening(Some.session("first")));
    paper.entered.await();
    for (int i = 0; i < 100; i++) {
      answers.add(opening(Some.session("crowd")));
    }
    Eventually.holds("all wait", () -> commits.waiting() == 100);

    paper.held.countDown();

    answers.forEach(each -> assertThat(each.join()).isEqualTo(new WriteOutcome.Stored()));
    assertThat(paper.batches).hasSize(2);
  }

  @Test
  void oneBadRowDoesNotTakeTheOthersWithIt() throws InterruptedException {
    paper.held = new CountDownLatch(1);
    CompletableFuture<WriteOutcome> first = opening(Some.session("first"));
    paper.entered.await();
    CompletableFuture<WriteOutcome> bad = opening(Some.session("bad"));
    CompletableFuture<WriteOutcome> good = opening(Some.session("good"));
    Eventually.holds("both wait", () -> commits.waiting() == 2);

    paper.held.countDown();

    assertThat(bad.join()).isEqualTo(new WriteOutcome.Failed("such a name cannot be written"));
    assertThat(good.join()).isEqualTo(new WriteOutcome.Stored());
    assertThat(first.join()).isEqualTo(new WriteOutcome.Stored());
  }

  @Test
  void loginThatWasGivenUpIsRemovedWhenItSucceedsLate() {
    paper.held = new CountDownLatch(1);
    Session session = Some.session("anna");

    assertThat(commits.open(session, Some.SHORT)).isInstanceOf(WriteOutcome.NotAcknowledged.class);
    paper.held.countDown();

    Eventually.holds("it is removed", () -> paper.written().size() == 2);
    assertThat(paper.written()).containsExactly(new Write.Open(session), new Write.Remove(session));
  }

  @Test
  void loginThatWasGivenUpWhileTheStoreWasAwayIsRemovedWhenItIsBack() {
    paper.away.set(true);
    Session session = Some.session("anna");

    assertThat(commits.open(session, Some.SHORT)).isInstanceOf(WriteOutcome.NotAcknowledged.class);
    paper.away.set(false);

    Eventually.holds("it is removed", () -> paper.written().contains(new Write.Remove(session)));
  }

  @Test
  void loginThatWasGivenUpBeforeItsTurnIsNeverWritten() throws InterruptedException {
    paper.held = new CountDownLatch(1);
    CompletableFuture<WriteOutcome> first = opening(Some.session("first"));
    paper.entered.await();
    assertThat(commits.open(Some.session("anna"), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);
    assertThat(commits.waiting()).as("it takes no place from an end").isZero();
    paper.held.countDown();
    first.join();

    Session last = Some.session("last");
    commits.open(last, Some.LONG);

    assertThat(paper.written()).hasSize(2).last().isEqualTo(new Write.Open(last));
  }

  @Test
  void logoutIsTriedUntilItIsAcknowledged() {
    paper.away.set(true);
    List<Revocation> ends = List.of(Some.endOf(Some.session("anna")));

    assertThat(commits.end(ends, Some.SHORT))
        .isEqualTo(new WriteOutcome.NotAcknowledged("not acknowledged within 400 ms: away"));
    assertThat(late).containsExactly(ends);
    paper.away.set(false);

    Eventually.holds("it is written", () -> paper.written().contains(new Write.End(ends)));
  }

  /** As for want of descriptors, when a class is to be loaded. */
  @Test
  void logoutWhoseWritingBrokeIsWrittenWhenItIsAskedForAgain() {
    paper.broken.set(true);
    List<Revocation> ends = List.of(Some.endOf(Some.session("anna")));

    assertThat(commits.end(ends, Some.LONG)).isInstanceOf(WriteOutcome.Failed.class);
    paper.broken.set(false);

    assertThat(commits.end(ends, Some.LONG)).isEqualTo(new WriteOutcome.Stored());
    assertThat(paper.written()).containsExactly(new Write.End(ends));
  }

  @Test
  void logoutThatIsAskedForAgainWaitsOnlyOnce() {
    paper.away.set(true);
    Revocation one = Some.endOf(Some.session("anna"));
    Revocation two = Some.endOf(Some.session("bert"));
    commits.end(List.of(one), Some.SHORT);

    assertThat(commits.end(List.of(one, two), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);
    assertThat(late).containsExactly(List.of(one), List.of(two));
    CompletableFuture<WriteOutcome> again =
        CompletableFuture.supplyAsync(
            () -> commits.end(List.of(two, one), Some.LONG), Thread::startVirtualThread);
    paper.away.set(false);

    assertThat(again.join()).isEqualTo(new WriteOutcome.Stored());
    Eventually.holds("nothing waits", () -> commits.waiting() == 0);
    assertThat(paper.written())
        .startsWith(new Write.End(List.of(one)), new Write.End(List.of(two)));
    assertThat(commits.end(List.of(one), Some.LONG)).isEqualTo(new WriteOutcome.Stored());
  }

  @Test
  void epochThatIsAskedForAgainBeginsOnce() throws InterruptedException {
    paper.held = new CountDownLatch(1);
    CompletableFuture<WriteOutcome> first = opening(Some.session("first"));
    paper.entered.await();
    Write.Begin epoch = new Write.Begin(7);
    assertThat(commits.begin(epoch, Some.SHORT)).isInstanceOf(WriteOutcome.NotAcknowledged.class);
    assertThat(commits.begin(new Write.Begin(8), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);
    assertThat(commits.waiting()).isOne();

    paper.held.countDown();
    first.join();
    Session last = Some.session("last");
    commits.open(last, Some.LONG);

    assertThat(paper.written()).endsWith(epoch, new Write.Open(last));
    assertThat(commits.begin(new Write.Begin(9), Some.LONG)).isEqualTo(new WriteOutcome.Stored());
    assertThat(paper.written()).endsWith(new Write.Begin(9));
  }

  @Test
  void logoutIsForgottenWhenTheSessionHasExpired() {
    paper.away.set(true);
    Session session = Some.session("anna");
    commits.end(List.of(Some.endOf(session)), Some.SHORT);
    clock.set(session.expires().plusSeconds(1));

    Eventually.holds("nothing waits", () -> commits.waiting() == 0);
    paper.away.set(false);
    Session next = Some.session("next", clock.instant());
    commits.open(next, Some.LONG);

    assertThat(paper.written()).containsExactly(new Write.Open(next));
  }

  @Test
  void writeBehindRefusesLoginsWhileTheStoreIsAwayButKeepsLogouts() {
    commits.close();
    commits = new GroupCommit("writer", paper, true, clock, late::add);
    paper.away.set(true);
    assertThat(commits.open(Some.session("answered"), Some.LONG))
        .isEqualTo(new WriteOutcome.Stored());
    Eventually.holds("it is known to be away", () -> commits.failing() != null);

    assertThat(commits.open(Some.session("anna"), Some.LONG))
        .isEqualTo(new WriteOutcome.Failed("away"));
    List<Revocation> ends = List.of(Some.endOf(Some.session("anna")));
    assertThat(commits.end(ends, Some.LONG)).isEqualTo(new WriteOutcome.NotAcknowledged("away"));
    paper.away.set(false);

    Eventually.holds("the logout is written", () -> paper.written().contains(new Write.End(ends)));
    assertThat(paper.written()).hasSize(2);
  }

  @Test
  void logoutIsAnsweredWhenItIsWrittenAlsoWithWriteBehind() {
    commits.close();
    commits = new GroupCommit("writer", paper, true, clock, late::add);
    List<Revocation> ends = List.of(Some.endOf(Some.session("anna")));

    assertThat(commits.end(ends, Some.LONG)).isEqualTo(new WriteOutcome.Stored());
    assertThat(paper.written()).containsExactly(new Write.End(ends));

    List<Revocation> others = List.of(Some.endOf(Some.session("bob")));
    paper.away.set(true);
    assertThat(commits.end(others, Some.SHORT)).isInstanceOf(WriteOutcome.NotAcknowledged.class);
    paper.away.set(false);
    Eventually.holds("it is written", () -> paper.written().contains(new Write.End(others)));
  }

  @Test
  void whatWaitsIsWrittenBeforeTheEnd() {
    commits.close();
    commits = new GroupCommit("writer", paper, true, clock, late::add);
    Session session = Some.session("anna");
    commits.open(session, Duration.ZERO);

    commits.close();

    assertThat(paper.written()).containsExactly(new Write.Open(session));
    assertThat(commits.open(session, Some.LONG))
        .isEqualTo(new WriteOutcome.Failed("the session store is closing"));
  }
}
