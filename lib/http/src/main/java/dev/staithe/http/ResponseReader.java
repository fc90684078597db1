package dev.staithe.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one small response after the other from whatever pieces come, for who waits for many
 * connections with one thread. Not thread-safe.
 */
public final class ResponseReader {
  private final HeadLimits limits;
  private final int longest;
  private final HeadReader heads;
  private ByteBuffer input = ByteBuffer.allocate(2048).limit(0);
  private String method = "";
  private @Nullable ResponseHead head;
  private byte[] body = {};

  /**
   * Makes one.
   *
   * @param longest response that is taken, in bytes
   */
  public ResponseReader(HeadLimits limits, int longest) {
    this.limits = limits;
    this.longest = longest;
    this.heads = new HeadReader(limits);
  }

  /** Makes ready for the response to a request of that method, and forgets the one before. */
  public void expect(String requestMethod) {
    method = requestMethod;
    body = new byte[0];
    head = null;
    heads.reset();
    input.clear().limit(0);
  }

  /**
   * Takes what has come.
   *
   * @return whether the response is whole, with nothing after it
   * @throws HttpFailure where it is none, has no length, or is longer than is taken
   */
  public boolean take(ByteBuffer data) throws HttpFailure {
    append(data);
    ResponseHead known = head;
    while (known == null) {
      ResponseHead next = heads.read(input);
      if (next == null) {
        return false;
      }
      known = next.status() < 200 ? null : next;
    }
    head = known;
    ByteBuffer rest = input.duplicate();
    ResponseBody framed = ResponseBody.of(method, known, new Pieces(rest), limits);
    if (framed.endsConnection()) {
      throw HttpFailure.malformed("the response has no length");
    }
    if (framed.length() > longest) {
      throw tooLong();
    }
    if (rest.remaining() < framed.length()) {
      return false;
    }
    return read(framed, rest);
  }

  /** Reads the body from its beginning; true where all of it is there. */
  private boolean read(ResponseBody framed, ByteBuffer rest) throws HttpFailure {
    ByteBuffer whole = ByteBuffer.allocate(rest.remaining());
    try {
      for (ByteBuffer part = framed.next(); part != null; part = framed.next()) {
        whole.put(part);
      }
    } catch (HttpFailure failure) {
      if (failure.kind() == HttpFailure.Kind.BROKEN) {
        return false;
      }
      throw failure;
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot fail", e);
    }
    if (rest.hasRemaining()) {
      throw HttpFailure.malformed("there is more than one response");
    }
    body = new byte[whole.flip().remaining()];
    whole.get(body);
    return true;
  }

  private void append(ByteBuffer data) throws HttpFailure {
    int end = input.limit() + data.remaining();
    if (end > longest) {
      throw tooLong();
    }
    if (end > input.capacity()) {
      int position = input.position();
      ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * input.capacity(), end));
      input = larger.put(input.rewind()).flip().position(position);
    }
    int from = input.limit();
    input.limit(end);
    input.put(from, data, data.position(), data.remaining());
    data.position(data.limit());
  }

  private HttpFailure tooLong() {
    return HttpFailure.malformed("the response is longer than " + longest + " bytes");
  }

  /** The head of a response that is whole. */
  public ResponseHead head() {
    ResponseHead known = head;
    if (known == null) {
      throw new IllegalStateException("no response was taken");
    }
    return known;
  }

  /** The content of a response that is whole. */
  public byte[] body() {
    return body;
  }

  /** What is there; its end is that of what came so far. */
  private record Pieces(ByteBuffer input) implements ByteSource {
    @Override
    public int fill() {
      return -1;
    }
  }
}
