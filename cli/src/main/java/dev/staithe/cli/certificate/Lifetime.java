package dev.staithe.cli.certificate;

import dev.staithe.cli.program.Page;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long, as people write it. */
public final class Lifetime {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})([smhd])");

  private Lifetime() {}

  /**
   * Reads {@code 90s}, {@code 30m}, {@code 12h} or {@code 2d}.
   *
   * @return not negative
   * @throws IOException where it is none of these
   */
  public static Duration read(String text) throws IOException {
    Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IOException("\"" + Page.oneLine(text) + "\" is no time: as 12h, 90m or 2d");
    }
    long number = Long.parseLong(form.group(1));
    return switch (form.group(2)) {
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofSeconds(number);
    };
  }
}
