package dev.staithe.storage.dav;

import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.function.Supplier;

/** Breaks a rule on purpose, but for the last one. */
public final class TellsTime {
  private TellsTime() {}

  public static final class CallsNow {
    Instant time() {
      return Instant.now();
    }
  }

  public static final class MakesDate {
    Date time() {
      return new Date();
    }
  }

  public static final class RefersToNow {
    Supplier<Instant> time() {
      return Instant::now;
    }
  }

  public record AsksClock(Clock clock) {
    Instant time() {
      return Instant.now(clock);
    }
  }
}
