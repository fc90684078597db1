package dev.staithe.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A response's body, handed out as slices of the connection's input buffer: no copy. For one
 * thread.
 */
public final class ResponseBody {
  private enum Framing {
    LENGTH,
    CHUNKED,
    UNTIL_CLOSE
  }

  private static final int MAX_CHUNK_LINE = 4096;
  private static final Pattern SIZE = Pattern.compile("[0-9A-Fa-f]{1,15}");

  private final ByteSource source;
  private final Framing framing;
  private final long length;
  private final HeadLimits limits;
  private Fields trailers = Fields.NONE;
  private long left;
  private long received;
  private boolean betweenChunks;
  private boolean complete;

  private ResponseBody(ByteSource source, HeadLimits limits, Framing framing, long length) {
    this.source = source;
    this.limits = limits;
    this.framing = framing;
    this.length = length;
    this.left = framing == Framing.LENGTH ? length : 0;
    this.complete = framing == Framing.LENGTH && length == 0;
  }

  /** The body that follows such a head (RFC 9112 section 6.3). */
  static ResponseBody of(String method, ResponseHead head, ByteSource source, HeadLimits limits)
      throws HttpFailure {
    if (method.equals("HEAD") || head.status() == 204 || head.status() == 304) {
      return new ResponseBody(source, limits, Framing.LENGTH, 0);
    }
    long length = head.contentLength();
    String coding = head.fields().joined("Transfer-Encoding");
    if (coding == null) {
      return new ResponseBody(
          source, limits, length < 0 ? Framing.UNTIL_CLOSE : Framing.LENGTH, length);
    }
    if (length >= 0 || !coding.equalsIgnoreCase("chunked")) {
      throw ResponseHead.lengthNotAllowed();
    }
    return new ResponseBody(source, limits, Framing.CHUNKED, -1);
  }

  /** The announced length in bytes, or -1. */
  public long length() {
    return length;
  }

  /** Whether the last byte was handed out. */
  boolean complete() {
    return complete;
  }

  /** Whether the connection ends with this body. */
  public boolean endsConnection() {
    return framing == Framing.UNTIL_CLOSE;
  }

  /** Fields after a chunked body, once it is complete. */
  public Fields trailers() {
    return trailers;
  }

  /**
   * The next bytes, or null at the end; valid until the next call.
   *
   * @throws HttpFailure where the body ends before its length, or its framing is broken
   */
  public @Nullable ByteBuffer next() throws IOException {
    if (complete) {
      return null;
    }
    if (framing == Framing.CHUNKED && left == 0 && !nextChunk()) {
      complete = true;
      return null;
    }
    ByteBuffer input = source.input();
    if (!input.hasRemaining() && source.fill() < 0) {
      if (framing == Framing.UNTIL_CLOSE) {
        complete = true;
        return null;
      }
      throw truncated();
    }
    int n =
        framing == Framing.UNTIL_CLOSE
            ? input.remaining()
            : (int) Math.min(left, input.remaining());
    ByteBuffer slice = input.slice(input.position(), n);
    input.position(input.position() + n);
    received += n;
    if (framing != Framing.UNTIL_CLOSE) {
      left -= n;
      complete = framing == Framing.LENGTH && left == 0;
    }
    return slice;
  }

  /** Reads and forgets what is left, up to {@code most} bytes; whether that was all. */
  boolean drain(long most) throws IOException {
    for (ByteBuffer slice = next(); slice != null; slice = next()) {
      if (received > most) {
        return complete;
      }
    }
    return true;
  }

  private HttpFailure truncated() {
    return HttpFailure.broken(
        framing == Framing.LENGTH
            ? "the connection was closed after " + received + " of " + length + " bytes"
            : "the connection was closed in the middle of the body, after " + received + " bytes");
  }

  /** What is between chunks comes at once: whoever trickles it moves nothing, and is not silent. */
  private boolean nextChunk() throws IOException {
    source.together(true);
    try {
      return readChunkHead();
    } finally {
      source.together(false);
    }
  }

  /** RFC 9112 section 7.1; a size may be followed by blanks, as old servers do. */
  private boolean readChunkHead() throws IOException {
    if (betweenChunks && !chunkLine().isEmpty()) {
      throw badChunk();
    }
    String line = chunkLine();
    int semicolon = line.indexOf(';');
    String digits = (semicolon < 0 ? line : line.substring(0, semicolon)).stripTrailing();
    if (!SIZE.matcher(digits).matches()) {
      throw badChunk();
    }
    left = Long.parseLong(digits, 16);
    betweenChunks = true;
    if (left > 0) {
      return true;
    }
    var lines = new StringBuilder();
    int before;
    do {
      before = lines.length();
      line(lines, limits.bytes());
    } while (lines.charAt(before) != '\n' && lines.indexOf("\r\n", before) != before);
    trailers = Fields.read(lines.toString(), 0, limits.fields());
    return false;
  }

  private static HttpFailure badChunk() {
    return HttpFailure.malformed("the body's chunked coding is broken");
  }

  /** Ended by CRLF, and without what might be an end for another reader. */
  private String chunkLine() throws IOException {
    var line = new StringBuilder(16);
    line(line, MAX_CHUNK_LINE);
    int end = line.length() - 2;
    if (end < 0 || line.charAt(end) != '\r') {
      throw badChunk();
    }
    String text = line.substring(0, end);
    Fields.checkText(text, 0, end);
    return text;
  }

  /** Adds a line with its end. */
  private void line(StringBuilder to, int most) throws IOException {
    ByteBuffer input = source.input();
    while (true) {
      while (input.hasRemaining()) {
        if (to.length() == most) {
          throw badChunk();
        }
        char c = (char) (input.get() & 0xff);
        to.append(c);
        if (c == '\n') {
          return;
        }
      }
      if (source.fill() < 0) {
        throw truncated();
      }
    }
  }
}
