package dev.staithe.storage.pages;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes HTML in pieces of some kilobytes. What did not come from our own source code goes through
 * {@link #text}, {@link #name} or {@link #attribute} and cannot become markup. For one thread.
 */
final class Markup {
  private static final int PIECE = 16 * 1024;

  private final ListingPage.Sink sink;
  private final StringBuilder pending = new StringBuilder(PIECE + 2048);

  Markup(ListingPage.Sink sink) {
    this.sink = sink;
  }

  /** Markup of our own, as it is. */
  Markup raw(String html) throws IOException {
    pending.append(html);
    if (pending.length() >= PIECE) {
      flush();
    }
    return this;
  }

  /** Text between tags. */
  Markup text(String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      escape(text.charAt(i));
    }
    return raw("");
  }

  /**
   * A file name between tags. Characters that would not be seen, or would turn the reading
   * direction around so that {@code exe.txt} passes for {@code txt.exe}, are shown by their number.
   */
  Markup name(String name) throws IOException {
    pending.append("<bdi>");
    int at = 0;
    while (at < name.length()) {
      int c = name.codePointAt(at);
      if (invisible(c)) {
        pending.append("<i class=\"odd\">").append(String.format("U+%04X", c)).append("</i>");
      } else if (c < 128) {
        escape((char) c);
      } else {
        pending.appendCodePoint(c);
      }
      at += Character.charCount(c);
    }
    pending.append("</bdi>");
    return raw("");
  }

  /** {@code name="value"}, with the blank before it. */
  Markup attribute(String name, String value) throws IOException {
    pending.append(' ').append(name).append("=\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c == 127) {
        pending.append("&#").append((int) c).append(';');
      } else {
        escape(c);
      }
    }
    pending.append('"');
    return raw("");
  }

  /** Hands over what is pending. */
  void flush() throws IOException {
    if (!pending.isEmpty()) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(pending.toString());
      pending.setLength(0);
      sink.write(bytes);
    }
  }

  private void escape(char c) {
    switch (c) {
      case '&' -> pending.append("&amp;");
      case '<' -> pending.append("&lt;");
      case '>' -> pending.append("&gt;");
      case '"' -> pending.append("&quot;");
      case '\'' -> pending.append("&#39;");
      default -> pending.append(c);
    }
  }

  private static boolean invisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }
}
