package dev.staithe.authn.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.staithe.service.process.ThreadPriority;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(300)
class HashPoolTests {
  /** So that a failed assertion is not waited for by those who are held. */
  private interface Releasing extends AutoCloseable {
    @Override
    void close();
  }

  /** Of sched(7). */
  private static final String SCHED_IDLE = "5";

  private static final Duration LONG = Duration.ofSeconds(30);

  private final CountDownLatch held = new CountDownLatch(1);

  private String hold() {
    try {
      held.await();
      return "held";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void workIsDoneByThreadsOfThePool() {
    try (HashPool pool = new HashPool(1, 1)) {
      assertThat(pool.run(() -> Thread.currentThread().getName(), LONG))
          .isEqualTo(new HashAnswer.Done<>("hash-0"));
      assertThat(pool.completed()).isEqualTo(1);
      assertThat(pool.seconds()).isPositive();
    }
  }

  @Test
  void whenTheQueueIsFullThenWorkIsRefusedUndone() {
    try (HashPool pool = new HashPool(2, 3);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      List<Future<HashAnswer<String>>> waiting = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        waiting.add(threads.submit(() -> pool.run(this::hold, LONG)));
      }
      Eventually.holds("two run", () -> pool.running() == 2);
      for (int i = 0; i < 3; i++) {
        waiting.add(threads.submit(() -> pool.run(this::hold, LONG)));
      }
      Eventually.holds("three wait", () -> pool.queued() == 3);
      assertThat(pool.isLoaded()).isTrue();

      AtomicInteger done = new AtomicInteger();
      for (int i = 0; i < 100; i++) {
        assertThat(pool.run(done::incrementAndGet, LONG))
            .isInstanceOfSatisfying(
                HashAnswer.Busy.class,
                busy -> assertThat(busy.retryAfter()).isBetween(Duration.ofSeconds(1), LONG));
      }
      assertThat(done).hasValue(0);
      assertThat(pool.refused()).isEqualTo(100);

      held.countDown();
      assertThat(waiting)
          .allSatisfy(each -> assertThat(each.get()).isEqualTo(new HashAnswer.Done<>("held")));
      assertThat(pool.completed()).isEqualTo(5);
      assertThat(pool.queued()).isZero();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void loweredThreadsAreOfTheIdleClassAndNoOtherThreadIs() throws Exception {
    try (HashPool pool = new HashPool(2, 1, () -> {})) {
      assertThat(pool.priority()).isEqualTo(ThreadPriority.IDLE);
      assertThat(pool.run(HashPoolTests::policyOfThisThread, LONG))
          .isEqualTo(new HashAnswer.Done<>(SCHED_IDLE));
      assertThat(policyOfThisThread()).isNotEqualTo(SCHED_IDLE);
    }
    try (HashPool pool = new HashPool(1, 1)) {
      assertThat(pool.priority()).isEqualTo(ThreadPriority.USUAL);
      assertThat(pool.run(HashPoolTests::policyOfThisThread, LONG))
          .isNotEqualTo(new HashAnswer.Done<>(SCHED_IDLE));
    }
  }

  /** The 41st field of /proc/thread-self/stat, see proc(5). */
  private static String policyOfThisThread() {
    try {
      String stat = Files.readString(Path.of("/proc/thread-self/stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[38];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has the lowered thread stand; on a busy machine the other may come to a job before it does. */
  private Future<HashAnswer<String>> standing(HashPool pool, ExecutorService threads)
      throws InterruptedException {
    while (true) {
      BlockingQueue<String> begun = new ArrayBlockingQueue<>(1);
      Future<HashAnswer<String>> answer =
          threads.submit(
              () ->
                  pool.run(
                      () -> {
                        String thread = Thread.currentThread().getName();
                        begun.add(thread);
                        return thread.equals("hash-0") ? hold() : thread;
                      },
                      LONG));
      if (begun.take().equals("hash-0")) {
        return answer;
      }
    }
  }

  @Test
  void whenLoweredThreadsStandStillThenLoginsGoOnOneByOne() throws Exception {
    try (HashPool pool = new HashPool(1, 4, () -> {});
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      assumeThat(pool.priority().isLowered()).isTrue();
      Future<HashAnswer<String>> starved = standing(pool, threads);
      long before = pool.relieved();
      for (int i = 0; i < 2; i++) {
        assertThat(pool.run(() -> Thread.currentThread().getName(), LONG))
            .isEqualTo(new HashAnswer.Done<>("hash-relief"));
        Trials.held();
      }
      assertThat(pool.relieved()).isEqualTo(before + 2);
      assertThat(starved.isDone()).isFalse();
      held.countDown();
      starved.get();
    }
  }

  /** One that has begun a login waits for its processor for seconds, and so would the next. */
  @Test
  void threadsThatStoodTakeNoLoginBeforeTheyGetOn() throws Exception {
    AtomicBoolean getOn = new AtomicBoolean();
    Runnable trial =
        () -> {
          if (!getOn.get()) {
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
          }
        };
    try (HashPool pool = new HashPool(1, 4, trial);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      assumeThat(pool.priority().isLowered()).isTrue();
      Future<HashAnswer<String>> stood = standing(pool, threads);
      assertThat(pool.run(() -> Thread.currentThread().getName(), LONG))
          .isEqualTo(new HashAnswer.Done<>("hash-relief"));
      held.countDown();
      stood.get();
      for (int i = 0; i < 5; i++) {
        assertThat(pool.run(() -> Thread.currentThread().getName(), LONG))
            .isEqualTo(new HashAnswer.Done<>("hash-relief"));
        Trials.held();
      }

      getOn.set(true);
      Eventually.holds(
          "the lowered thread serves again",
          () ->
              pool.run(() -> Thread.currentThread().getName(), LONG)
                  .equals(new HashAnswer.Done<>("hash-0")));
    }
  }

  @Test
  void threadsThatAreNotLoweredHaveNoRelief() throws Exception {
    try (HashPool pool = new HashPool(1, 1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      threads.submit(() -> pool.run(this::hold, LONG));
      Eventually.holds("one runs", () -> pool.running() == 1);
      assertThat(pool.run(() -> "never", Duration.ofMillis(1500)))
          .isInstanceOf(HashAnswer.TooLate.class);
      assertThat(pool.relieved()).isZero();
    }
  }

  @Test
  void whoWaitedPastTheDeadlineIsDroppedUndoneAndLeavesThePlace() throws Exception {
    try (HashPool pool = new HashPool(1, 1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      Future<HashAnswer<String>> running = threads.submit(() -> pool.run(this::hold, LONG));
      Eventually.holds("one runs", () -> pool.running() == 1);
      AtomicInteger done = new AtomicInteger();
      for (int i = 0; i < 3; i++) {
        assertThat(pool.run(done::incrementAndGet, Duration.ofMillis(5)))
            .isInstanceOf(HashAnswer.TooLate.class);
        Trials.held();
      }
      assertThat(pool.queued()).isZero();
      assertThat(pool.dropped()).isEqualTo(3);
      held.countDown();
      running.get();
      assertThat(pool.run(() -> "next", LONG)).isEqualTo(new HashAnswer.Done<>("next"));
      assertThat(done).hasValue(0);
    }
  }

  @Test
  void workThatHasBegunIsWaitedForPastTheDeadline() throws Exception {
    try (HashPool pool = new HashPool(1, 1);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      Duration deadline = Duration.ofMillis(100);
      var running = new AtomicReference<Future<HashAnswer<String>>>();
      Eventually.holds(
          "it runs",
          () -> {
            // A busy machine may be too late for it to begin: then once more.
            if (running.get() == null || running.get().isDone()) {
              running.set(threads.submit(() -> pool.run(this::hold, deadline)));
            }
            return pool.running() == 1;
          });
      Eventually.holds("the deadline is over", new Deadline(deadline.multipliedBy(2))::isOver);
      assertThat(running.get().isDone()).isFalse();
      held.countDown();
      assertThat(running.get().get()).isEqualTo(new HashAnswer.Done<>("held"));
    }
  }

  private record Deadline(long end) {
    Deadline(Duration in) {
      this(System.nanoTime() + in.toNanos());
    }

    boolean isOver() {
      return System.nanoTime() > end;
    }
  }

  @Test
  void aFailureIsTheCallersAndTheThreadGoesOn() {
    try (HashPool pool = new HashPool(1, 1)) {
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  pool.run(
                      () -> {
                        throw new OutOfMemoryError("as native code tells");
                      },
                      LONG))
          .withCauseInstanceOf(OutOfMemoryError.class);
      assertThat(pool.run(() -> "next", LONG)).isEqualTo(new HashAnswer.Done<>("next"));
    }
  }

  @Test
  void aClosedPoolLetsNobodyWait() throws Exception {
    HashPool pool = new HashPool(1, 2);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      Future<?> running = threads.submit(() -> pool.run(this::hold, LONG));
      Eventually.holds("one runs", () -> pool.running() == 1);
      Future<HashAnswer<String>> waiting = threads.submit(() -> pool.run(() -> "", LONG));
      Eventually.holds("one waits", () -> pool.queued() == 1);
      held.countDown();
      running.get();
      pool.close();
      assertThat(waiting.get()).isNotNull();
      assertThat(pool.run(() -> "", LONG)).isInstanceOf(HashAnswer.Busy.class);
    }
  }

  @Test
  void halfOfTheProcessorsIsTheDefault() {
    assertThat(HashPool.defaultThreads(1)).isEqualTo(1);
    assertThat(HashPool.defaultThreads(2)).isEqualTo(1);
    assertThat(HashPool.defaultThreads(9)).isEqualTo(4);
  }
}
