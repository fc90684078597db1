package dev.staithe.cli.program;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An answer to one request.
 *
 * @param address that was asked for
 * @param type of the content, without parameters, in small letters; empty where none is told
 * @param location where it sends the reader; null where it does not, or to nonsense
 */
public record Page(URI address, int status, String type, String body, @Nullable URI location) {
  /** The longest line of somebody else's that is shown. */
  private static final int LONGEST = 200;

  /** Whether it is for people to read in a browser. */
  public boolean isHtml() {
    return type.equals("text/html") || type.equals("application/xhtml+xml");
  }

  /** What a refusal says, in one line; empty where it says nothing readable. */
  public String line() {
    if (isHtml() || body.stripLeading().startsWith("<")) {
      return "";
    }
    return oneLine(
        body.lines().map(String::strip).filter(l -> !l.isEmpty()).findFirst().orElse(""));
  }

  /** Without what could move a terminal's cursor. */
  public static String printable(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\p{Cf}\\u2028\\u2029]+", " ")
        .replaceAll("\\s+", " ")
        .strip();
  }

  /** Printable, and not too long. */
  public static String oneLine(String text) {
    String clean = printable(text);
    return clean.length() > LONGEST ? clean.substring(0, LONGEST) + "..." : clean;
  }

  /** The media type of a {@code Content-Type}, without parameters, in small letters. */
  public static String type(String header) {
    int end = header.indexOf(';');
    return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  /** Without the body, which may hold what nobody else should read. */
  @Override
  public String toString() {
    return "Page[" + status + " " + address.getHost() + address.getPath() + "]";
  }
}
