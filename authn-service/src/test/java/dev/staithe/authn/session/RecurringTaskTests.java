package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RecurringTaskTests {
  private static final Duration SELDOM = Duration.ofHours(1);
  private static final Duration APART = Duration.ofMillis(40);

  private final List<Long> times = new CopyOnWriteArrayList<>();

  @Test
  void whoAsksWithoutAPauseIsServedAtIntervals() {
    try (var recurring = new RecurringTask("test", SELDOM, () -> times.add(System.nanoTime()))) {
      recurring.start();
      Eventually.holds(
          "it was done again and again",
          () -> {
            recurring.soon(APART);
            return times.size() >= 6;
          });
      for (int i = 1; i < 6; i++) {
        // The task's own time is taken a moment after its beginning.
        assertThat(times.get(i) - times.get(0)).isGreaterThan((i - 1) * APART.toNanos());
      }
    }
  }

  @Test
  void whateverGoesWrongItGoesOn() {
    try (var recurring =
        new RecurringTask(
            "test",
            Duration.ofMillis(1),
            () -> {
              times.add(System.nanoTime());
              throw new StackOverflowError("of a test");
            })) {
      recurring.start();
      Eventually.holds("it was done again and again", () -> times.size() >= 3);
    }
  }

  @Test
  void whoMustNotWaitIsServedAtOnceWhateverWasAskedBefore() {
    try (var recurring = new RecurringTask("test", SELDOM, () -> times.add(System.nanoTime()))) {
      recurring.start();
      Eventually.holds("the first time", () -> times.size() == 1);
      recurring.soon(SELDOM);
      recurring.wake();
      Eventually.holds("it was done", () -> times.size() == 2);
    }
  }
}
