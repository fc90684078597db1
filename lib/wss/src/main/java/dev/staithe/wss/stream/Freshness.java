package dev.staithe.wss.stream;

import dev.staithe.wss.Expectation;
import dev.staithe.wss.Refusal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * When a message was made, and until when it is good.
 *
 * @param expires as the message says; null where it does not
 */
record Freshness(Instant created, @Nullable Instant expires) {
  private static final int MOST_OF_A_TIME = 64;

  static Freshness of(SecurityScan security) throws UnsupportedShape {
    return new Freshness(
        instant(security.created), security.expires == null ? null : instant(security.expires));
  }

  /** Whether it is good now. */
  void check(Instant now, Expectation.Limits limits) throws Rejected {
    if (created.isAfter(now.plus(limits.skew()))) {
      throw new Rejected(Refusal.STALE, "from the future");
    }
    if (expires != null && expires.isBefore(created)) {
      throw new Rejected(Refusal.STALE, "ends before it begins");
    }
    if (!until(limits).isAfter(now)) {
      throw new Rejected(Refusal.STALE, "too old");
    }
  }

  /** From when on it is refused, the skew of clocks included. */
  Instant until(Expectation.Limits limits) {
    Instant freshness = created.plus(limits.freshness());
    Instant end = expires != null && expires.isBefore(freshness) ? expires : freshness;
    return end.plus(limits.skew());
  }

  static Instant instant(String text) throws UnsupportedShape {
    Instant usual = usual(text);
    if (usual != null) {
      return usual;
    }
    try {
      if (text.length() <= MOST_OF_A_TIME) {
        return OffsetDateTime.parse(text).toInstant();
      }
    } catch (DateTimeException e) {
      // Told below.
    }
    throw new UnsupportedShape("a time that is none, or without a zone");
  }

  /** The form that nearly all send, {@code 2026-11-21T20:15:30.123Z}, without a formatter. */
  private static @Nullable Instant usual(String text) {
    int length = text.length();
    boolean fraction = length == 24 && text.charAt(19) == '.';
    if (!fraction && length != 20 || text.charAt(length - 1) != 'Z') {
      return null;
    }
    for (int i = 0; i < length - 1; i++) {
      char c = text.charAt(i);
      boolean fits =
          switch (i) {
            case 4, 7 -> c == '-';
            case 10 -> c == 'T';
            case 13, 16 -> c == ':';
            case 19 -> true;
            default -> c >= '0' && c <= '9';
          };
      if (!fits) {
        return null;
      }
    }
    int hour = number(text, 11, 13);
    int minute = number(text, 14, 16);
    int second = number(text, 17, 19);
    if (hour > 23 || minute > 59 || second > 59) {
      return null;
    }
    try {
      long day =
          LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)).toEpochDay();
      return Instant.ofEpochSecond(
          day * 86_400 + hour * 3_600 + minute * 60 + second,
          fraction ? number(text, 20, 23) * 1_000_000L : 0);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      number = number * 10 + text.charAt(i) - '0';
    }
    return number;
  }
}
