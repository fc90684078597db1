package dev.staithe.perf.report;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes elements and escapes everything that is put into them, so that no value of a result file
 * can become markup. What comes out is well-formed XML and HTML at once. Not thread-safe.
 */
final class Markup {
  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Opens an element; attributes are names and values in turn. */
  Markup open(String element, String... attributes) {
    tag(element, attributes).append('>');
    open.push(element);
    return this;
  }

  /** Closes the innermost open element. */
  Markup close() {
    out.append("</").append(open.pop()).append(">");
    if (open.size() < 5) {
      out.append('\n');
    }
    return this;
  }

  /** An element with text. */
  Markup element(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close();
  }

  /** An element without content. */
  Markup empty(String element, String... attributes) {
    tag(element, attributes).append("/>");
    return this;
  }

  /** Text between elements. */
  Markup text(String text) {
    escape(text);
    return this;
  }

  /** Markup that another writer of this package made. */
  Markup raw(String markup) {
    out.append(markup);
    return this;
  }

  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("still open: " + open);
    }
    return out.toString();
  }

  private StringBuilder tag(String element, String... attributes) {
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(attributes[i + 1]);
      out.append('"');
    }
    return out;
  }

  private void escape(String text) {
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '\t', '\n' -> out.appendCodePoint(c);
                default ->
                    // Control characters and lone surrogates are no XML characters at all.
                    out.appendCodePoint(
                        c < 0x20 || (c >= 0xD800 && c <= 0xDFFF) || c >= 0xFFFE && c <= 0xFFFF
                            ? 0xFFFD
                            : c);
              }
            });
  }
}
