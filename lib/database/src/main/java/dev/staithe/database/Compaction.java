package dev.staithe.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the file of an embedded database small while it is in use. H2 writes each commit behind the
 * last one, and where commits may not wait ({@code WRITE_DELAY=0}) it has no thread that moves what
 * is still valid together: a contract of 3 KB takes 62 KB until the service is started again.
 *
 * <p>What it moves it brings to the device first, every few seconds, so that a file whose power
 * fails has all but the last of them. Thread-safe; one for each file.
 */
public final class Compaction implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Compaction.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** Percent of the file that is valid; under it chunks are moved together. */
  private static final int FULL = 80;

  /** Bytes moved in one go, during which no commit is written: some 20 ms. */
  private static final int AT_ONCE = 8 << 20;

  private static final int MOST = 10;

  private final MVStore store;
  private final Thread thread;
  private long version = -1;

  private Compaction(MVStore store) {
    this.store = store;
    this.thread = Thread.ofPlatform().daemon().name("compaction").unstarted(this::run);
  }

  /**
   * For the file that these connections lead to, from now on.
   *
   * @throws SQLException where there is none
   */
  public static Compaction start(DataSource source) throws SQLException {
    Compaction compaction = of(source);
    compaction.thread.start();
    return compaction;
  }

  /** Without a thread. */
  static Compaction of(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      var session = (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
      return new Compaction(session.getDatabase().getStore().getMvStore());
    }
  }

  private void run() {
    try {
      while (!store.isClosed()) {
        Thread.sleep(PAUSE);
        once();
      }
    } catch (InterruptedException end) {
      // Closed.
    } catch (MVStoreException e) {
      // Where the file cannot be written, whoever commits is told.
      if (!store.isClosed()) {
        log.warn("the database's file is not kept small any more: {}", e.getMessage());
      }
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

  @Override
  public void close() {
    thread.interrupt();
  }
}
