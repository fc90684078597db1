package dev.staithe.delegation.door;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How people and programs write a lifetime. */
final class Span {
  private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,9})([smhd]?)");

  private Span() {}

  /**
   * Reads seconds ({@code 43200}), {@code 90m}, {@code 12h} or {@code 2d}; empty: none of these.
   */
  static Optional<Duration> of(String text) {
    Matcher matcher = WRITTEN.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    return Optional.of(
        switch (matcher.group(2)) {
          case "m" -> Duration.ofMinutes(number);
          case "h" -> Duration.ofHours(number);
          case "d" -> Duration.ofDays(number);
          default -> Duration.ofSeconds(number);
        });
  }
}
