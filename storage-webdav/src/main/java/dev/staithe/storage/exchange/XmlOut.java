package dev.staithe.storage.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes XML as UTF-8 into one buffer that is sent whenever it is full, so that a body of any
 * length takes the same memory. For one thread.
 */
public final class XmlOut {
  private static final int SIZE = 32 * 1024;
  private static final int LONGEST_PIECE = 1024;

  private final Target target;
  private final ByteBuffer buffer = ByteBuffer.allocate(SIZE);

  /** Where the buffer goes. */
  @FunctionalInterface
  public interface Target {
    void write(ByteBuffer bytes, boolean last) throws IOException;
  }

  /** Writes the body of an answer. */
  public XmlOut(Exchange exchange) {
    this(exchange::write);
  }

  /** Writes elsewhere. */
  public XmlOut(Target target) {
    this.target = target;
    raw("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
  }

  /** Markup of ours: ASCII. */
  private XmlOut raw(String ascii) {
    return raw(ascii, 0, ascii.length());
  }

  @SuppressWarnings("deprecation") // The deprecated getBytes is the fast one, and right for ASCII.
  private XmlOut raw(String ascii, int from, int to) {
    if (buffer.remaining() < to - from) {
      throw new IllegalStateException("markup is longer than the buffer's reserve");
    }
    ascii.getBytes(from, to, buffer.array(), buffer.position());
    buffer.position(buffer.position() + to - from);
    return this;
  }

  /** Appends markup of ours, ASCII, shorter than a kilobyte. */
  public XmlOut markup(String ascii) throws IOException {
    room(ascii.length());
    return raw(ascii);
  }

  /** Appends markup that was stored, any characters, of any length. */
  public XmlOut stored(String markup) throws IOException {
    return characters(markup, false);
  }

  /** Appends text, escaped; characters that XML 1.0 does not have become U+FFFD. */
  public XmlOut text(String text) throws IOException {
    return characters(text, true);
  }

  private XmlOut characters(String text, boolean escape) throws IOException {
    for (int at = 0; at < text.length(); ) {
      // Nearly all of it goes as it is, by the piece.
      int plain = plain(text, at, escape);
      if (plain > at) {
        room(plain - at);
        raw(text, at, plain);
        at = plain;
      } else {
        room(8);
        at += character(text, at);
      }
    }
    return this;
  }

  /** Where the piece of text ends that goes as it is. */
  private static int plain(String text, int from, boolean escape) {
    int most = Math.min(text.length(), from + LONGEST_PIECE);
    int at = from;
    while (at < most) {
      char c = text.charAt(at);
      if (c >= 0x80 || escape && (c < 0x20 || c == '&' || c == '<' || c == '>' || c == '"')) {
        break;
      }
      at++;
    }
    return at;
  }

  /** Writes one that does not; tells how many chars of the text it is. */
  private int character(String text, int at) {
    char c = text.charAt(at);
    if (c < 0x80) {
      switch (c) {
        case '&' -> raw("&amp;");
        case '<' -> raw("&lt;");
        case '>' -> raw("&gt;");
        case '"' -> raw("&quot;");
        case '\t', '\n', '\r' -> raw("&#" + (int) c + ";");
        default -> codePoint(0xFFFD);
      }
    } else if (Character.isHighSurrogate(c)
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1))) {
      codePoint(Character.toCodePoint(c, text.charAt(at + 1)));
      return 2;
    } else {
      codePoint(Character.isSurrogate(c) || c >= 0xFFFE ? 0xFFFD : c);
    }
    return 1;
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
  public void end() throws IOException {
    target.write(buffer.flip(), true);
  }
}
