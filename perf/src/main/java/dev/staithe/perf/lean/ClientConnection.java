package dev.staithe.perf.lean;

import dev.staithe.http.BufferPool;
import dev.staithe.http.HeadLimits;
import dev.staithe.http.HeaderField;
import dev.staithe.http.HttpConnection;
import dev.staithe.http.HttpSocket;
import dev.staithe.http.ResponseBody;
import dev.staithe.http.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection of a client that spends as little as it can: content is made from one
 * buffer, and thrown away as it comes unless it is asked for. Not thread-safe.
 */
public final class ClientConnection implements AutoCloseable {
  static final HeadLimits HEADS = new HeadLimits(16 << 10, 200);

  /** What is kept of content that nobody reads. */
  private static final int TAIL = 512;

  private static final int LONGEST_KEPT = 16 << 20;

  /** So large that one read takes what the kernel has, and a batch of TLS's records. */
  private static final BufferPool PLAIN = new BufferPool(1 << 20, Integer.MAX_VALUE, 64);

  private static final BufferPool TLS = new BufferPool(320 << 10, Integer.MAX_VALUE, 192);

  /**
   * What came back.
   *
   * @param bytes of content
   * @param content all of it where that was asked for, else its end, at most 512 bytes
   */
  public record Answer(ResponseHead head, long bytes, byte[] content) {
    /** The status code. */
    public int status() {
      return head.status();
    }

    /** The only or first value of a header; empty where there is none. */
    public String header(String name) {
      return Objects.requireNonNullElse(head.field(name), "");
    }

    /** All values of a header. */
    public List<String> values(String name) {
      return head.fields().list().stream()
          .filter(field -> field.name().equalsIgnoreCase(name))
          .map(HeaderField::value)
          .toList();
    }

    /** The content that was kept, as UTF-8. */
    public String text() {
      return new String(content, StandardCharsets.UTF_8);
    }

    /** One line for messages. */
    public String beginning() {
      return text().substring(0, Math.min(200, text().length())).replaceAll("\\s+", " ").strip();
    }
  }

  private final HttpConnection http;
  private final String host;
  private final String cipher;
  private final StringBuilder head = new StringBuilder(512);
  private final byte[] tail = new byte[TAIL];
  private int tailLength;
  private boolean reusable = true;

  private ClientConnection(HttpConnection http, String host, String cipher) {
    this.http = http;
    this.host = host;
    this.cipher = cipher;
  }

  /**
   * Connects; by the loopback address of IPv4 to {@code localhost}.
   *
   * @param origin scheme, host and perhaps port
   * @param engine in client mode; absent for no TLS
   * @param patience between two bytes; absent for any
   */
  public static ClientConnection open(
      URI origin, @Nullable SSLEngine engine, @Nullable Duration patience) throws IOException {
    int usual = "https".equals(origin.getScheme()) ? 443 : 80;
    int port = origin.getPort() < 0 ? usual : origin.getPort();
    InetAddress address =
        "localhost".equals(origin.getHost())
            ? InetAddress.ofLiteral("127.0.0.1")
            : InetAddress.getAllByName(origin.getHost())[0];
    String host = origin.getHost() + ":" + port;
    HttpSocket socket = HttpSocket.open(host, engine, engine == null ? PLAIN : TLS, Duration.ZERO);
    try {
      socket.connect(new InetSocketAddress(address, port), Duration.ZERO);
      socket.handshake();
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
    return new ClientConnection(
        new HttpConnection(
            socket,
            host,
            HEADS,
            patience == null
                ? null
                : new HttpConnection.Patience(patience, patience, Duration.ZERO)),
        host,
        engine == null
            ? ""
            : engine.getSession().getProtocol() + " " + engine.getSession().getCipherSuite());
  }

  /** Whether another request may follow. */
  public boolean reusable() {
    return reusable;
  }

  /** The negotiated protocol and cipher suite, empty without TLS. */
  public String cipher() {
    return cipher;
  }

  /**
   * Sends a request and reads all of the answer.
   *
   * @param bodyBytes negative for no content
   * @param whole whether the answer's content is kept
   */
  public Answer exchange(
      String method,
      String target,
      Map<String, String> headers,
      long bodyBytes,
      ByteBuffer content,
      boolean keepAlive,
      boolean whole)
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
    reusable = false;
    http.begin(method, false);
    if (bodyBytes > 0 && bodyBytes <= content.remaining()) {
      // A small request in one packet, as any sensible client sends it.
      ByteBuffer all = ByteBuffer.allocate(first.remaining() + (int) bodyBytes);
      all.put(first).put(content.slice(content.position(), (int) bodyBytes));
      http.send(all.flip());
    } else {
      http.send(first);
      for (long left = bodyBytes; left > 0; ) {
        ByteBuffer part = content.duplicate();
        part.limit(part.position() + (int) Math.min(part.remaining(), left));
        left -= part.remaining();
        http.send(part);
      }
    }
    ResponseHead answered = http.receive();
    Answer answer = whole ? kept(answered, http.body()) : passed(answered, http.body());
    reusable = http.reusable();
    return answer;
  }

  private static Answer kept(ResponseHead head, ResponseBody body) throws IOException {
    var all = new ByteArrayOutputStream();
    for (ByteBuffer part = body.next(); part != null; part = body.next()) {
      if (all.size() + part.remaining() > LONGEST_KEPT) {
        throw new IOException("the answer is longer than " + LONGEST_KEPT + " bytes");
      }
      byte[] copy = new byte[part.remaining()];
      part.get(copy);
      all.writeBytes(copy);
    }
    return new Answer(head, all.size(), all.toByteArray());
  }

  private Answer passed(ResponseHead head, ResponseBody body) throws IOException {
    tailLength = 0;
    long bytes = 0;
    for (ByteBuffer part = body.next(); part != null; part = body.next()) {
      bytes += part.remaining();
      if (body.length() - bytes < TAIL) {
        remember(part);
      }
    }
    return new Answer(head, bytes, Arrays.copyOf(tail, tailLength));
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
    http.close();
  }
}
