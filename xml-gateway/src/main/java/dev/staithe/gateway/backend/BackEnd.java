package dev.staithe.gateway.backend;

import dev.staithe.http.BufferPool;
import dev.staithe.http.HttpFailure;
import dev.staithe.http.HttpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The service behind an endpoint, spoken to in HTTP/1.1 over connections that are kept. A message
 * is sent once: a back end that may have seen it is not asked again. Thread-safe; see {@code
 * docs/adr/0022}.
 */
public final class BackEnd implements AutoCloseable {
  /** Shorter than servers keep connections (nginx: 75 s, Tomcat: 20 s). */
  private static final Duration REST = Duration.ofSeconds(10);

  /** What was used a moment ago is not looked at first. */
  private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

  /**
   * Since it was opened, after which a connection is not kept, however many requests follow each
   * other: by then a service shows its certificate again, and its name is looked up.
   */
  private static final Duration LIFETIME = Duration.ofMinutes(10);

  private static final int MOST_KEPT = 256;

  /** Of all back ends: a head and a record of TLS in each, as many as there are exchanges. */
  private static final BufferPool BUFFERS = new BufferPool(36 * 1024, Integer.MAX_VALUE, MOST_KEPT);

  private final URI address;
  private final @Nullable SSLContext tls;
  private final Duration timeout;
  private final long largest;
  private final Duration lifetime;
  private final Duration rest;
  private final byte[] head;
  private final String host;
  private final int port;
  private final ConcurrentLinkedDeque<BackEndConnection> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /**
   * Connects to nobody yet.
   *
   * @param address http or https, without a fragment
   * @param tls whom we trust; null for http
   * @param timeout of a whole exchange, the connection included
   * @param largest bytes of an answer
   */
  public BackEnd(URI address, @Nullable SSLContext tls, Duration timeout, long largest) {
    this(address, tls, timeout, largest, LIFETIME, REST);
  }

  BackEnd(
      URI address,
      @Nullable SSLContext tls,
      Duration timeout,
      long largest,
      Duration lifetime,
      Duration rest) {
    this.address = address;
    this.lifetime = lifetime;
    this.rest = rest;
    this.tls = "https".equals(address.getScheme()) ? tls : null;
    this.timeout = timeout;
    this.largest = Math.min(largest, Integer.MAX_VALUE - 64);
    String written = address.getHost();
    this.host = written.startsWith("[") ? written.substring(1, written.length() - 1) : written;
    boolean https = "https".equals(address.getScheme());
    if (https && tls == null) {
      throw new IllegalArgumentException("https needs trust");
    }
    this.port = address.getPort() >= 0 ? address.getPort() : https ? 443 : 80;
    String path =
        address.getRawPath() == null || address.getRawPath().isEmpty() ? "/" : address.getRawPath();
    String query = address.getRawQuery() == null ? "" : "?" + address.getRawQuery();
    String authority = address.getPort() >= 0 ? written + ":" + port : written;
    this.head =
        ("POST " + path + query + " HTTP/1.1\r\nHost: " + authority + "\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Where it is. */
  public URI address() {
    return address;
  }

  /** How many connections are kept open and unused. */
  int kept() {
    return idle.size();
  }

  /**
   * Sends a request and waits for the whole answer.
   *
   * @param share of the exchange, which pays for the answer
   */
  public BackEndAnswer ask(BackEndRequest request, Bodies.Share share) {
    long deadline = System.nanoTime() + timeout.toNanos();
    BackEndConnection connection = kept(System.nanoTime());
    if (connection == null) {
      try {
        connection = connect(deadline);
      } catch (SocketTimeoutException e) {
        return failed(BackEndAnswer.Kind.DOWN, "no connection within the time allowed");
      } catch (SSLException e) {
        return failed(BackEndAnswer.Kind.DOWN, "no TLS: " + line(e));
      } catch (IOException e) {
        return failed(BackEndAnswer.Kind.DOWN, line(e));
      }
    }
    boolean whole = false;
    try {
      connection.http().socket().within(left(deadline), "no whole answer within the time allowed");
      BackEndAnswer answer = connection.exchange(head, request, largest, share);
      whole =
          connection.http().reusable() && connection.http().socket().age().compareTo(lifetime) < 0;
      return answer;
    } catch (HttpFailure e) {
      boolean late = e.kind() == HttpFailure.Kind.GIVEN_UP;
      return failed(late ? BackEndAnswer.Kind.TIMEOUT : BackEndAnswer.Kind.BROKEN, line(e));
    } catch (BackEndConnection.TooLarge e) {
      return failed(BackEndAnswer.Kind.TOO_LARGE, "its answer has more than " + largest + " bytes");
    } catch (Bodies.Full e) {
      return failed(BackEndAnswer.Kind.NO_ROOM, line(e));
    } catch (IOException e) {
      return failed(BackEndAnswer.Kind.BROKEN, line(e));
    } finally {
      if (whole && !closed && idle.size() < MOST_KEPT) {
        // Later than anybody takes it: one that the service has closed is not left so.
        connection.http().socket().rest(rest.plusSeconds(1), "nobody needed the connection");
        connection.putAside(System.nanoTime());
        idle.push(connection);
      } else {
        connection.http().close();
      }
    }
  }

  private BackEndAnswer failed(BackEndAnswer.Kind kind, String line) {
    return new BackEndAnswer.Failed(kind, address + ": " + line);
  }

  private static String line(IOException e) {
    String message = e.getMessage();
    return message == null || message.isBlank()
        ? e.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }

  /** The one used last: the others become old and are dropped. */
  private @Nullable BackEndConnection kept(long now) {
    for (BackEndConnection next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      long aside = now - next.idleSince();
      if (aside < FRESH || (aside < rest.toNanos() && !next.http().hasEnded())) {
        dropOld(now);
        return next;
      }
      next.http().close();
    }
    return null;
  }

  private void dropOld(long now) {
    BackEndConnection oldest = idle.peekLast();
    if (oldest != null
        && now - oldest.idleSince() > rest.toNanos()
        && idle.removeLastOccurrence(oldest)) {
      oldest.http().close();
    }
  }

  private static Duration left(long deadline) {
    return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
  }

  private BackEndConnection connect(long deadline) throws IOException {
    InetSocketAddress to = new InetSocketAddress(host, port);
    if (to.isUnresolved()) {
      throw new IOException("no such host");
    }
    HttpSocket socket = HttpSocket.open("it", engine(), BUFFERS, Duration.ZERO);
    boolean open = false;
    try {
      socket.connect(to, left(deadline));
      socket.within(left(deadline), "no connection within the time allowed");
      socket.handshake();
      open = true;
      return new BackEndConnection(socket);
    } finally {
      if (!open) {
        socket.close();
      }
    }
  }

  private @Nullable SSLEngine engine() {
    SSLContext context = tls;
    if (context == null) {
      return null;
    }
    SSLEngine engine = context.createSSLEngine(host, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** Closes what is unused; exchanges that go on end by themselves. */
  @Override
  public void close() {
    closed = true;
    for (BackEndConnection next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      next.http().close();
    }
  }
}
