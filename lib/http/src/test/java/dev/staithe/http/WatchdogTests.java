package dev.staithe.http;

import dev.staithe.testkit.Eventually;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** The one thread by which reads and writes have an end. */
final class WatchdogTests {
  @Test
  void memoryThatRunsOutForAMomentEndsNoTimeLimits() {
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger others = new AtomicInteger();
    LongConsumer costly =
        now -> {
          looks.incrementAndGet();
          throw new OutOfMemoryError("for a moment");
        };
    LongConsumer other = now -> others.incrementAndGet();
    Watchdog.add(costly);
    Watchdog.add(other);
    try {
      Eventually.holds("both are looked at again", () -> looks.get() > 2 && others.get() > 2);
    } finally {
      Watchdog.remove(costly);
      Watchdog.remove(other);
    }
  }
}
