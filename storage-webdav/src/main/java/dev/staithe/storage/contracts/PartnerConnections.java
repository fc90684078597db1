package dev.staithe.storage.contracts;

import dev.staithe.http.AddressFallback;
import dev.staithe.http.BufferPool;
import dev.staithe.http.HeadLimits;
import dev.staithe.http.HeaderField;
import dev.staithe.http.HostLookUp;
import dev.staithe.http.HttpConnection;
import dev.staithe.http.HttpSocket;
import dev.staithe.http.IdleConnections;
import dev.staithe.http.ResponseBody;
import dev.staithe.http.ResponseHead;
import dev.staithe.tls.ClientTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Short requests to partners, by connections that rest for the next one: each transfer has a
 * receipt. Follows no redirect. For virtual threads, of which many may ask at once.
 */
final class PartnerConnections implements AutoCloseable {
  /** A TLS record with its overhead, and room for one more. */
  private static final int BUFFER_BYTES = 40 * 1024;

  private static final int BUFFERS = HttpSocket.buffersFor(true);

  /** Requests at once. */
  private static final int MOST = 256;

  /** Kept when nobody needs them. */
  private static final int MOST_IDLE = 32;

  private static final HeadLimits HEADS = new HeadLimits(16 * 1024, 100);
  private static final int USUAL_PORT = 443;
  private static final String CLOSED = "this server ends";
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** For all of an answer, connecting included. */
  private static final Duration WHOLE = Duration.ofSeconds(20);

  /** Servers close what rests some tens of seconds. */
  private static final Duration REST = Duration.ofSeconds(20);

  /** After this a partner shows its certificate again, however many requests follow each other. */
  private static final Duration LIFETIME = Duration.ofMinutes(1);

  private final BiFunction<String, Integer, SSLEngine> engines;
  private final int mostBytes;
  private final HostLookUp.Resolver resolver;
  private final BufferPool buffers =
      new BufferPool(BUFFER_BYTES, BUFFERS * (MOST + MOST_IDLE), BUFFERS * MOST_IDLE);

  private final IdleConnections<String> idle = new IdleConnections<>(MOST_IDLE, REST, LIFETIME);

  /** Those on which a request is under way. */
  private final Set<HttpSocket> busy = new HashSet<>();

  private boolean closed;

  /**
   * An answer.
   *
   * @param status of it
   * @param body all of it
   */
  record Answer(int status, byte[] body) {}

  /**
   * Connects with nobody yet.
   *
   * @param engines makes an engine in client mode for host and port, which checks the server's
   *     certificate and that it names the host
   * @param mostBytes of an answer's body
   */
  PartnerConnections(BiFunction<String, Integer, SSLEngine> engines, int mostBytes) {
    this(engines, mostBytes, InetAddress::getAllByName);
  }

  PartnerConnections(
      BiFunction<String, Integer, SSLEngine> engines, int mostBytes, HostLookUp.Resolver resolver) {
    this.engines = engines;
    this.mostBytes = mostBytes;
    this.resolver = resolver;
  }

  /**
   * Sends a request that may be sent twice, and has its answer.
   *
   * @param host {@code host:port}, or {@code host} where that is 443
   * @param path with the query
   * @param fields beside {@code Host} and {@code Content-Length}
   * @param body of a POST; null: a GET
   * @throws IOException with one line, which does not name the host
   */
  Answer send(String host, String path, List<HeaderField> fields, byte @Nullable [] body)
      throws IOException {
    byte[] request = request(host, path, fields, body);
    HttpConnection rested = idle.take(host);
    if (rested != null) {
      try {
        return exchange(host, rested, request, body != null);
      } catch (IOException failed) {
        if (!rested.wasStale()) {
          throw explained(failed);
        }
      }
    }
    try {
      return exchange(host, connect(host), request, body != null);
    } catch (IOException failed) {
      throw explained(failed);
    }
  }

  private static byte[] request(
      String host, String path, List<HeaderField> fields, byte @Nullable [] body) {
    StringBuilder head = new StringBuilder(1024);
    head.append(body == null ? "GET " : "POST ").append(path).append(" HTTP/1.1\r\nHost: ");
    head.append(host).append("\r\nUser-Agent: Staithe\r\nAccept: */*\r\n");
    for (HeaderField field : fields) {
      head.append(field.name()).append(": ").append(field.value()).append("\r\n");
    }
    if (body != null) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    byte[] text = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    return body == null
        ? text
        : ByteBuffer.allocate(text.length + body.length).put(text).put(body).array();
  }

  private Answer exchange(String host, HttpConnection connection, byte[] request, boolean post)
      throws IOException {
    boolean done = false;
    Answer answer;
    begin(connection.socket());
    try {
      connection.socket().within(WHOLE, "no answer within " + WHOLE.toSeconds() + " s");
      connection.begin(post ? "POST" : "GET", false);
      connection.send(ByteBuffer.wrap(request));
      ResponseHead head = connection.receive();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
      ResponseBody body = connection.body();
      for (ByteBuffer part = body.next(); part != null; part = body.next()) {
        if (bytes.size() + part.remaining() > mostBytes) {
          throw new IOException("its answer has more than " + mostBytes + " bytes");
        }
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        bytes.writeBytes(copy);
      }
      answer = new Answer(head.status(), bytes.toByteArray());
      done = true;
    } finally {
      synchronized (busy) {
        busy.remove(connection.socket());
      }
      if (!done) {
        connection.close();
      }
    }
    // Last: from here on it may be another request's.
    idle.add(host, connection);
    return answer;
  }

  private void begin(HttpSocket socket) {
    synchronized (busy) {
      busy.add(socket);
      if (closed) {
        socket.abort(CLOSED);
      }
    }
  }

  private HttpConnection connect(String host) throws IOException {
    URI url = URI.create("https://" + host);
    int port = url.getPort() < 0 ? USUAL_PORT : url.getPort();
    String name = url.getHost();
    HttpSocket socket =
        AddressFallback.connect(
            addresses(name),
            port,
            () -> HttpSocket.open("it", engines.apply(name, port), buffers, CONNECT),
            CONNECT);
    boolean done = false;
    try {
      socket.within(CONNECT, "the TLS handshake timed out");
      socket.handshake();
      done = true;
      return new HttpConnection(socket, "it", HEADS, null);
    } finally {
      if (!done) {
        socket.close();
      }
    }
  }

  private InetAddress[] addresses(String host) throws IOException {
    try {
      return HostLookUp.find(resolver, host, CONNECT);
    } catch (UnknownHostException unknown) {
      throw new IOException("the host is unknown", unknown);
    }
  }

  private static IOException explained(IOException failure) {
    String said = failure.getMessage() == null ? "" : failure.getMessage();
    String line =
        ClientTls.rejection(failure)
            .orElseGet(
                () ->
                    switch (failure) {
                      case SSLException tls -> "no TLS with it: " + said;
                      case ConnectException none -> "nobody listens there";
                      default -> said.isEmpty() ? "no answer" : said;
                    });
    return new IOException(line.lines().findFirst().orElse(""), failure);
  }

  @Override
  public void close() {
    idle.close();
    synchronized (busy) {
      closed = true;
      busy.forEach(each -> each.abort(CLOSED));
    }
  }
}
