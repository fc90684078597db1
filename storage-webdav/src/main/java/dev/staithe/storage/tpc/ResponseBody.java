package dev.staithe.storage.tpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * A response's body, handed out as slices of the connection's input buffer: no copy. For one
 * thread.
 */
final class ResponseBody {
  private enum Framing {
    LENGTH,
    CHUNKED,
    UNTIL_CLOSE
  }

  private static final int MAX_LINE = 4096;

  private final RemoteSocket socket;
  private final Framing framing;
  private final long length;
  private final HttpFields.Mutable trailers = HttpFields.build();
  private long left;
  private long received;
  private boolean betweenChunks;
  private boolean complete;

  private ResponseBody(RemoteSocket socket, Framing framing, long length) {
    this.socket = socket;
    this.framing = framing;
    this.length = length;
    this.left = framing == Framing.LENGTH ? length : 0;
    this.complete = framing == Framing.LENGTH && length == 0;
  }

  /** The body that follows such a head (RFC 9112 section 6.3). */
  static ResponseBody of(String method, ResponseHead head, RemoteSocket socket)
      throws RemoteFailure {
    if (method.equals("HEAD") || head.status() == 204 || head.status() == 304) {
      return new ResponseBody(socket, Framing.LENGTH, 0);
    }
    long length = head.contentLength();
    String coding = head.all("Transfer-Encoding").orElse(null);
    if (coding == null) {
      return length < 0
          ? new ResponseBody(socket, Framing.UNTIL_CLOSE, -1)
          : new ResponseBody(socket, Framing.LENGTH, length);
    }
    if (length >= 0 || !coding.equalsIgnoreCase("chunked")) {
      throw RemoteFailure.late("the response's length is announced in a way that is not allowed");
    }
    return new ResponseBody(socket, Framing.CHUNKED, -1);
  }

  /** The announced length in bytes, or -1. */
  long length() {
    return length;
  }

  /** Whether the last byte was handed out. */
  boolean complete() {
    return complete;
  }

  /** Whether the connection ends with this body. */
  boolean endsConnection() {
    return framing == Framing.UNTIL_CLOSE;
  }

  /** Fields after a chunked body, once it is complete. */
  HttpFields trailers() {
    return trailers;
  }

  /**
   * The next bytes, or null at the end; valid until the next call.
   *
   * @throws RemoteFailure where the body ends before its length, or its framing is broken
   */
  @Nullable ByteBuffer next() throws IOException {
    if (complete) {
      return null;
    }
    if (framing == Framing.CHUNKED && left == 0 && !nextChunk()) {
      complete = true;
      return null;
    }
    ByteBuffer input = socket.input();
    if (!input.hasRemaining() && socket.fill() < 0) {
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

  private RemoteFailure truncated() {
    return RemoteFailure.late(
        framing == Framing.LENGTH
            ? "the connection was closed after " + received + " of " + length + " bytes"
            : "the connection was closed in the middle of the body, after " + received + " bytes");
  }

  private boolean nextChunk() throws IOException {
    if (betweenChunks && !line().isEmpty()) {
      throw badChunk();
    }
    String size = line();
    int semicolon = size.indexOf(';');
    String digits = (semicolon < 0 ? size : size.substring(0, semicolon)).strip();
    if (!digits.matches("[0-9A-Fa-f]{1,15}")) {
      throw badChunk();
    }
    left = Long.parseLong(digits, 16);
    betweenChunks = true;
    if (left > 0) {
      return true;
    }
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon < 1 || trailers.size() == 100) {
        throw badChunk();
      }
      trailers.add(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return false;
  }

  private static RemoteFailure badChunk() {
    return RemoteFailure.late("the body's chunked coding is broken");
  }

  private String line() throws IOException {
    StringBuilder text = new StringBuilder();
    ByteBuffer input = socket.input();
    while (true) {
      while (input.hasRemaining()) {
        char c = (char) (input.get() & 0xff);
        if (c == '\n') {
          int end = text.length();
          return end > 0 && text.charAt(end - 1) == '\r'
              ? text.substring(0, end - 1)
              : text.toString();
        }
        if (text.length() == MAX_LINE) {
          throw badChunk();
        }
        text.append(c);
      }
      if (socket.fill() < 0) {
        throw truncated();
      }
    }
  }
}
