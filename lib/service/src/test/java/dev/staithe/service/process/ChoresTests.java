package dev.staithe.service.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is done now and then: while a store is away, and while the service ends. */
final class ChoresTests {
  private static final Duration SOON = Duration.ofMillis(1);

  @Test
  void choreThatFailsIsDoneAgainWhateverItThrows() {
    List<Chores.Chore> failing =
        List.of(
            () -> {
              throw new IOException("the store is away");
            },
            () -> {
              throw new IllegalStateException("something nobody has thought of");
            },
            () -> {
              throw new OutOfMemoryError("for a moment");
            });
    for (Chores.Chore chore : failing) {
      var times = new AtomicInteger();
      try (var chores = new Chores("test")) {
        chores.every(
            SOON,
            "the test",
            () -> {
              times.incrementAndGet();
              chore.run();
            });
        Eventually.holds("it is done again and again", () -> times.get() > 2);
      }
    }
  }

  @Test
  void choreThatIsUnderWayIsWaitedForAndNotInterrupted() throws Exception {
    var begun = new CountDownLatch(1);
    var finished = new AtomicBoolean();
    var chores = new Chores("test");
    chores.nowAndEvery(
        SOON,
        "the test",
        () -> {
          begun.countDown();
          Thread.sleep(50); // what it takes; nothing is waited for
          finished.set(true);
        });
    begun.await();

    chores.close();

    assertThat(finished).isTrue();
  }

  @Test
  void nothingIsBegunAfterTheEnd() {
    var done = new AtomicBoolean();
    var chores = new Chores("test");
    assertThat(chores.after(Duration.ofMinutes(1), "the test", () -> done.set(true))).isTrue();

    chores.close();

    assertThat(chores.after(SOON, "the test", () -> done.set(true))).isFalse();
    assertThat(done).isFalse();
  }
}
