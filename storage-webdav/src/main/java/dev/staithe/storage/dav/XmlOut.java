package dev.staithe.storage.dav;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes XML as UTF-8 into one buffer that is sent whenever it is full, so that a body of any
 * length takes the same memory. For one thread.
 */
final class XmlOut {
  private static final int SIZE = 32 * 1024;

  private final Target target;
  private final ByteBuffer buffer = ByteBuffer.allocate(SIZE);

  /** Where the buffer goes. */
  @FunctionalInterface
  interface Target {
    void write(ByteBuffer bytes, boolean last) throws IOException;
  }

  XmlOut(Exchange exchange) {
    this(exchange::write);
  }

  XmlOut(Target target) {
    this.target = target;
    raw("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
  }

  /** Markup of ours: ASCII. */
  @SuppressWarnings("deprecation") // The deprecated getBytes is the fast one, and right for ASCII.
  private XmlOut raw(String ascii) {
    int length = ascii.length();
    if (buffer.remaining() < length) {
      throw new IllegalStateException("markup is longer than the buffer's reserve");
    }
    ascii.getBytes(0, length, buffer.array(), buffer.position());
    buffer.position(buffer.position() + length);
    return this;
  }

  /** Appends markup of ours, ASCII, shorter than a kilobyte. */
  XmlOut markup(String ascii) throws IOException {
    room(ascii.length());
    return raw(ascii);
  }

  /** Appends markup that was stored, any characters, of any length. */
  XmlOut stored(String markup) throws IOException {
    return characters(markup, false);
  }

  /** Appends text, escaped; characters that XML 1.0 does not have become U+FFFD. */
  XmlOut text(String text) throws IOException {
    return characters(text, true);
  }

  private XmlOut characters(String text, boolean escape) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      room(8);
      char c = text.charAt(i);
      if (c < 0x80) {
        if (!escape || c >= 0x20 && c != '&' && c != '<' && c != '>' && c != '"') {
          buffer.put((byte) c);
        } else {
          switch (c) {
            case '&' -> raw("&amp;");
            case '<' -> raw("&lt;");
            case '>' -> raw("&gt;");
            case '"' -> raw("&quot;");
            case '\t', '\n', '\r' -> raw("&#" + (int) c + ";");
            default -> codePoint(0xFFFD);
          }
        }
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        codePoint(Character.toCodePoint(c, text.charAt(++i)));
      } else {
        codePoint(Character.isSurrogate(c) || c >= 0xFFFE ? 0xFFFD : c);
      }
    }
    return this;
  }

  private void codePoint(int c) {
    if (c < 0x800) {
      buffer.put((byte) (0xC0 | c >> 6));
    } else if (c < 0x10000) {
      buffer.put((byte) (0xE0 | c >> 12)).put((byte) (0x80 | c >> 6 & 0x3F));
    } else {
      buffer
          .put((byte) (0xF0 | c >> 18))
          .put((byte) (0x80 | c >> 12 & 0x3F))
          .put((byte) (0x80 | c >> 6 & 0x3F));
    }
    buffer.put((byte) (0x80 | c & 0x3F));
  }

  private void room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      target.write(buffer.flip(), false);
      buffer.clear();
    }
  }

  /** Sends what is left and ends the response. */
  void end() throws IOException {
    target.write(buffer.flip(), true);
  }
}
