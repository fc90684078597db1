package dev.staithe.storage.remote;

import dev.staithe.http.BufferPool;
import dev.staithe.http.HeadLimits;
import dev.staithe.http.HttpConnection;
import dev.staithe.http.HttpFailure;
import dev.staithe.http.HttpSocket;
import dev.staithe.http.IdleConnections;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to remote servers: address guard, TCP, TLS. Safe for use by many threads; made
 * once.
 */
public final class RemoteClient implements AutoCloseable {
  private static final int EXTRA_STREAMS = 48;
  private static final int CLEANING = 8;

  /** Bytes of a buffer: sixteen TLS records with their overhead, and room for one more. */
  private static final int BUFFER_BYTES = 320 * 1024;

  private static final HeadLimits HEADS = new HeadLimits(64 * 1024, 500);

  /** Their buffers are held. */
  private static final int MOST_IDLE = 16;

  /** Apache closes after five seconds, nginx after 75. */
  private static final Duration REST = Duration.ofSeconds(4);

  /** How BoringSSL and the JDK write an alert of the other side. */
  private static final Pattern ALERT =
      Pattern.compile("(?:(?:tlsv1|sslv3)_alert_|fatal alert: )([a-z_]+)");

  private final RemoteGuard guard;
  private final BiFunction<String, Integer, SSLEngine> engines;
  private final CopySettings settings;
  private final BufferPool buffers;
  private final HttpConnection.Patience patience;

  /**
   * Those that a copy is done with, for the next one with the same server ({@code docs/adr/0063}).
   * Where a certificate of a client's was shown they are no other's.
   */
  private final IdleConnections<Place> idle =
      new IdleConnections<>(MOST_IDLE, REST, Duration.ofMinutes(1));

  private final Semaphore extraStreams = new Semaphore(EXTRA_STREAMS);
  private final CountedHosts counted =
      new CountedHosts(InetAddress::getAllByName, Duration.ofSeconds(1));

  /**
   * Makes a client.
   *
   * @param engines makes an engine in client mode for host and port, which checks the server's
   *     certificate and that it names the host
   * @param ownPort whether this server itself listens on a port: no copy connects to it
   */
  public RemoteClient(
      CopySettings settings, BiFunction<String, Integer, SSLEngine> engines, IntPredicate ownPort) {
    this(
        settings,
        engines,
        new RemoteGuard(settings.allowedNetworks(), ownPort, InetAddress::getAllByName));
  }

  /**
   * With a guard of its own.
   *
   * @param engines makes the TLS of a connection
   */
  public RemoteClient(
      CopySettings settings, BiFunction<String, Integer, SSLEngine> engines, RemoteGuard guard) {
    this.settings = settings;
    this.engines = engines;
    this.guard = guard;
    // Each running copy can always have a connection and the buffer that it reads files into;
    // streams beyond the first come from a share that may run out.
    int perConnection = HttpSocket.buffersFor(true);
    int most =
        (perConnection + 1) * (settings.limits().running() + CLEANING)
            + perConnection * (EXTRA_STREAMS + MOST_IDLE);
    this.buffers = new BufferPool(BUFFER_BYTES, most, most);
    this.patience =
        new HttpConnection.Patience(
            settings.timeouts().firstByte(),
            settings.timeouts().stall(),
            settings.timeouts().continueWait());
  }

  /** Permits for streams of a copy beyond its first. */
  public Semaphore extraStreams() {
    return extraStreams;
  }

  CopySettings settings() {
    return settings;
  }

  /** Memory that bytes pass through. */
  public BufferPool buffers() {
    return buffers;
  }

  /**
   * A connection that rests since another copy, or a new one with the first of the host's permitted
   * addresses that answers.
   *
   * @param as whose certificate the host sees if it asks for one; null: none
   * @param fresh whether one that was used before will not do
   * @throws RemoteFailure with one line that says what stands in the way
   */
  public HttpConnection open(
      RemoteUrl url, CopyProgress progress, @Nullable ActingAs as, boolean fresh)
      throws IOException {
    List<InetSocketAddress> addresses = guard.permitted(url);
    HttpConnection rested =
        fresh || as != null
            ? null
            : idle.take(
                Place.of(url, progress.sending()),
                each -> addresses.contains(each.socket().remote()));
    if (rested != null) {
      return goOn(rested, progress);
    }
    RemoteFailure last = null;
    for (int i = 0; i < addresses.size(); i++) {
      progress.refuseIfCancelled();
      Duration full = settings.timeouts().connect();
      // An address without an answer must not use up the patience for the next one.
      Duration limit =
          i == addresses.size() - 1 || full.compareTo(Duration.ofSeconds(3)) < 0
              ? full
              : Duration.ofSeconds(3);
      try {
        return connect(url, addresses.get(i), limit, progress, as);
      } catch (Unreachable unreachable) {
        last = new RemoteFailure(String.valueOf(unreachable.getMessage()), 400);
      }
    }
    throw last == null ? new RemoteFailure("the host " + url.host() + " is unknown", 400) : last;
  }

  /**
   * What connections of one kind lead to.
   *
   * @param sending how the kernel sends on them
   */
  private record Place(boolean https, String host, int port, CopyTuning.Sending sending) {
    static Place of(RemoteUrl url, CopyTuning.Sending sending) {
      return new Place(url.https(), url.host(), url.port(), sending);
    }
  }

  /** One address does not answer; another may. */
  private static final class Unreachable extends Exception {
    private static final long serialVersionUID = 1L;

    Unreachable(String line) {
      super(line);
    }
  }

  private HttpConnection connect(
      RemoteUrl url,
      InetSocketAddress address,
      Duration limit,
      CopyProgress progress,
      @Nullable ActingAs as)
      throws IOException, Unreachable {
    SSLEngine engine =
        url.https() ? (as == null ? engines : as.engines()).apply(url.host(), url.port()) : null;
    HttpSocket socket =
        HttpSocket.open(url.hostPort(), engine, buffers, settings.timeouts().connect());
    boolean done = false;
    try {
      progress.opened(socket);
      reach(socket, url, address, limit);
      secure(socket, url);
      progress.connected(address);
      progress.ready(socket);
      done = true;
      return new HttpConnection(socket, url.hostPort(), HEADS, patience);
    } finally {
      if (!done) {
        close(socket, progress);
      }
    }
  }

  private static HttpConnection goOn(HttpConnection rested, CopyProgress progress)
      throws RemoteFailure {
    InetSocketAddress remote = rested.socket().remote();
    boolean done = false;
    try {
      progress.opened(rested.socket());
      if (remote != null) {
        progress.connected(remote);
      }
      progress.ready(rested.socket());
      done = true;
      return rested;
    } finally {
      if (!done) {
        close(rested.socket(), progress);
      }
    }
  }

  /** Takes back a connection whose last response was read, of a copy that is over. */
  public void rest(HttpConnection connection, RemoteUrl url, CopyProgress progress) {
    // First, as nobody may abort for this copy what another has next.
    progress.closed(connection.socket());
    idle.add(Place.of(url, progress.sending()), connection);
  }

  /** Closes a socket that {@link #open} made, for the same copy. */
  static void close(HttpSocket socket, CopyProgress progress) {
    progress.closed(socket);
    socket.close();
  }

  private static void reach(
      HttpSocket socket, RemoteUrl url, InetSocketAddress address, Duration limit)
      throws IOException, Unreachable {
    try {
      socket.connect(address, limit);
    } catch (SocketTimeoutException late) {
      throw new Unreachable("connecting to " + url.hostPort() + ": Connection timed out");
    } catch (NoRouteToHostException e) {
      throw new Unreachable("connecting to " + url.hostPort() + ": No route to host");
    } catch (ConnectException e) {
      throw new Unreachable("connecting to " + url.hostPort() + ": Connection refused");
    } catch (HttpFailure aborted) {
      throw aborted;
    } catch (IOException e) {
      throw new Unreachable("connecting to " + url.hostPort() + " failed");
    }
  }

  private void secure(HttpSocket socket, RemoteUrl url) throws IOException {
    Duration limit = settings.timeouts().handshake();
    socket.within(
        limit, "the TLS handshake with " + url.hostPort() + " timed out, Connection timed out");
    try {
      socket.handshake();
    } catch (HttpFailure aborted) {
      throw aborted;
    } catch (IOException e) {
      throw new RemoteFailure(
          "TLS handshake with " + url.hostPort() + " failed: " + reason(e), 400);
    }
  }

  /** One line that names what an operator must mend; the providers' own texts tell too much. */
  private static String reason(IOException failure) {
    Optional<String> rejected = ClientTls.rejection(failure);
    if (rejected.isPresent()) {
      // Transfer tools know these words as a failure that another attempt does not mend.
      return rejected.get()
          + (rejected.get().endsWith("has expired") ? " (certificate has expired)" : "");
    }
    if (!(failure instanceof SSLException)) {
      return "the connection broke";
    }
    String text = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    if (text.contains("plaintext") || text.contains("wrong_version")) {
      return "the server does not speak TLS on this port";
    }
    if (text.contains("protocol_version") || text.contains("handshake_failure")) {
      return "no TLS version or cipher in common";
    }
    Matcher alert = ALERT.matcher(text);
    return "the two sides do not agree"
        + (alert.find() ? " (its alert: " + alert.group(1).replace('_', ' ') + ")" : "");
  }

  /** What the host of that URL is counted as; waits a second for its addresses at most. */
  public String counted(RemoteUrl url) {
    return counted.of(url.host());
  }

  /** Ends what rests; copies must have ended. */
  @Override
  public void close() {
    idle.close();
  }
}
