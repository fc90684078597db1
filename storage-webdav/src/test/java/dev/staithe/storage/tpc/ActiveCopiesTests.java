package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopyResult;
import dev.staithe.testkit.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ActiveCopiesTests {
  private final BlockingQueue<Held> started = new LinkedBlockingQueue<>();

  /** A copy that runs until it is let go. */
  private final class Held {
    private final CountDownLatch go = new CountDownLatch(1);
    private final String name;
    private final ActiveCopies.Job job;

    Held(String group, String host, String name) {
      this(group, group, host, name);
    }

    Held(String group, String caller, String host, String name) {
      this.name = name;
      CopyProgress progress = new CopyProgress();
      this.job =
          new ActiveCopies.Job(
              group,
              caller,
              host,
              progress,
              this::run,
              why -> progress.finish(new CopyResult.Aborted(why)));
    }

    private void run() {
      started.add(this);
      try {
        while (job.progress().cancelled() == null && !go.await(5, TimeUnit.MILLISECONDS)) {
          // It moves nothing.
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static ActiveCopies copies(int running, int perHost, int queued, int perGroup) {
    return new ActiveCopies(
        SettingsDraft.like(Element.settings()).limits(running, perHost, queued, perGroup).done());
  }

  private Held next() throws InterruptedException {
    Held held = started.poll(180, TimeUnit.SECONDS);
    assertThat(held).as("a copy started").isNotNull();
    return held;
  }

  @Test
  void groupsTakeTurnsHoweverManyCopiesOneHas() throws Exception {
    ActiveCopies active = copies(1, 1, 100, 100);
    active.submit(new Held("atlas", "h", "a0").job);
    for (int i = 1; i <= 4; i++) {
      active.submit(new Held("atlas", "h", "a" + i).job);
    }
    active.submit(new Held("cms", "h", "c1").job);
    active.submit(new Held("cms", "h", "c2").job);
    active.submit(new Held("lhcb", "h", "l1").job);
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Held held = next();
      order.add(held.name);
      held.go.countDown();
    }
    assertThat(order).containsExactly("a0", "a1", "c1", "l1", "a2", "c2", "a3", "a4");
  }

  @Test
  void busyHostDoesNotHoldUpOthers() throws Exception {
    ActiveCopies active = copies(3, 1, 100, 100);
    active.submit(new Held("g", "slow", "s1").job);
    assertThat(active.submit(new Held("g", "slow", "s2").job))
        .isInstanceOf(ActiveCopies.Entry.Waiting.class);
    assertThat(active.submit(new Held("g", "fast", "f1").job))
        .isInstanceOf(ActiveCopies.Entry.Started.class);
    assertThat(List.of(next().name, next().name)).containsExactlyInAnyOrder("s1", "f1");
    assertThat(active.running()).isEqualTo(2);
    assertThat(active.queued()).isEqualTo(1);
  }

  @Test
  void fullQueueIs503AndFullShareOfAGroupIs429() {
    ActiveCopies active = copies(1, 1, 3, 2);
    active.submit(new Held("a", "h", "1").job);
    active.submit(new Held("a", "h", "2").job);
    active.submit(new Held("a", "h", "3").job);
    assertThat(active.submit(new Held("a", "h", "4").job))
        .isInstanceOfSatisfying(
            ActiveCopies.Entry.Refused.class, r -> assertThat(r.status()).isEqualTo(429));
    assertThat(active.submit(new Held("b", "h", "5").job))
        .isInstanceOf(ActiveCopies.Entry.Waiting.class);
    assertThat(active.submit(new Held("c", "h", "6").job))
        .isInstanceOfSatisfying(
            ActiveCopies.Entry.Refused.class, r -> assertThat(r.status()).isEqualTo(503));
  }

  @Test
  void queueThatIsFullForABusyHostTurnsAwayNoCopyThatCanRun() throws Exception {
    ActiveCopies active = copies(4, 1, 2, 1);
    active.submit(new Held("a", "slow", "a1").job);
    active.submit(new Held("a", "slow", "a2").job);
    assertThat(active.submit(new Held("a", "fast", "a3").job))
        .as("as many of the group wait as may")
        .isInstanceOf(ActiveCopies.Entry.Started.class);
    active.submit(new Held("b", "slow", "b1").job);
    assertThat(active.submit(new Held("c", "else", "c1").job))
        .as("as many wait as may")
        .isInstanceOf(ActiveCopies.Entry.Started.class);
    assertThat(List.of(next().name, next().name, next().name)).contains("a3", "c1");
    assertThat(active.queued()).isEqualTo(2);
  }

  @Test
  void cancelledWhileWaitingNeverStarts() throws Exception {
    ActiveCopies active = copies(1, 1, 10, 10);
    Held first = new Held("a", "h", "first");
    Held waiting = new Held("a", "h", "waiting");
    Held last = new Held("a", "h", "last");
    active.submit(first.job);
    active.submit(waiting.job);
    active.submit(last.job);
    active.cancel(waiting.job, "the client went away");
    assertThat(waiting.job.progress().result())
        .isEqualTo(new CopyResult.Aborted("the client went away"));
    next().go.countDown();
    assertThat(next()).isSameAs(last);
    assertThat(active.queued()).isZero();
  }

  @Test
  void shutdownCancelsAllAndRefusesNew() throws Exception {
    ActiveCopies active = copies(1, 1, 10, 10);
    Held running = new Held("a", "h", "running");
    Held waiting = new Held("a", "h", "waiting");
    active.submit(running.job);
    active.submit(waiting.job);
    next();
    active.abortAll("server shutting down");
    assertThat(running.job.progress().cancelled()).isEqualTo("server shutting down");
    assertThat(waiting.job.progress().result()).isInstanceOf(CopyResult.Aborted.class);
    assertThat(active.submit(new Held("a", "h", "late").job))
        .isEqualTo(new ActiveCopies.Entry.Refused(503, "server shutting down"));
    running.go.countDown();
  }

  @Test
  void placeIsFreeAgainAfterWorkThatThrows() throws Exception {
    ActiveCopies active = copies(1, 1, 10, 10);
    CountDownLatch thrown = new CountDownLatch(1);
    active.submit(
        new ActiveCopies.Job(
            "a",
            "one of a",
            "h",
            new CopyProgress(),
            () -> {
              thrown.countDown();
              throw new IllegalStateException("thrown on purpose");
            },
            why -> {}));
    thrown.await();
    Held after = new Held("a", "h", "after");
    active.submit(after.job);
    assertThat(next()).isSameAs(after);
  }

  private void fill(ActiveCopies active, String group, String host, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      active.submit(new Held(group, host, group + i).job);
      next();
    }
  }

  @Test
  void groupThatHoldsEveryPlaceGivesOneToAnotherAtOnce() throws Exception {
    ActiveCopies active = copies(4, 4, 100, 100);
    fill(active, "a", "h", 4);

    assertThat(active.submit(new Held("b", "else", "b0").job))
        .isInstanceOf(ActiveCopies.Entry.Waiting.class);

    assertThat(next().name).isEqualTo("b0");
    assertThat(active.running()).isEqualTo(4);
  }

  @Test
  void groupThatHoldsEveryPlaceWithAHostGivesOneToAnotherAtOnce() throws Exception {
    ActiveCopies active = copies(10, 2, 100, 100);
    fill(active, "a", "h", 2);
    fill(active, "a", "else", 2);

    Held other = new Held("b", "h", "b0");
    active.submit(other.job);

    assertThat(next()).isSameAs(other);
    assertThat(active.running()).isEqualTo(4);
  }

  /** The place of one that ends elsewhere would be another's. */
  @Test
  void copyWithAnotherHostIsNotEndedForOneWhoseHostIsBusy() throws Exception {
    ActiveCopies active = copies(4, 2, 100, 100);
    List<Held> elsewhere = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Held held = new Held("a", "else", "e" + i);
      elsewhere.add(held);
      active.submit(held.job);
      next();
      Held fast = new Held("a", "h", "h" + i);
      active.submit(fast.job);
      next();
      fast.job.progress().moved(1L << 30);
    }

    active.submit(new Held("b", "h", "b0").job);

    assertThat(elsewhere).allMatch(held -> held.job.progress().cancelled() == null);
    assertThat(next().name).isEqualTo("b0");
    assertThat(active.running()).isEqualTo(4);
  }

  @Test
  void slowCopiesGiveWayUntilEachGroupHasItsShare() throws Exception {
    AtomicLong now = new AtomicLong();
    ActiveCopies active =
        new ActiveCopies(
            SettingsDraft.like(Element.settings()).limits(6, 6, 100, 100).done(), now::get);
    fill(active, "a", "h", 6);
    now.addAndGet(Duration.ofMinutes(1).toNanos());

    List<Held> others = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Held other = new Held("b", "else", "b" + i);
      others.add(other);
      active.submit(other.job);
      Trials.held();
    }

    assertThat(List.of(next(), next(), next())).isSubsetOf(others);
    assertThat(active.queued()).isEqualTo(2);
    assertThat(active.running()).isEqualTo(6);
    assertThat(started).isEmpty();
  }

  @Test
  void copyThatGetsOnIsNotEndedForASecondOne() throws Exception {
    AtomicLong now = new AtomicLong();
    ActiveCopies active =
        new ActiveCopies(
            SettingsDraft.like(Element.settings()).limits(4, 4, 100, 100).done(), now::get);
    List<Held> first = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Held held = new Held("a", "h", "a" + i);
      first.add(held);
      active.submit(held.job);
      next();
      held.job.progress().moved((4L + i) << 30);
    }
    now.addAndGet(Duration.ofMinutes(1).toNanos());

    active.submit(new Held("b", "else", "b0").job);
    active.submit(new Held("b", "else", "b1").job);

    assertThat(next().name).isEqualTo("b0");
    assertThat(first.getFirst().job.progress().cancelled()).contains("more than its share");
    assertThat(first.subList(1, 4)).allMatch(held -> held.job.progress().cancelled() == null);
    assertThat(active.queued()).isEqualTo(1);
    first.getLast().go.countDown();
    assertThat(next().name).isEqualTo("b1");
  }

  @Test
  void callersOfAGroupTakeTurnsHoweverManyCopiesOneHas() throws Exception {
    ActiveCopies active = copies(1, 1, 100, 100);
    active.submit(new Held("atlas", "greedy", "h", "g0").job);
    for (int i = 1; i <= 3; i++) {
      active.submit(new Held("atlas", "greedy", "h", "g" + i).job);
    }
    active.submit(new Held("atlas", "one", "h", "o1").job);
    active.submit(new Held("cms", "else", "h", "c1").job);
    active.submit(new Held("atlas", "two", "h", "t1").job);
    active.submit(new Held("atlas", "one", "h", "o2").job);
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Held held = next();
      order.add(held.name);
      held.go.countDown();
    }
    assertThat(order).containsExactly("g0", "g1", "c1", "o1", "t1", "g2", "o2", "g3");
  }

  @Test
  void callerWithThePlacesOfAGroupGivesOneToAnotherOfTheGroupAtOnce() throws Exception {
    ActiveCopies active = copies(4, 4, 100, 100);
    List<Held> greedy = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      greedy.add(new Held("a", "greedy", "h", "g" + i));
      active.submit(greedy.getLast().job);
      next();
    }
    active.submit(new Held("a", "greedy", "h", "waits").job);

    active.submit(new Held("a", "other", "else", "o0").job);

    assertThat(next().name).isEqualTo("o0");
    assertThat(greedy)
        .extracting(held -> held.job.progress().cancelled())
        .filteredOn(Objects::nonNull)
        .singleElement()
        .asString()
        .startsWith("others of your group wait");
    assertThat(active.running()).isEqualTo(4);
  }

  @Test
  void slowCopiesOfACallerGiveWayUntilEachOfTheGroupHasItsShare() throws Exception {
    AtomicLong now = new AtomicLong();
    ActiveCopies active =
        new ActiveCopies(
            SettingsDraft.like(Element.settings()).limits(8, 8, 100, 100).done(), now::get);
    fill(active, "b", "h", 4);
    for (int i = 0; i < 4; i++) {
      active.submit(new Held("a", "greedy", "h", "g" + i).job);
      next();
    }
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    List<Held> others = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      others.add(new Held("a", "other", "else", "o" + i));
      active.submit(others.getLast().job);
      Trials.held();
    }

    assertThat(List.of(next(), next())).isSubsetOf(others);
    assertThat(active.queued()).as("those beyond its share of the four").isEqualTo(2);
    assertThat(active.running()).isEqualTo(8);
    assertThat(started).isEmpty();
  }

  @Test
  void callerThatFillsTheQueueOfItsGroupMakesRoomForAnother() throws Exception {
    ActiveCopies active = copies(1, 1, 4, 4);
    fill(active, "a", "h", 1);
    List<Held> greedy = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      greedy.add(new Held("a", "greedy", "h", "g" + i));
      active.submit(greedy.getLast().job);
    }
    assertThat(active.submit(new Held("a", "greedy", "h", "one more").job))
        .isInstanceOf(ActiveCopies.Entry.Refused.class);
    for (int i = 0; i < 2; i++) {
      assertThat(active.submit(new Held("a", "other", "h", "o" + i).job))
          .isInstanceOf(ActiveCopies.Entry.Waiting.class);
    }
    assertThat(active.submit(new Held("a", "other", "h", "beyond its half").job))
        .isInstanceOf(ActiveCopies.Entry.Refused.class);
    assertThat(greedy)
        .extracting(held -> held.job.progress().result() instanceof CopyResult.Aborted)
        .containsExactly(false, false, true, true);
    assertThat(active.queued()).isEqualTo(4);
  }
}
