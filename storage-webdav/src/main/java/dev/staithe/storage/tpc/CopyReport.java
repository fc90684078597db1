package dev.staithe.storage.tpc;

import dev.staithe.storage.exchange.Exchange;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopyResult;
import dev.staithe.storage.remote.CopySettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@code COPY}: a status for what fails at once, else the marker stream. It also
 * watches for the client's leaving, which cancels the copy. For the request's thread.
 *
 * <p>Leaving is found by looking for input every moment instead of registering interest in it: a
 * registered interest could not be taken back when the copy ends, and Jetty aborts a connection
 * whose response completes while a read is pending. Whatever bytes come meanwhile are dropped,
 * which is why the response says that the connection closes.
 */
final class CopyReport {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int MOST_DROPPED = 64 * 1024;
  private static final Set<CopyProgress.Phase> BEFORE_BYTES =
      EnumSet.of(CopyProgress.Phase.CONNECTING);

  private final Exchange exchange;
  private final CopyProgress progress;
  private final PerformanceMarkers markers;
  private final CopySettings settings;
  private final ByteBuffer dropped = BufferUtil.allocate(1024);
  private final boolean watchable;
  private int droppedBytes;

  CopyReport(
      Exchange exchange, CopyProgress progress, PerformanceMarkers markers, CopySettings settings) {
    this.exchange = exchange;
    this.progress = progress;
    this.markers = markers;
    this.settings = settings;
    HttpVersion version = exchange.request().getConnectionMetaData().getHttpVersion();
    this.watchable = version == HttpVersion.HTTP_1_1 || version == HttpVersion.HTTP_1_0;
  }

  /**
   * Answers until the copy has ended.
   *
   * @param cancel called with the reason when the client goes away
   * @throws IOException where the answer cannot be written
   */
  void run(Consumer<String> cancel) throws IOException {
    if (watchable) {
      exchange.response().getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
    } else {
      exchange.request().addFailureListener(failure -> cancel.accept("the client went away"));
    }
    try {
      // Without a wait every failure is in the stream, however soon it came: clients read it there.
      CopyResult early = settings.earlyAnswer().isZero() ? null : awaitBeginning(cancel);
      if (early instanceof CopyResult.Failed(String line, int status) && status != 0) {
        if (status == 429 || status == 503) {
          exchange
              .response()
              .getHeaders()
              .put(HttpHeader.RETRY_AFTER, settings.limits().retryAfter().toSeconds());
        }
        exchange.refuse(status, PerformanceMarkers.flat(line));
        return;
      }
      stream(cancel);
    } catch (InterruptedException interrupted) {
      cancel.accept("the request was interrupted");
      Thread.currentThread().interrupt();
      throw new IOException("interrupted");
    }
  }

  /** Waits for bytes to flow, or the end, within the time that the status may be held back. */
  private @Nullable CopyResult awaitBeginning(Consumer<String> cancel) throws InterruptedException {
    long until = System.nanoTime() + settings.earlyAnswer().toNanos();
    while (progress.result() == null && BEFORE_BYTES.contains(progress.phase())) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        break;
      }
      progress.awaitChange(BEFORE_BYTES, Math.min(left, LOOK_NANOS));
      cancelIfLeft(cancel);
    }
    return progress.result();
  }

  private void stream(Consumer<String> cancel) throws IOException, InterruptedException {
    exchange.response().setStatus(202);
    if (exchange.request().getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1) {
      // Jetty would let the connection's end be the body's, which looks alike when we are killed.
      exchange
          .response()
          .getHeaders()
          .put(HttpHeader.TRANSFER_ENCODING, HttpHeaderValue.CHUNKED.asString());
    }
    exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, PerformanceMarkers.CONTENT_TYPE);
    exchange.write(markers.marker(progress), false);
    long period = settings.markerPeriod().toNanos();
    long next = System.nanoTime() + period;
    Set<CopyProgress.Phase> all = EnumSet.allOf(CopyProgress.Phase.class);
    while (progress.result() == null) {
      long left = next - System.nanoTime();
      if (left <= 0) {
        exchange.write(markers.marker(progress), false);
        next += period;
      } else {
        progress.awaitChange(all, Math.min(left, LOOK_NANOS));
        cancelIfLeft(cancel);
      }
    }
    CopyResult result = progress.result();
    if (result != null) {
      exchange.write(markers.marker(progress), false);
      exchange.write(PerformanceMarkers.end(result), true);
    }
  }

  private void cancelIfLeft(Consumer<String> cancel) {
    if (progress.result() == null && progress.cancelled() == null && hasLeft()) {
      cancel.accept("the client closed the connection");
    }
  }

  /** Whether the client closed its side, wholly or half. */
  private boolean hasLeft() {
    if (!watchable) {
      return false;
    }
    EndPoint client = exchange.request().getConnectionMetaData().getConnection().getEndPoint();
    try {
      while (true) {
        BufferUtil.clear(dropped);
        int n = client.fill(dropped);
        if (n <= 0) {
          return n < 0 || !client.isOpen();
        }
        droppedBytes += n;
        if (droppedBytes > MOST_DROPPED) {
          return true;
        }
      }
    } catch (IOException broken) {
      return true;
    }
  }
}
