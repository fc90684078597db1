package dev.staithe.perf.scenario;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one small HTTP/1.1 answer after the other from whatever pieces come (RFC 9112), with as
 * little work as it can: no text is made but what is asked for. Not thread-safe.
 */
final class AnswerReader {
  private static final int LONGEST = 1 << 20;
  private static final byte[] LENGTH = lower("content-length:");
  private static final byte[] ENCODING = lower("transfer-encoding:");
  private static final byte[] CONNECTION = lower("connection:");
  private static final byte[] CHUNKED = lower("chunked");
  private static final byte[] CLOSE = lower("close");

  private byte[] buffer = new byte[2048];
  private int filled;
  private int looked;
  private int body;
  private int bodyEnd;
  private int length;
  private int status;
  private boolean headRead;
  private boolean chunked;
  private boolean reusable = true;

  private static byte[] lower(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Makes ready for the next answer. */
  void reset() {
    filled = 0;
    looked = 0;
    headRead = false;
  }

  /**
   * Takes what has come.
   *
   * @return whether the answer is whole
   * @throws IOException where it is none, or longer than a megabyte
   */
  boolean take(ByteBuffer data) throws IOException {
    int more = data.remaining();
    if (filled + more > buffer.length) {
      if (filled + more > LONGEST) {
        throw new IOException("the answer is longer than " + LONGEST + " bytes");
      }
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, filled + more));
    }
    data.get(buffer, filled, more);
    filled += more;
    while (!headRead) {
      int end = endOfHead();
      if (end < 0) {
        return false;
      }
      head(end);
      if (status < 200) {
        // An interim answer: the real one follows.
        System.arraycopy(buffer, end, buffer, 0, filled - end);
        filled -= end;
        looked = 0;
      } else {
        headRead = true;
      }
    }
    return chunked ? dechunk() : filled >= bodyEnd;
  }

  private int endOfHead() {
    for (int i = Math.max(3, looked); i < filled; i++) {
      if (buffer[i] == '\n'
          && buffer[i - 1] == '\r'
          && buffer[i - 2] == '\n'
          && buffer[i - 3] == '\r') {
        return i + 1;
      }
    }
    looked = filled;
    return -1;
  }

  private void head(int end) throws IOException {
    if (end < 15 || buffer[0] != 'H' || buffer[5] != '1' || buffer[8] != ' ') {
      throw new IOException("no HTTP answer: " + text(0, Math.min(end, 40)));
    }
    status = (buffer[9] - '0') * 100 + (buffer[10] - '0') * 10 + buffer[11] - '0';
    length = -1;
    chunked = false;
    reusable = true;
    for (int line = nextLine(0, end); line < end - 2; line = nextLine(line, end)) {
      switch (buffer[line] | 0x20) {
        case 'c' -> {
          if (begins(line, LENGTH)) {
            length = Integer.parseInt(value(line + LENGTH.length, end));
          } else if (begins(line, CONNECTION)) {
            reusable = !contains(line, nextLine(line, end), CLOSE);
          }
        }
        case 't' ->
            chunked |= begins(line, ENCODING) && contains(line, nextLine(line, end), CHUNKED);
        default -> {}
      }
    }
    if (status == 204 || status == 304) {
      length = 0;
      chunked = false;
    } else if (length < 0 && !chunked && status >= 200) {
      throw new IOException("an answer without a length");
    }
    body = end;
    bodyEnd = end + Math.max(0, length);
  }

  private int nextLine(int from, int end) {
    int i = from;
    while (i < end && buffer[i] != '\n') {
      i++;
    }
    return i + 1;
  }

  private boolean begins(int at, byte[] name) {
    if (at + name.length > filled) {
      return false;
    }
    for (int i = 0; i < name.length; i++) {
      if ((buffer[at + i] | 0x20) != (name[i] | 0x20)) {
        return false;
      }
    }
    return true;
  }

  private boolean contains(int from, int end, byte[] word) {
    for (int i = from; i + word.length <= end; i++) {
      if (begins(i, word)) {
        return true;
      }
    }
    return false;
  }

  private String value(int from, int end) {
    return text(from, nextLine(from, end) - 1).strip();
  }

  /** Puts the chunks together in place once all of them are there (RFC 9112 section 7.1). */
  private boolean dechunk() throws IOException {
    int at = body;
    while (true) {
      int line = nextLine(at, filled);
      if (line > filled) {
        return false;
      }
      int size = size(at, line);
      if (size == 0) {
        break;
      }
      at = line + size + 2;
      if (at > filled) {
        return false;
      }
    }
    // Trailers end with an empty line.
    int trailer = nextLine(at, filled);
    int next = nextLine(trailer, filled);
    while (next <= filled && next - trailer > 2) {
      trailer = next;
      next = nextLine(trailer, filled);
    }
    if (next > filled) {
      return false;
    }
    int to = body;
    for (int from = body; ; ) {
      int line = nextLine(from, filled);
      int size = size(from, line);
      if (size == 0) {
        break;
      }
      System.arraycopy(buffer, line, buffer, to, size);
      to += size;
      from = line + size + 2;
    }
    bodyEnd = to;
    return true;
  }

  private int size(int from, int end) throws IOException {
    int size = 0;
    int i = from;
    for (int digit; i < end && (digit = Character.digit(buffer[i], 16)) >= 0; i++) {
      size = size * 16 + digit;
    }
    if (i == from || size > LONGEST) {
      throw new IOException("no chunk: " + text(from, Math.min(end, from + 20)));
    }
    return size;
  }

  /** As 200. */
  int status() {
    return status;
  }

  /** Whether another request may follow on the connection. */
  boolean reusable() {
    return reusable;
  }

  /** Whether the JSON content has a field that is {@code true}. */
  boolean isTrue(String field) {
    int at = valueOf(field);
    return at >= 0 && at + 3 < bodyEnd && buffer[at] == 't' && buffer[at + 1] == 'r';
  }

  /** The text of a field of the JSON content, of characters that JSON need not escape. */
  @Nullable String field(String name) {
    int at = valueOf(name);
    if (at < 0 || buffer[at] != '"') {
      return null;
    }
    int end = at + 1;
    while (end < bodyEnd && buffer[end] != '"') {
      if (buffer[end] == '\\') {
        return null;
      }
      end++;
    }
    return text(at + 1, end);
  }

  /** Where the value of a field begins; negative where there is none. */
  private int valueOf(String field) {
    int length = field.length();
    for (int i = body; i + length + 2 < bodyEnd; i++) {
      if (buffer[i] != '"' || buffer[i + length + 1] != '"') {
        continue;
      }
      int same = 0;
      while (same < length && buffer[i + 1 + same] == field.charAt(same)) {
        same++;
      }
      if (same < length) {
        continue;
      }
      int at = i + length + 2;
      boolean colon = false;
      while (at < bodyEnd && (buffer[at] == ' ' || (!colon && buffer[at] == ':'))) {
        colon |= buffer[at] == ':';
        at++;
      }
      if (colon && at < bodyEnd) {
        return at;
      }
    }
    return -1;
  }

  /** The beginning of the content, for messages. */
  String beginning() {
    return text(body, Math.min(bodyEnd, body + 200)).replaceAll("\\s+", " ").strip();
  }

  private String text(int from, int end) {
    return new String(buffer, from, Math.max(0, end - from), StandardCharsets.ISO_8859_1);
  }
}
