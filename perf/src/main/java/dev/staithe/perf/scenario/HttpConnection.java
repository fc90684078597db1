package dev.staithe.perf.scenario;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection of a client that spends as little as it can: content is made from one
 * buffer and thrown away as it comes. Not thread-safe.
 */
final class HttpConnection implements AutoCloseable {
  private static final int TAIL = 512;

  /**
   * What came back.
   *
   * @param status as 200
   * @param bytes of content
   * @param tail the end of the content, at most 512 characters
   * @param content all of it where {@link #keepNext} asked for it, else nothing
   */
  record Answer(int status, long bytes, String tail, byte[] content) {}

  private static final byte[] NOTHING = {};

  private final Wire wire;
  private final String host;
  private final StringBuilder head = new StringBuilder(512);
  private final byte[] tail = new byte[TAIL];
  private int tailLength;
  private boolean reusable = true;
  private @Nullable ByteArrayOutputStream kept;

  HttpConnection(Wire wire, String host) {
    this.wire = wire;
    this.host = host;
  }

  /** Whether another request may follow. */
  boolean reusable() {
    return reusable;
  }

  /** The negotiated protocol and cipher suite, empty without TLS. */
  String cipher() {
    return wire.cipher();
  }

  /** The content of the next answer is kept whole. */
  void keepNext() {
    kept = new ByteArrayOutputStream();
  }

  /**
   * Sends a request and reads all of the answer.
   *
   * @param bodyBytes negative for no content
   */
  Answer exchange(
      String method,
      String target,
      Map<String, String> headers,
      long bodyBytes,
      ByteBuffer content,
      boolean keepAlive)
      throws IOException {
    head.setLength(0);
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: ").append(host);
    headers.forEach((name, value) -> head.append("\r\n").append(name).append(": ").append(value));
    if (bodyBytes >= 0) {
      head.append("\r\nContent-Length: ").append(bodyBytes);
    }
    if (!keepAlive) {
      head.append("\r\nConnection: close");
    }
    head.append("\r\n\r\n");
    ByteBuffer first = ByteBuffer.wrap(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    if (bodyBytes > 0 && bodyBytes <= content.remaining()) {
      // A small request in one packet, as any sensible client sends it.
      ByteBuffer whole = ByteBuffer.allocate(first.remaining() + (int) bodyBytes);
      whole.put(first).put(content.slice(content.position(), (int) bodyBytes));
      wire.write(whole.flip());
    } else {
      wire.write(first);
      for (long left = bodyBytes; left > 0; ) {
        ByteBuffer part = content.duplicate();
        part.limit(part.position() + (int) Math.min(part.remaining(), left));
        left -= part.remaining();
        wire.write(part);
      }
    }
    return answer(method);
  }

  private Answer answer(String method) throws IOException {
    tailLength = 0;
    int status;
    String line;
    do {
      line = wire.line();
      if (!line.startsWith("HTTP/1.") || line.length() < 12) {
        throw new IOException("no HTTP answer: " + line);
      }
      status = Integer.parseInt(line.substring(9, 12));
      if (status < 200) {
        while (!wire.line().isEmpty()) {
          // an interim answer has nothing that is needed here
        }
      }
    } while (status < 200);
    long length = -1;
    boolean chunked = false;
    while (!(line = wire.line()).isEmpty()) {
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).strip();
      switch (name) {
        case "content-length" -> length = Long.parseLong(value);
        case "transfer-encoding" -> chunked = value.equalsIgnoreCase("chunked");
        case "connection" -> reusable &= !value.equalsIgnoreCase("close");
        default -> {}
      }
    }
    if (method.equals("HEAD") || status == 204 || status == 304) {
      kept = null;
      return new Answer(status, 0, "", NOTHING);
    }
    long bytes = 0;
    if (chunked) {
      long size;
      while ((size = Long.parseLong(wire.line().split(";")[0].strip(), 16)) > 0) {
        bytes += drain(size);
        wire.line();
      }
      while (!wire.line().isEmpty()) {
        // trailers
      }
    } else if (length >= 0) {
      bytes = drain(length);
    } else {
      reusable = false;
      ByteBuffer part;
      while ((part = wire.read(Long.MAX_VALUE)) != null) {
        bytes += part.remaining();
        keep(part);
        remember(part);
      }
    }
    byte[] content = kept == null ? NOTHING : kept.toByteArray();
    kept = null;
    return new Answer(
        status, bytes, new String(tail, 0, tailLength, StandardCharsets.UTF_8), content);
  }

  private long drain(long length) throws IOException {
    for (long left = length; left > 0; ) {
      ByteBuffer part = wire.read(left);
      if (part == null) {
        throw new EOFException("the answer ended " + left + " bytes early");
      }
      left -= part.remaining();
      keep(part);
      if (left < TAIL) {
        remember(part);
      }
    }
    return length;
  }

  private void keep(ByteBuffer part) {
    ByteArrayOutputStream whole = kept;
    if (whole != null) {
      byte[] copy = new byte[part.remaining()];
      part.duplicate().get(copy);
      whole.writeBytes(copy);
    }
  }

  private void remember(ByteBuffer part) {
    int take = Math.min(part.remaining(), TAIL);
    int keep = Math.min(tailLength, TAIL - take);
    System.arraycopy(tail, tailLength - keep, tail, 0, keep);
    part.position(part.limit() - take);
    part.get(tail, keep, take);
    tailLength = keep + take;
  }

  @Override
  public void close() {
    wire.close();
  }
}
