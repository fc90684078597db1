package dev.staithe.slcs.issue;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How people and programs write a lifetime. */
final class Lifetime {
  private static final Pattern SIMPLE = Pattern.compile("([0-9]{1,9})\\s*([smhd]?)");
  private static final Pattern ISO =
      Pattern.compile(
          "P(?=[0-9T])([0-9]{1,5}D)?(T(?=[0-9])([0-9]{1,6}H)?([0-9]{1,7}M)?([0-9]{1,9}S)?)?");

  private Lifetime() {}

  /**
   * Reads seconds ({@code 43200}), {@code 12h}, {@code 90m}, {@code 2d} or a duration of XML Schema
   * without months ({@code PT12H}).
   *
   * @return empty where it is none of these; else not negative
   */
  static Optional<Duration> of(String text) {
    Matcher simple = SIMPLE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (simple.matches()) {
      long number = Long.parseLong(simple.group(1));
      return Optional.of(
          switch (simple.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofSeconds(number);
          });
    }
    String iso = text.strip();
    try {
      return ISO.matcher(iso).matches() ? Optional.of(Duration.parse(iso)) : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
