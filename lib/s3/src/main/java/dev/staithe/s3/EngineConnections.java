package dev.staithe.s3;

import dev.staithe.http.AddressFallback;
import dev.staithe.http.BufferPool;
import dev.staithe.http.FairShares;
import dev.staithe.http.HeadLimits;
import dev.staithe.http.HostLookUp;
import dev.staithe.http.HttpConnection;
import dev.staithe.http.HttpFailure;
import dev.staithe.http.HttpSocket;
import dev.staithe.http.IdleConnections;
import dev.staithe.tls.ClientTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;

/** Connections with one engine, kept for the next request. Safe for use by many threads. */
final class EngineConnections implements AutoCloseable {
  /** Sixteen TLS records with their overhead, and room for one more. */
  private static final int BUFFER_BYTES = 320 * 1024;

  private static final HeadLimits HEADS = new HeadLimits(64 * 1024, 500);

  /** Engines close what rests some tens of seconds. */
  private static final Duration REST = Duration.ofSeconds(20);

  /** However many requests follow each other: by then an engine that was replaced is seen. */
  private static final Duration LIFETIME = Duration.ofMinutes(10);

  /** Kept when nobody needs them. */
  private static final int MOST_IDLE = 32;

  private final S3Endpoint endpoint;
  private final S3Settings settings;
  private final BiFunction<String, Integer, SSLEngine> engines;
  private final BufferPool buffers;
  private final Semaphore free;

  /** Of these, on which bodies may be read: as slowly as whoever reads them likes. */
  private final FairShares bodies;

  private final IdleConnections<S3Endpoint> idle = new IdleConnections<>(MOST_IDLE, REST, LIFETIME);

  EngineConnections(
      S3Endpoint endpoint, S3Settings settings, BiFunction<String, Integer, SSLEngine> engines) {
    this.endpoint = endpoint;
    this.settings = settings;
    this.engines = engines;
    int each = HttpSocket.buffersFor(endpoint.https());
    this.buffers = new BufferPool(BUFFER_BYTES, each * settings.connections(), each * MOST_IDLE);
    this.free = new Semaphore(settings.connections(), true);
    this.bodies = new FairShares(Math.max(1, settings.connections() * 3 / 4));
  }

  /**
   * A connection that is ready for a request; {@link #give} or {@link #drop} ends its use.
   *
   * @param fresh whether one that was used before will not do
   * @throws S3Failure where none comes about
   */
  HttpConnection take(boolean fresh, Duration answer) throws S3Failure {
    acquire();
    boolean taken = false;
    try {
      HttpConnection connection = ready(fresh, answer);
      taken = true;
      return connection;
    } finally {
      if (!taken) {
        free.release(); // Whatever failed, and be it that there was no memory.
      }
    }
  }

  /**
   * Waits until one more body may be read, before its connection is taken; {@link #giveBody} ends
   * that. Some connections are left for all that is not read at the pace of a client, and for other
   * readers.
   *
   * @param reader at whose pace it is read
   * @throws S3Failure where the others are read for too long
   */
  void takeBody(String reader) throws S3Failure {
    try {
      if (!bodies.take(reader, settings.answer())) {
        throw inUse("the connections with " + name() + " that a reader may have");
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  void giveBody(String reader) {
    bodies.give(reader);
  }

  private void acquire() throws S3Failure {
    try {
      if (!free.tryAcquire(settings.answer().toNanos(), TimeUnit.NANOSECONDS)) {
        throw inUse("all " + settings.connections() + " connections with " + name());
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static S3Failure inUse(String which) {
    return new S3Failure(S3Failure.Kind.BUSY, which + " are in use");
  }

  private static S3Failure interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new S3Failure(S3Failure.Kind.UNREACHABLE, "interrupted", e);
  }

  private HttpConnection ready(boolean fresh, Duration answer) throws S3Failure {
    if (fresh) {
      // Those that rest hold buffers, of which a new one may need some.
      idle.closeOne();
    } else {
      HttpConnection kept = idle.take(endpoint);
      if (kept != null) {
        return kept;
      }
    }
    return open(answer);
  }

  private String name() {
    return "the object store " + endpoint.hostPort();
  }

  private HttpConnection open(Duration answer) throws S3Failure {
    InetAddress[] addresses;
    try {
      addresses = HostLookUp.find(InetAddress::getAllByName, endpoint.host(), settings.connect());
    } catch (UnknownHostException e) {
      throw new S3Failure(S3Failure.Kind.UNREACHABLE, "the host of " + name() + " is unknown", e);
    } catch (HttpFailure e) {
      throw new S3Failure(
          S3Failure.Kind.UNREACHABLE, "looking for " + name() + ": " + e.getMessage(), e);
    }
    HttpSocket socket = reach(addresses);
    boolean done = false;
    try {
      socket.within(settings.connect(), "the TLS handshake with " + name() + " timed out");
      socket.handshake();
      done = true;
      return new HttpConnection(
          socket,
          name(),
          HEADS,
          new HttpConnection.Patience(answer, settings.stall(), settings.connect()));
    } catch (IOException e) {
      throw unreachable("the TLS handshake with ", ClientTls.rejection(e), e);
    } finally {
      if (!done) {
        socket.close();
      }
    }
  }

  private HttpSocket reach(InetAddress[] addresses) throws S3Failure {
    try {
      return AddressFallback.connect(
          addresses, endpoint.port(), this::unconnected, settings.connect());
    } catch (IOException e) {
      throw unreachable("connecting to ", Optional.empty(), e);
    }
  }

  private HttpSocket unconnected() throws IOException {
    SSLEngine engine = endpoint.https() ? engines.apply(endpoint.host(), endpoint.port()) : null;
    return HttpSocket.open(name(), engine, buffers, settings.connect());
  }

  private S3Failure unreachable(String step, Optional<String> rejection, IOException e) {
    String reason =
        rejection.orElseGet(() -> e.getMessage() == null ? "no reason given" : e.getMessage());
    return new S3Failure(S3Failure.Kind.UNREACHABLE, step + name() + " failed: " + reason, e);
  }

  /** Ends a use; the connection is kept where another request may follow on it. */
  void give(HttpConnection connection) {
    idle.add(endpoint, connection);
    free.release();
  }

  /** Ends a use and the connection with it. */
  void drop(HttpConnection connection) {
    connection.close();
    free.release();
  }

  @Override
  public void close() {
    idle.close();
  }
}
