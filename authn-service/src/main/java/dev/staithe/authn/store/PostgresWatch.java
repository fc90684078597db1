package dev.staithe.authn.store;

import dev.staithe.authn.persistence.PersistenceModel;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks once a second, on a connection of its own, whether the server can keep the model's promise,
 * and whether it still knows the writer's connection.
 */
final class PostgresWatch implements AutoCloseable {
  static final String NO_NAMES =
      "synchronous_standby_names is empty, so that no commit waits for a second copy";

  private static final Duration BETWEEN = Duration.ofSeconds(1);
  private static final Duration SILENCE = Duration.ofSeconds(2);

  /** Looks without an answer before the writer's connection is given up. */
  private static final int SILENT_LOOKS = 3;

  private static final Pattern WANTED =
      Pattern.compile("(?i)\\s*(first|any)?\\s*(\\d+)\\s*\\(.*\\)\\s*");

  private final PostgresConnections connections;
  private final PersistenceModel model;
  private final PostgresWriter writer;
  private final String writerName;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private @Nullable Connection connection;
  private int silent;
  private volatile Optional<String> trouble = Optional.empty();

  PostgresWatch(
      PostgresConnections connections,
      PersistenceModel model,
      PostgresWriter writer,
      String writerName) {
    this.connections = connections;
    this.model = model;
    this.writer = writer;
    this.writerName = writerName;
    look();
    this.thread = Thread.ofVirtual().name("session-store-watch").start(this::run);
  }

  /** What was wrong at the last look. */
  Optional<String> trouble() {
    return trouble;
  }

  private void run() {
    try {
      while (!closing.await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      Connection open = connection;
      if (open == null || open.isClosed()) {
        open = connections.primary("staithe-watch", SILENCE);
        connection = open;
      }
      // Known before the question: a connection that is made meanwhile may be missing in the
      // answer.
      boolean connected = writer.connected();
      Seen seen = see(open);
      silent = 0;
      trouble = judge(model, seen);
      if (connected && !seen.writerKnown()) {
        writer.abort();
      }
    } catch (SQLException e) {
      Connection broken = connection;
      connection = null;
      if (broken != null) {
        PostgresConnections.abort(broken);
      }
      trouble = Optional.of("the database does not answer: " + PostgresConnections.line(e));
      if (++silent >= SILENT_LOOKS) {
        writer.abort();
      }
    }
  }

  /**
   * What a look shows.
   *
   * @param names the setting {@code synchronous_standby_names}
   * @param streaming how many standbys are connected
   * @param hidden of how many of these we may not see more than that
   * @param waitedFor how many of them a commit may wait for
   */
  record Seen(String names, int streaming, int hidden, int waitedFor, boolean writerKnown) {}

  private Seen see(Connection open) throws SQLException {
    try (PreparedStatement query =
        open.prepareStatement(
            """
            select current_setting('synchronous_standby_names'),
                   count(*) filter (where state = 'streaming'),
                   count(*) filter (where pid is not null and state is null),
                   count(*) filter (where state = 'streaming'
                                      and sync_state in ('sync', 'quorum')),
                   exists (select 1 from pg_stat_activity where application_name = ?)
              from pg_stat_replication
            """)) {
      query.setString(1, writerName);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return new Seen(
            row.getString(1), row.getInt(2), row.getInt(3), row.getInt(4), row.getBoolean(5));
      }
    }
  }

  /** Why the promise is not kept; empty where it is. */
  static Optional<String> judge(PersistenceModel model, Seen seen) {
    if (!model.assured()) {
      return Optional.empty();
    }
    String name = SessionStores.name(model);
    if (seen.names().isBlank()) {
      return Optional.of(name + ": " + NO_NAMES);
    }
    if (seen.hidden() > 0) {
      return Optional.of(
          name + " cannot be watched: the database's user needs the role pg_read_all_stats");
    }
    int wanted = wanted(seen.names());
    if (seen.waitedFor() < wanted) {
      return Optional.of(
          "%s needs %d synchronous standby(s), and %d of them are connected"
              .formatted(name, wanted, seen.waitedFor()));
    }
    if (model == PersistenceModel.ASSURED_READ && seen.streaming() > wanted) {
      return Optional.of(
          "assured-read: commits wait for %d of %d connected standbys, so that one may be behind"
              .formatted(wanted, seen.streaming()));
    }
    return Optional.empty();
  }

  /** How many standbys a commit waits for: a list without a number means its first. */
  private static int wanted(String names) {
    Matcher number = WANTED.matcher(names);
    return number.matches() ? Integer.parseInt(number.group(2)) : 1;
  }

  @Override
  public void close() {
    closing.countDown();
    try {
      if (!thread.join(SILENCE)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Connection open = connection;
    if (open != null) {
      PostgresConnections.abort(open);
    }
  }
}
