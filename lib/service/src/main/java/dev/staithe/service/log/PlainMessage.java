package dev.staithe.service.log;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.Locale;

/**
 * A message as one line of the log: what a terminal or a reader of lines would act on is shown as
 * {@code &#92;u000a}. What clients sent can be in any message. Thread-safe.
 */
public final class PlainMessage extends MessageConverter {
  /** Has nothing to remember. */
  public PlainMessage() {}

  @Override
  public String convert(ILoggingEvent event) {
    return plain(super.convert(event));
  }

  /** Text without controls (C0, C1), separators of lines and marks of direction. */
  static String plain(String text) {
    int i = 0;
    while (i < text.length() && !acts(text.charAt(i))) {
      i++;
    }
    if (i == text.length()) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length() + 16).append(text, 0, i);
    for (; i < text.length(); i++) {
      char c = text.charAt(i);
      if (acts(c)) {
        plain.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  private static boolean acts(char c) {
    return c < 0x20
        || c >= 0x7f && c < 0xa0
        || c == '\u2028'
        || c == '\u2029'
        || c >= '\u200e' && c <= '\u200f'
        || c >= '\u202a' && c <= '\u202e'
        || c >= '\u2066' && c <= '\u2069';
  }
}
