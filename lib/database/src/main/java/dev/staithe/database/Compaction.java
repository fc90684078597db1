package dev.staithe.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the file of an embedded database small while it is in use. H2 writes each commit behind the
 * last one, and where commits may not wait ({@code WRITE_DELAY=0}) it has no thread that moves what
 * is still valid together: a contract of 3 KB takes 62 KB until the service is started again.
 *
 * <p>What it moves it brings to the device first, every few seconds, so that a file whose power
 * fails has all but the last of them. It holds a connection for as long: with the last one H2
 * closes the file, which is another to this class when somebody opens it again. Thread-safe; one
 * for each file.
 */
public final class Compaction implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Compaction.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** Percent of the file that is valid; under it chunks are moved together. */
  private static final int FULL = 80;

  /** Bytes moved in one go, during which no commit is written: some 20 ms. */
  private static final int AT_ONCE = 8 << 20;

  private static final int MOST = 10;

  private final Connection held;
  private final MVStore store;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private long version = -1;

  private Compaction(Connection held, MVStore store, Duration pause) {
    this.held = held;
    this.store = store;
    this.thread = Thread.ofPlatform().daemon().name("compaction").unstarted(() -> run(pause));
  }

  /**
   * For the file that these connections lead to, of which one is its own from now on; empty where
   * another process has the file open and answers for it.
   *
   * @throws SQLException where there is no connection
   */
  public static Optional<Compaction> start(DataSource source) throws SQLException {
    return start(source, PAUSE);
  }

  static Optional<Compaction> start(DataSource source, Duration pause) throws SQLException {
    Optional<Compaction> compaction = of(source, pause);
    compaction.ifPresent(each -> each.thread.start());
    return compaction;
  }

  /** Without a thread. */
  static Optional<Compaction> of(DataSource source, Duration pause) throws SQLException {
    Connection connection = source.getConnection();
    if (connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal session) {
      MVStore store = session.getDatabase().getStore().getMvStore();
      return Optional.of(new Compaction(connection, store, pause));
    }
    connection.close();
    return Optional.empty();
  }

  /** Goes on after a failure: what is out of date is written over whether it is called or not. */
  private void run(Duration pause) {
    boolean works = true;
    try {
      while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS) && !store.isClosed()) {
        try {
          once();
          works = true;
        } catch (RuntimeException | Error e) {
          // Where the file cannot be written, whoever commits is told as well. Where memory is
          // short for a moment nobody else would ever bring to the device what is written.
          if (works && !store.isClosed()) {
            log.warn("the database's file is not kept small: {}", e.getMessage());
          }
          works = false;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nothing where nothing was written since the last time. */
  void once() {
    if (store.getCurrentVersion() == version) {
      return;
    }
    store.sync();
    for (int i = 0; i < MOST && store.compact(FULL, AT_ONCE); i++) {
      Thread.yield();
    }
    version = store.getCurrentVersion();
  }

  /** Waits for what is under way: a thread that is interrupted as it writes closes H2's file. */
  @Override
  public void close() {
    closed.countDown();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    try {
      held.close();
    } catch (SQLException e) {
      log.warn("a connection of the database does not close: {}", e.getMessage());
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
