package dev.staithe.service.http;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bears with times in which no connection can be accepted, most often because there are no more
 * descriptors: says so in one line, lets those who come wait, and tries again.
 */
class PatientConnector extends ServerConnector {
  private static final Logger log = LoggerFactory.getLogger(PatientConnector.class);
  private static final long QUIET = Duration.ofMinutes(1).toNanos();
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** For the one thread that accepts. */
  private @Nullable Long failedLast;

  PatientConnector(Server server, ByteBufferPool buffers, ConnectionFactory... factories) {
    super(server, null, null, buffers, -1, -1, factories);
  }

  @Override
  protected boolean handleAcceptFailure(Throwable failure) {
    if (!isRunning()
        || !(failure instanceof IOException)
        || failure instanceof ClosedByInterruptException) {
      return super.handleAcceptFailure(failure);
    }
    long now = System.nanoTime();
    boolean ends = failure instanceof ClosedChannelException;
    if (!ends && (failedLast == null || now - failedLast > QUIET)) {
      log.warn("connections cannot be accepted, and wait: {}", failure.getMessage());
    }
    failedLast = now;
    try {
      // Nothing tells when there are descriptors again, and accept() fails at once until then.
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
