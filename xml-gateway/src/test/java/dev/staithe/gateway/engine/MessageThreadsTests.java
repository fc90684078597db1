package dev.staithe.gateway.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MessageThreadsTests {
  private static final long ROOM = 1L << 30;

  @Test
  void virtualThreadsGoOnWhileEveryProcessorComputesLongMessages() throws InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    try (MessageThreads apart = new MessageThreads(processors, ROOM)) {
      var others = new AtomicBoolean();
      var done = new CountDownLatch(2 * processors);
      for (int i = 0; i < 2 * processors; i++) {
        Thread.startVirtualThread(
            () -> {
              apart.compute(
                  MessageThreads.LONG,
                  () -> {
                    while (!others.get()) {
                      Thread.onSpinWait();
                    }
                    return done;
                  });
              done.countDown();
            });
        Trials.held();
      }
      Thread.startVirtualThread(() -> others.set(true));

      assertThat(done.await(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void shortMessageIsComputedWhereItIs() {
    try (MessageThreads apart = new MessageThreads(1, ROOM)) {
      assertThat(apart.<Thread>compute(MessageThreads.LONG - 1, Thread::currentThread))
          .isSameAs(Thread.currentThread());
      assertThat(apart.<Thread>compute(MessageThreads.LONG, Thread::currentThread))
          .isNotSameAs(Thread.currentThread())
          .satisfies(thread -> assertThat(thread.isVirtual()).isFalse());
    }
  }

  @Test
  void whatGoesWrongThereGoesWrongHere() {
    try (MessageThreads apart = new MessageThreads(1, ROOM)) {
      assertThatThrownBy(
              () ->
                  apart.compute(
                      MessageThreads.LONG,
                      () -> {
                        throw new IllegalStateException("no");
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no");
    }
  }

  @Test
  void noMoreBytesAreComputedAtOnceThanThereIsRoomForAndALongerMessageAlone() throws Exception {
    try (MessageThreads apart = new MessageThreads(8, 4L * MessageThreads.LONG);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var inside = new AtomicInteger();
      var go = new CountDownLatch(1);
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        all.add(
            threads.submit(
                () -> apart.compute(2 * MessageThreads.LONG, () -> entered(inside, go))));
        int sent = i + 1;
        Eventually.holds("it is there", () -> inside.get() + apart.waiting() == sent);
      }
      all.add(
          threads.submit(() -> apart.compute(9 * MessageThreads.LONG, () -> entered(inside, go))));
      Eventually.holds("it is there", () -> inside.get() + apart.waiting() == 4);

      assertThat(inside.get()).isEqualTo(2);
      go.countDown();
      for (Future<Integer> each : all) {
        assertThat(each.get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS)).isPositive();
      }
    }
  }

  private static int entered(AtomicInteger inside, CountDownLatch go) {
    int many = inside.incrementAndGet();
    try {
      go.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return many;
  }
}
