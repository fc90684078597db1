package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ApartTests {
  @Test
  void virtualThreadsGoOnWhileEveryProcessorComputesLongMessages() throws InterruptedException {
    int processors = Runtime.getRuntime().availableProcessors();
    try (Apart apart = new Apart(processors)) {
      var others = new AtomicBoolean();
      var done = new CountDownLatch(2 * processors);
      for (int i = 0; i < 2 * processors; i++) {
        Thread.startVirtualThread(
            () -> {
              apart.compute(
                  Apart.LONG,
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
    try (Apart apart = new Apart(1)) {
      assertThat(apart.<Thread>compute(Apart.LONG - 1, Thread::currentThread))
          .isSameAs(Thread.currentThread());
      assertThat(apart.<Thread>compute(Apart.LONG, Thread::currentThread))
          .isNotSameAs(Thread.currentThread())
          .satisfies(thread -> assertThat(thread.isVirtual()).isFalse());
    }
  }

  @Test
  void whatGoesWrongThereGoesWrongHere() {
    try (Apart apart = new Apart(1)) {
      assertThatThrownBy(
              () ->
                  apart.compute(
                      Apart.LONG,
                      () -> {
                        throw new IllegalStateException("no");
                      }))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no");
    }
  }
}
