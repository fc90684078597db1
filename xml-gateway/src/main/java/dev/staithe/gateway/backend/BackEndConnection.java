package dev.staithe.gateway.backend;

import dev.staithe.http.HeadLimits;
import dev.staithe.http.HttpConnection;
import dev.staithe.http.HttpSocket;
import dev.staithe.http.ResponseBody;
import dev.staithe.http.ResponseHead;
import dev.staithe.service.RequestId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One connection to a back end, for one exchange at a time: a request in one write where it is
 * small, and the whole answer. Used by one thread at a time.
 */
final class BackEndConnection {
  private static final int SENDING = 16 * 1024;
  private static final HeadLimits HEADS = new HeadLimits(16 * 1024, 500);

  /** An answer beyond the limit; carries nothing. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1;
  }

  private final HttpConnection http;
  private final ByteBuffer sending = ByteBuffer.allocate(SENDING);
  private long idleSince;

  /** Takes over a socket that is ready for requests. */
  BackEndConnection(HttpSocket socket) {
    this.http = new HttpConnection(socket, "it", HEADS, null);
  }

  /** What is under it. */
  HttpConnection http() {
    return http;
  }

  /** When it was put aside, by {@link System#nanoTime()}. */
  long idleSince() {
    return idleSince;
  }

  void putAside(long now) {
    idleSince = now;
  }

  /**
   * One exchange.
   *
   * @param head everything up to the headers that differ from request to request
   * @param largest bytes of an answer's body
   * @param share what pays for that
   * @throws dev.staithe.http.HttpFailure where the answer is none, or not in time
   * @throws TooLarge where its body is too long
   */
  BackEndAnswer.Answered exchange(
      byte[] head, BackEndRequest request, long largest, Bodies.Share share) throws IOException {
    ResponseHead answer = answer(head, request);
    ResponseBody body = http.body();
    if (body.length() > largest) {
      throw new TooLarge();
    }
    var gathered = new BodyBuffer(share, body.length() >= 0 ? body.length() : largest);
    for (ByteBuffer part = body.next(); part != null; part = body.next()) {
      if (gathered.filled() + (long) part.remaining() > largest) {
        throw new TooLarge();
      }
      gathered.put(part);
    }
    return new BackEndAnswer.Answered(
        answer.status(), answer.field("Content-Type"), gathered.whole());
  }

  /**
   * The head of the answer. A service that does not want a long message says so and closes the
   * connection before it has taken all of it (RFC 9112 section 9.6): that is its answer.
   */
  private ResponseHead answer(byte[] head, BackEndRequest request) throws IOException {
    try {
      send(head, request);
    } catch (IOException broken) {
      ResponseHead last = http.lastWords();
      if (last == null) {
        throw broken;
      }
      return last;
    }
    return http.receive();
  }

  private void send(byte[] head, BackEndRequest request) throws IOException {
    var rest = new StringBuilder(256);
    rest.append("Content-Type: ").append(request.contentType()).append("\r\n");
    if (request.soapAction() != null) {
      rest.append("SOAPAction: ").append(request.soapAction()).append("\r\n");
    }
    rest.append(request.caller());
    rest.append(RequestId.HEADER + ": ").append(request.requestId()).append("\r\nContent-Length: ");
    rest.append(request.length()).append("\r\n\r\n");
    byte[] tail = rest.toString().getBytes(StandardCharsets.ISO_8859_1);
    http.begin("POST", true);
    sending.clear();
    put(head, 0, head.length);
    put(tail, 0, tail.length);
    for (BackEndRequest.Piece piece : request.pieces()) {
      put(piece.of(), piece.from(), piece.length());
    }
    http.send(sending.flip());
    http.bodySent();
  }

  /** Gathers small pieces; what is large goes out by itself. */
  private void put(byte[] from, int start, int length) throws IOException {
    if (length > sending.remaining()) {
      http.send(sending.flip());
      sending.clear();
    }
    if (length > sending.capacity()) {
      http.send(ByteBuffer.wrap(from, start, length));
    } else {
      sending.put(from, start, length);
    }
  }
}
