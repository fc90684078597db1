package dev.staithe.service.http;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of TLS handshakes that fail, which no access log has: one line each, a few in a minute, so
 * that nobody fills the log by failing. Those who connect and say nothing are not told of.
 * Thread-safe.
 */
final class FailedHandshakes implements SslHandshakeListener {
  private static final Logger log = LoggerFactory.getLogger(FailedHandshakes.class);
  private static final int LINES = 10;
  private static final long WINDOW = Duration.ofMinutes(1).toNanos();
  private static final int LONGEST = 200;

  private final LongSupplier nanos;
  private final AtomicLong begun;
  private final AtomicInteger failed = new AtomicInteger();

  /**
   * Has told of nothing yet.
   *
   * @param nanos elapsed time, as {@link System#nanoTime()}
   */
  FailedHandshakes(LongSupplier nanos) {
    this.nanos = nanos;
    this.begun = new AtomicLong(nanos.getAsLong());
  }

  @Override
  public void handshakeFailed(Event event, Throwable failure) {
    EndPoint client = event.getEndPoint();
    failed(client == null ? null : client.getRemoteSocketAddress(), failure);
  }

  void failed(@Nullable SocketAddress client, Throwable failure) {
    if (!(failure instanceof SSLException)) {
      // The connection broke, or it was silence.
      return;
    }
    long now = nanos.getAsLong();
    long since = begun.get();
    if (now - since > WINDOW && begun.compareAndSet(since, now)) {
      int untold = failed.getAndSet(0) - LINES;
      if (untold > 0) {
        log.info("{} more TLS handshakes have failed since the last line", untold);
      }
    }
    if (failed.incrementAndGet() <= LINES) {
      log.info("TLS handshake with {} failed: {}", client, line(failure));
    }
  }

  /** What a client sent may be in it: one line, of letters that a log can take. */
  private static String line(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    String line = message.replaceAll("[^\\x21-\\x7e]+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST);
  }
}
