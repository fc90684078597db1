package dev.staithe.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection with a server, one request at a time, for one virtual thread.
 *
 * <p>The order of calls is {@link #begin}, {@link #send} with the head, then for a request with a
 * body perhaps {@link #awaitContinue}, {@link #send} and {@link #bodySent}, then {@link #receive}
 * and {@link #body}.
 */
public final class HttpConnection implements AutoCloseable {
  private static final int MAX_INTERIM = 32;
  private static final long DRAIN = 64 * 1024;
  private static final Duration FORGETTING = Duration.ofSeconds(1);

  /**
   * How long the parts of an exchange may take.
   *
   * @param firstByte until the response begins
   * @param stall without any byte while data is due
   * @param continueWait for {@code 100 Continue} before the body is sent unasked
   */
  public record Patience(Duration firstByte, Duration stall, Duration continueWait) {}

  private final HttpSocket socket;
  private final String name;
  private final HeadLimits limits;
  private final @Nullable Patience patience;
  private final HeadReader heads;
  private String method = "";
  private @Nullable ResponseHead head;
  private @Nullable ResponseBody body;
  private int exchanges;
  private int interim;
  private boolean heard;
  private boolean bodyOwed;

  /**
   * Takes over a socket that is ready for requests.
   *
   * @param name of the other side, for messages
   * @param patience null where whoever owns the socket limits the whole exchange
   */
  public HttpConnection(
      HttpSocket socket, String name, HeadLimits limits, @Nullable Patience patience) {
    this.socket = socket;
    this.name = name;
    this.limits = limits;
    this.patience = patience;
    this.heads = new HeadReader(limits);
  }

  /** What it goes over. */
  public HttpSocket socket() {
    return socket;
  }

  /** Whether the server had closed this kept connection before it saw the request. */
  public boolean wasStale() {
    return exchanges > 1 && !heard && !socket.isAborted();
  }

  /**
   * Whether the server has closed the connection, or has said something unasked, since its last
   * response; waits for nothing.
   */
  public boolean hasEnded() {
    try {
      return socket.isAborted() || socket.fillNow() != 0;
    } catch (IOException broken) {
      return true;
    }
  }

  /**
   * Begins an exchange; what follows is the request, by {@link #send}.
   *
   * @param withBody whether a body belongs to it, which {@link #bodySent} ends
   */
  public void begin(String requestMethod, boolean withBody) {
    method = requestMethod;
    head = null;
    body = null;
    heard = false;
    bodyOwed = withBody;
    exchanges++;
    interim = 0;
  }

  /** The final response's head; waits for it, past interim ones. */
  public ResponseHead receive() throws IOException {
    if (patience != null && head == null) {
      Duration limit = patience.firstByte();
      socket.within(limit, "no response from " + name + " within " + written(limit));
    }
    ResponseHead known = head;
    while (known == null) {
      if (next() == null) {
        heard |= arrived(socket.fill());
      }
      known = head;
    }
    return known;
  }

  /** The next head that is there, interim or final. */
  private @Nullable ResponseHead next() throws HttpFailure {
    ResponseHead next = heads.read(socket.input());
    if (next == null) {
      return null;
    }
    if (next.status() == 101) {
      throw HttpFailure.malformed("the remote server switched to another protocol unasked");
    }
    if (next.status() < 200) {
      if (++interim > MAX_INTERIM) {
        throw HttpFailure.malformed(name + " sends interim responses without end");
      }
      return next;
    }
    body = ResponseBody.of(method, next, socket, limits);
    head = next;
    if (patience != null) {
      socket.eachWithin(patience.stall(), "no bytes received for " + written(patience.stall()));
    }
    return next;
  }

  /** Whether there are more bytes; fails at the end. */
  private boolean arrived(int bytes) throws HttpFailure {
    if (bytes < 0) {
      throw HttpFailure.broken(name + " closed the connection without a response");
    }
    return bytes > 0;
  }

  /**
   * Waits for {@code 100 Continue} or a final response, as long as the patience lasts.
   *
   * @return the final response, or null where the body is to be sent
   */
  public @Nullable ResponseHead awaitContinue() throws IOException {
    long until = System.nanoTime() + (patience == null ? 0 : patience.continueWait().toNanos());
    long pause = 500_000;
    while (System.nanoTime() - until < 0) {
      ResponseHead next = next();
      if (next != null && (next.status() == 100 || next == head)) {
        return head;
      }
      if (next == null) {
        if (arrived(socket.fillNow())) {
          heard = true;
        } else {
          LockSupport.parkNanos(pause);
          pause = Math.min(pause * 2, 20_000_000);
        }
      }
    }
    heard = true; // In its way: a connection that had been closed would have ended by now.
    return null;
  }

  /**
   * Sends a part of the request.
   *
   * @throws IOException where the connection broke; a response may still be there to {@link
   *     #receive}
   */
  public void send(ByteBuffer part) throws IOException {
    if (patience != null) {
      Duration stall = patience.stall();
      socket.eachWithin(stall, "no bytes accepted by " + name + " for " + written(stall));
    }
    socket.write(part);
  }

  /** Says that the whole body was sent, so that the connection may be used again. */
  public void bodySent() {
    bodyOwed = false;
  }

  /** A final response that came before the body was sent, without waiting. */
  public @Nullable ResponseHead earlyResponse() throws IOException {
    heard |= arrived(socket.fillNow());
    while (head == null && next() != null) {
      // An interim one says nothing of the body.
    }
    return head;
  }

  /** The response's body; only after {@link #receive}. */
  public ResponseBody body() {
    ResponseBody known = body;
    if (known == null) {
      throw new IllegalStateException("no response was received");
    }
    return known;
  }

  /** Whether the server sent more than its response's body: then its length was a lie. */
  public boolean sentTooMuch() {
    if (!body().endsConnection() && !socket.input().hasRemaining()) {
      try {
        socket.fillNow();
      } catch (IOException broken) {
        return false; // All of the body came, whatever becomes of the connection.
      }
    }
    return socket.input().hasRemaining();
  }

  /**
   * Whether another request may follow on this connection, after forgetting a short rest, which
   * must come at once: a server that adds to its answer for ever holds nobody up. Where there was a
   * rest, no limit of time holds afterwards.
   */
  public boolean reusable() {
    ResponseHead known = head;
    if (known == null
        || bodyOwed
        || socket.isAborted()
        || !known.keepsAlive()
        || body().endsConnection()) {
      return false;
    }
    if (body().complete()) {
      return !socket.input().hasRemaining();
    }
    socket.within(FORGETTING, "the rest of an answer of " + name + " did not come");
    try {
      return body().drain(DRAIN) && !socket.input().hasRemaining();
    } catch (IOException broken) {
      return false;
    } finally {
      socket.rest();
    }
  }

  /**
   * The response to a request whose body could not be sent to its end, if the server gave one
   * before it closed the connection.
   */
  public @Nullable ResponseHead lastWords() {
    try {
      return receive();
    } catch (IOException none) {
      return null;
    }
  }

  /** A time as messages have it. */
  public static String written(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  @Override
  public void close() {
    socket.close();
  }
}
