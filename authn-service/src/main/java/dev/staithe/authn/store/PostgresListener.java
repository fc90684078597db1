package dev.staithe.authn.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Waits for the notifications that writers send. Only a primary can notify; while it cannot be
 * reached there are no hints, and the log's readers have only their own clock.
 */
final class PostgresListener implements AutoCloseable {
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final Duration BEFORE_AGAIN = Duration.ofSeconds(1);

  private final PostgresConnections connections;
  private final Runnable wake;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable Connection connection;

  PostgresListener(PostgresConnections connections, Runnable wake) {
    this.connections = connections;
    this.wake = wake;
    Thread.ofVirtual().name("session-store-listener").start(this::run);
  }

  private void run() {
    try {
      do {
        try {
          listen();
        } catch (SQLException e) {
          // Polling goes on without; whoever reads the log tells that the server is away.
        }
      } while (!closing.await(BEFORE_AGAIN.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen() throws SQLException {
    try (Connection open = connections.primary("staithe-listener", SILENCE);
        Statement statement = open.createStatement()) {
      connection = open;
      statement.execute("listen " + PostgresWriter.CHANNEL);
      PGConnection notifications = open.unwrap(PGConnection.class);
      wake.run(); // for what was missed before
      while (closing.getCount() > 0) {
        if (notifications.getNotifications(Math.toIntExact(SILENCE.toMillis())).length > 0) {
          wake.run();
        } else {
          statement.execute("select 1"); // fails where nobody is there any more
        }
      }
    } finally {
      connection = null;
    }
  }

  @Override
  public void close() {
    closing.countDown();
    Connection open = connection;
    if (open != null) {
      PostgresConnections.abort(open);
    }
  }
}
