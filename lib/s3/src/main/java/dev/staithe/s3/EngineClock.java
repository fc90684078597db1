package dev.staithe.s3;

import dev.staithe.http.Fields;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far an engine's clock is from this machine's, as the dates of its answers tell (RFC 9110
 * section 6.6.1), to some seconds. What is signed goes by this machine's clock all the same: a date
 * that somebody on the way has written would have a request signed for a time of his choice. Safe
 * for use by many threads.
 */
public final class EngineClock {
  /** From then on what is signed for minutes may be over when it is used. */
  private static final Duration MOST = Duration.ofMinutes(1);

  /** Engines bear 15 minutes, and some less. */
  private static final Duration BORNE = Duration.ofMinutes(5);

  private final Clock clock;
  private volatile Heard last = new Heard("", 0, Duration.ZERO);

  /** A date as it came, and the second in which it came. */
  private record Heard(String date, long second, Duration ahead) {}

  EngineClock(Clock clock) {
    this.clock = clock;
  }

  /** Reads the date of an answer that has just come; one that has none changes nothing. */
  void heard(Fields fields) {
    @Nullable String date = fields.first("Date");
    Instant now = clock.instant();
    Heard before = last;
    if (date == null || date.equals(before.date()) && now.getEpochSecond() == before.second()) {
      return; // Once a second is enough.
    }
    try {
      Instant theirs = S3Text.date(date);
      last = new Heard(date, now.getEpochSecond(), Duration.between(now, theirs));
    } catch (DateTimeException e) {
      // It tells nothing, then.
    }
  }

  /** Whether they differ by more than a minute. */
  public boolean isOff() {
    return last.ahead().abs().compareTo(MOST) > 0;
  }

  /** Whether they differ so much that the engine may refuse what is signed now. */
  boolean mayBeRefused() {
    return last.ahead().abs().compareTo(BORNE) > 0;
  }

  /** As {@code 20 min ahead of this machine's} or {@code behind}, of the engine's clock. */
  public String difference() {
    Duration ahead = last.ahead();
    return ahead.abs().plusSeconds(30).toMinutes()
        + (ahead.isNegative() ? " min behind" : " min ahead of")
        + " this machine's";
  }
}
