package dev.staithe.gateway.route;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * The service behind an endpoint, spoken to in HTTP/1.1 over connections that are kept. A message
 * is sent once: a back end that may have seen it is not asked again. Thread-safe; see {@code
 * docs/adr/0022}.
 */
public final class BackEnd implements AutoCloseable {
  /** Shorter than servers keep connections (nginx: 75 s, Tomcat: 20 s). */
  private static final long KEPT = TimeUnit.SECONDS.toNanos(10);

  /** What was used a moment ago is not looked at first. */
  private static final long FRESH = TimeUnit.SECONDS.toNanos(1);

  private static final int MOST_KEPT = 256;

  private final URI address;
  private final @Nullable SSLContext tls;
  private final Duration timeout;
  private final long largest;
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
    this.address = address;
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
  BackEndAnswer ask(BackEndRequest request, Bodies.Share share) {
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
      BackEndAnswer answer = connection.exchange(head, request, deadline, largest, share);
      whole = connection.isLasting();
      return answer;
    } catch (SocketTimeoutException e) {
      return failed(BackEndAnswer.Kind.TIMEOUT, "no whole answer within the time allowed");
    } catch (BackEndConnection.TooLarge e) {
      return failed(BackEndAnswer.Kind.TOO_LARGE, "its answer has more than " + largest + " bytes");
    } catch (Bodies.Full e) {
      return failed(BackEndAnswer.Kind.NO_ROOM, line(e));
    } catch (IOException e) {
      return failed(BackEndAnswer.Kind.BROKEN, line(e));
    } finally {
      if (whole && !closed && idle.size() < MOST_KEPT) {
        connection.putAside(System.nanoTime());
        idle.push(connection);
      } else {
        connection.close();
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
      if (aside < FRESH || (aside < KEPT && !next.isStale())) {
        dropOld(now);
        return next;
      }
      next.close();
    }
    return null;
  }

  private void dropOld(long now) {
    BackEndConnection oldest = idle.peekLast();
    if (oldest != null && now - oldest.idleSince() > KEPT && idle.removeLastOccurrence(oldest)) {
      oldest.close();
    }
  }

  private BackEndConnection connect(long deadline) throws IOException {
    Socket socket = new Socket();
    boolean open = false;
    try {
      socket.setTcpNoDelay(true);
      InetSocketAddress to = new InetSocketAddress(host, port);
      if (to.isUnresolved()) {
        throw new IOException("no such host");
      }
      long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
      socket.connect(to, (int) Math.min(left, Integer.MAX_VALUE));
      SSLContext context = tls;
      BackEndConnection connection;
      if (context == null) {
        connection = new BackEndConnection(socket);
      } else {
        SSLSocket secured =
            (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
        secured.startHandshake();
        connection = new BackEndConnection(secured);
      }
      open = true;
      return connection;
    } finally {
      if (!open) {
        socket.close();
      }
    }
  }

  /** Closes what is unused; exchanges that go on end by themselves. */
  @Override
  public void close() {
    closed = true;
    for (BackEndConnection next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      next.close();
    }
  }
}
