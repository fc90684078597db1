package dev.staithe.storage.tpc;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection with a remote server, one request at a time, for one virtual thread.
 *
 * <p>The order of calls is {@link #send}, then for a request with a body {@link #awaitContinue} and
 * {@link #sendBody}, then {@link #receive} and {@link #body}.
 */
final class RemoteConnection implements AutoCloseable {
  private static final int MAX_INTERIM = 32;
  private static final long DRAIN = 64 * 1024;

  private final RemoteSocket socket;
  private final InetSocketAddress peer;
  private final CopySettings.Timeouts timeouts;
  private final String name;
  private final Runnable onClose;
  private String method = "";
  private @Nullable ResponseHead head;
  private @Nullable ResponseBody body;
  private int exchanges;
  private boolean heard;
  private boolean bodyOwed;
  private long windowStart;
  private long windowBytes;

  RemoteConnection(
      RemoteSocket socket,
      InetSocketAddress peer,
      String name,
      CopySettings.Timeouts timeouts,
      Runnable onClose) {
    this.socket = socket;
    this.peer = peer;
    this.name = name;
    this.timeouts = timeouts;
    this.onClose = onClose;
  }

  /** The address that this connection really goes to. */
  InetSocketAddress peer() {
    return peer;
  }

  /** Whether the server had closed this kept connection before it saw the request. */
  boolean wasStale() {
    return exchanges > 1 && !heard && !socket.isAborted();
  }

  /** Sends a request's head. {@code fields} holds all but {@code Host}. */
  void send(String requestMethod, RemoteUrl url, List<HeaderField> fields, boolean withBody)
      throws IOException {
    method = requestMethod;
    head = null;
    body = null;
    heard = false;
    bodyOwed = withBody;
    exchanges++;
    StringBuilder text = new StringBuilder(512);
    text.append(requestMethod).append(' ').append(url.target()).append(" HTTP/1.1\r\n");
    text.append("Host: ").append(url.authority()).append("\r\n");
    text.append("User-Agent: Staithe\r\nAccept: */*\r\n");
    for (HeaderField field : fields) {
      text.append(field.name()).append(": ").append(field.value()).append("\r\n");
    }
    text.append("\r\n");
    socket.eachWithin(timeouts.stall(), "no bytes accepted by " + name + " for " + stall());
    socket.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** The final response's head; waits for it, past interim ones. */
  ResponseHead receive() throws IOException {
    ResponseHead known = head;
    if (known != null) {
      return known;
    }
    Duration limit = timeouts.firstByte();
    socket.within(limit, "no response from " + name + " within " + written(limit));
    for (int interim = 0; interim < MAX_INTERIM; interim++) {
      ResponseHead next = ResponseHead.read(socket.input());
      while (next == null) {
        if (socket.fill() < 0) {
          throw RemoteFailure.late(name + " closed the connection without a response");
        }
        heard = true;
        next = ResponseHead.read(socket.input());
      }
      if (next.status() >= 200) {
        return finalHead(next);
      }
      refuseUpgrade(next);
    }
    throw RemoteFailure.late(name + " sends interim responses without end");
  }

  private ResponseHead finalHead(ResponseHead next) throws RemoteFailure {
    head = next;
    body = ResponseBody.of(method, next, socket);
    socket.eachWithin(timeouts.stall(), "no bytes received for " + stall());
    return next;
  }

  private static void refuseUpgrade(ResponseHead interim) throws RemoteFailure {
    if (interim.status() == 101) {
      throw RemoteFailure.late("the remote server switched to another protocol unasked");
    }
  }

  /**
   * Waits for {@code 100 Continue} or a final response, as long as the settings say.
   *
   * @return the final response, or null where the body is to be sent
   */
  @Nullable ResponseHead awaitContinue() throws IOException {
    long until = System.nanoTime() + timeouts.continueWait().toNanos();
    long pause = 500_000;
    while (System.nanoTime() - until < 0) {
      ResponseHead next = ResponseHead.read(socket.input());
      if (next != null) {
        if (next.status() >= 200) {
          return finalHead(next);
        }
        refuseUpgrade(next);
        if (next.status() == 100) {
          return null;
        }
        continue;
      }
      int n = socket.fillNow();
      heard |= n > 0;
      if (n < 0) {
        throw RemoteFailure.late(name + " closed the connection without a response");
      }
      if (n == 0) {
        LockSupport.parkNanos(pause);
        pause = Math.min(pause * 2, 20_000_000);
      }
    }
    return null;
  }

  /**
   * Sends a part of the body.
   *
   * @throws IOException where the connection broke; a response may still be there to {@link
   *     #receive}
   */
  void sendBody(ByteBuffer part) throws IOException {
    socket.eachWithin(timeouts.stall(), "no bytes accepted by " + name + " for " + stall());
    socket.write(part);
  }

  /**
   * Counts bytes moved in either direction.
   *
   * @throws RemoteFailure where the other side is slower than the settings bear, measured over the
   *     time spent waiting for it: a slow disk here is not its fault
   */
  void pace(long bytes) throws RemoteFailure {
    windowBytes += bytes;
    long waitedInWindow = socket.waited() - windowStart;
    if (waitedInWindow < timeouts.slowWindow().toNanos()) {
      return;
    }
    if (windowBytes < timeouts.slowFloor() * (waitedInWindow / 1e9)) {
      throw RemoteFailure.late(
          name
              + " moved less than "
              + timeouts.slowFloor()
              + " bytes per second for "
              + written(timeouts.slowWindow()));
    }
    windowStart = socket.waited();
    windowBytes = 0;
  }

  /** Says that the whole body was sent, so that the connection may be used again. */
  void bodySent() {
    bodyOwed = false;
  }

  /** A final response that came before the body was sent, without waiting. */
  @Nullable ResponseHead earlyResponse() throws IOException {
    if (socket.fillNow() < 0) {
      throw RemoteFailure.late(name + " closed the connection without a response");
    }
    for (ResponseHead next = ResponseHead.read(socket.input());
        next != null;
        next = ResponseHead.read(socket.input())) {
      heard = true;
      if (next.status() >= 200) {
        return finalHead(next);
      }
      refuseUpgrade(next);
    }
    return null;
  }

  /** The response's body; only after {@link #receive}. */
  ResponseBody body() {
    ResponseBody known = body;
    if (known == null) {
      throw new IllegalStateException("no response was received");
    }
    return known;
  }

  /**
   * Whether the server sent more than its response's body: then its length was a lie.
   *
   * @throws IOException where the connection broke
   */
  boolean sentTooMuch() throws IOException {
    if (!body().endsConnection() && !socket.input().hasRemaining()) {
      socket.fillNow();
    }
    return socket.input().hasRemaining();
  }

  /** Whether another request may follow on this connection, after forgetting a short rest. */
  boolean reusable() {
    ResponseHead known = head;
    if (known == null || bodyOwed || !known.keepsAlive() || body().endsConnection()) {
      return false;
    }
    try {
      return body().drain(DRAIN) && !socket.input().hasRemaining();
    } catch (IOException broken) {
      return false;
    }
  }

  /** Closes the connection under the thread that is blocked in it; from any thread. */
  void abort(String reason) {
    socket.abort(reason);
  }

  /**
   * The response to a request whose body could not be sent to its end, if the server gave one
   * before it closed the connection.
   */
  @Nullable ResponseHead lastWords() {
    try {
      return receive();
    } catch (IOException none) {
      return null;
    }
  }

  private String stall() {
    return written(timeouts.stall());
  }

  private static String written(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  @Override
  public void close() {
    onClose.run();
    socket.close();
  }
}
