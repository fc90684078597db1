package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.testkit.Eventually;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets a buffer while others keep theirs. */
final class BufferPoolTests {
  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration LONG = Duration.ofMinutes(4);

  private static int takeAll(BufferPool pool, String party) {
    int taken = 0;
    try {
      while (true) {
        pool.take(party, 1, AT_ONCE);
        taken++;
      }
    } catch (HttpFailure enough) {
      return taken;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 6, 8, 16, 64})
  void partiesThatKeepAllTheyGetLeaveOneToWhoComesNew(int most) throws HttpFailure {
    BufferPool pool = new BufferPool(16, most, 0);
    assertThat(takeAll(pool, "ada")).isEqualTo(most / 2);
    assertThat(takeAll(pool, "bob")).isBetween(1, most / 2);
    assertThat(pool.available()).isGreaterThanOrEqualTo(most / 4);
    for (int i = 0; i < most / 4; i++) {
      assertThat(takeAll(pool, "party " + i)).isEqualTo(1);
    }
    assertThat(pool.available()).isNotNegative();
  }

  @Test
  void partsOfSeveralBuffersLeaveTheLastQuarter() throws HttpFailure {
    BufferPool pool = new BufferPool(16, 8, 8);
    List<ByteBuffer> four = pool.take("ada", 4, AT_ONCE);
    assertThatThrownBy(() -> pool.take("bob", 4, AT_ONCE)).isInstanceOf(HttpFailure.class);
    assertThatThrownBy(() -> pool.take("bob", 5, LONG)).hasMessageContaining("too few buffers");
    pool.take("cyd", 1, AT_ONCE);
    pool.give("ada", four);
    assertThat(pool.take("bob", 4, AT_ONCE)).hasSize(4);
  }

  @Test
  void whoNeedsSeveralIsNotPassedForEverByThoseWhoNeedOne() throws Exception {
    BufferPool pool = new BufferPool(16, 8, 8);
    Deque<String> having = new ArrayDeque<>();
    Deque<List<ByteBuffer>> had = new ArrayDeque<>();
    for (int i = 0; i < 3; i++) {
      having.add("before " + i);
      had.add(pool.take("before " + i, 1, AT_ONCE));
    }
    FutureTask<List<ByteBuffer>> four = new FutureTask<>(() -> pool.take("ada", 4, LONG));
    waiting(four::run);
    for (int i = 0; i < 6; i++) {
      having.add("after " + i);
      had.add(pool.take("after " + i, 1, LONG));
      pool.give(having.remove(), had.remove());
    }
    assertThat(four.get(30, TimeUnit.SECONDS)).hasSize(4);
  }

  @Test
  void whoWaitsIsServedByWhatItsOwnTransferGivesBack() throws Exception {
    BufferPool pool = new BufferPool(16, 4, 4);
    takeAll(pool, "ada");
    List<ByteBuffer> one = pool.take("bob", 1, AT_ONCE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<ByteBuffer>> waiting = threads.submit(() -> pool.take("bob", 1, LONG));
      assertThat(pool.take("cyd", 1, LONG)).as("is not held up by bob").hasSize(1);
      pool.give("bob", one);
      assertThat(waiting.get()).hasSize(1);
    }
  }

  @Test
  void manyWhoTakeTurnsAllComeToTheirEnd() throws Exception {
    BufferPool pool = new BufferPool(16, 8, 8);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> transfers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        String party = i % 3 == 0 ? "one" : "party " + i;
        int count = i % 10 == 0 ? 4 : 1;
        transfers.add(
            () -> {
              for (int turn = 0; turn < 50; turn++) {
                List<ByteBuffer> some = pool.take(party, count, LONG);
                Thread.yield();
                pool.give(party, some);
              }
              return 1;
            });
      }
      for (Future<Integer> each : threads.invokeAll(transfers)) {
        assertThat(each.get()).isEqualTo(1);
      }
    }
    assertThat(pool.available()).isEqualTo(8);
  }

  @Test
  void whoGivesUpWaitingHoldsUpNobodyAnyMore() throws Exception {
    BufferPool pool = new BufferPool(16, 2, 2);
    pool.take(1, AT_ONCE);
    Thread both = waiting(() -> pool.take(2, LONG));
    FutureTask<List<ByteBuffer>> behind = new FutureTask<>(() -> pool.take(1, LONG));
    waiting(behind::run);
    both.interrupt();
    assertThat(behind.get()).as("the one that is free").hasSize(1);
  }

  /** Something that is done by a thread of its own, once it waits there. */
  private static Thread waiting(Work work) {
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    work.run();
                  } catch (HttpFailure given) {
                    // up
                  }
                });
    Eventually.holds("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }

  private interface Work {
    void run() throws HttpFailure;
  }

  @Test
  void whoNamesNoPartyTakesAllAndWaitsInTurn() throws Exception {
    BufferPool pool = new BufferPool(16, 2, 2);
    List<ByteBuffer> both = pool.take(2, AT_ONCE);
    assertThatThrownBy(() -> pool.take(1, AT_ONCE)).isInstanceOf(HttpFailure.class);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<ByteBuffer>> waiting = threads.submit(() -> pool.take(2, LONG));
      pool.give(both);
      assertThat(waiting.get()).hasSize(2);
    }
  }

  /** One of Conscrypt keeps descriptors and memory that no collection of garbage sees in time. */
  @Test
  void engineOfASocketThatGetsNoBuffersIsReleased() throws Exception {
    BufferPool pool = new BufferPool(16, 2, 0);
    SSLEngine engine = SSLContext.getDefault().createSSLEngine("localhost", 1);
    engine.setUseClientMode(true);

    assertThatThrownBy(() -> HttpSocket.open("it", engine, pool, AT_ONCE))
        .isInstanceOf(HttpFailure.class);

    assertThat(engine.isOutboundDone()).isTrue();
    assertThat(pool.available()).isEqualTo(2);
  }
}
