package dev.staithe.storage.exchange;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Optional;

/**
 * Dates as answers have them. A listing has two for each file, and a formatter of Java's takes ten
 * times as long; it does those years that are not written in four digits.
 */
public final class Dates {
  // Always two digits for the day, which DateTimeFormatter.RFC_1123_DATE_TIME does not write.
  private static final DateTimeFormatter ANY_HTTP =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  /** Its years of two digits; more than fifty years ahead is in the past (RFC 9110 §5.6.7). */
  private static final int FIRST_YEAR = 1977;

  // What nobody writes any more and everybody reads. The day of the week is left out of the first.
  private static final DateTimeFormatter RFC_850 =
      new DateTimeFormatterBuilder()
          .appendPattern("dd-MMM-")
          .appendValueReduced(ChronoField.YEAR, 2, 2, FIRST_YEAR)
          .appendPattern(" HH:mm:ss 'GMT'")
          .toFormatter(Locale.US);
  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US);

  private static final String DAYS = "MonTueWedThuFriSatSun";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int LETTERS = 3;
  private static final int LAST_YEAR = 9999;

  private Dates() {}

  /** Reads a date in any of the three forms that HTTP has (RFC 9110 section 5.6.7), or none. */
  public static Optional<Instant> parse(String text) {
    try {
      int comma = text.indexOf(',');
      if (comma >= 0 && comma <= LETTERS) {
        return Optional.of(
            ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      }
      LocalDateTime when =
          comma < 0
              ? LocalDateTime.parse(text, ASCTIME)
              : LocalDateTime.parse(text.substring(comma + 1).strip(), RFC_850);
      return Optional.of(when.toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException invalid) {
      return Optional.empty();
    }
  }

  /** In whole seconds, as {@code Sun, 06 Nov 1994 08:49:37 GMT} (RFC 9110 section 5.6.7). */
  public static String http(Instant when) {
    LocalDateTime at = LocalDateTime.ofEpochSecond(when.getEpochSecond(), 0, ZoneOffset.UTC);
    if (at.getYear() < 1 || at.getYear() > LAST_YEAR) {
      return ANY_HTTP.format(when);
    }
    int day = (at.getDayOfWeek().getValue() - 1) * LETTERS;
    int month = (at.getMonthValue() - 1) * LETTERS;
    var text = new StringBuilder(29).append(DAYS, day, day + LETTERS).append(", ");
    two(text, at.getDayOfMonth()).append(' ').append(MONTHS, month, month + LETTERS).append(' ');
    return time(year(text, at).append(' '), at).append(" GMT").toString();
  }

  /** In whole seconds, as {@code 1994-11-06T08:49:37Z} (RFC 3339). */
  public static String iso(Instant when) {
    LocalDateTime at = LocalDateTime.ofEpochSecond(when.getEpochSecond(), 0, ZoneOffset.UTC);
    if (at.getYear() < 1 || at.getYear() > LAST_YEAR) {
      return DateTimeFormatter.ISO_INSTANT.format(Instant.ofEpochSecond(when.getEpochSecond()));
    }
    var text = year(new StringBuilder(20), at).append('-');
    two(two(text, at.getMonthValue()).append('-'), at.getDayOfMonth());
    return time(text.append('T'), at).append('Z').toString();
  }

  private static StringBuilder year(StringBuilder text, LocalDateTime at) {
    return two(two(text, at.getYear() / 100), at.getYear() % 100);
  }

  private static StringBuilder time(StringBuilder text, LocalDateTime at) {
    two(two(text, at.getHour()).append(':'), at.getMinute()).append(':');
    return two(text, at.getSecond());
  }

  private static StringBuilder two(StringBuilder text, int number) {
    return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }
}
