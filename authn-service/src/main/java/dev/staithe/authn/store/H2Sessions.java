package dev.staithe.authn.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.staithe.authn.persistence.LogEnd;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.database.Migrations;
import dev.staithe.service.PasswordFile;
import dev.staithe.service.StoreUnavailable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sessions in a file of this node's own: best-effort only, because there is no second copy. In a
 * file without users or grants H2 writes every half second, so that a crash loses what the model
 * allows.
 */
final class H2Sessions implements SessionStore {
  private static final int CONNECTIONS = 4;
  private static final int ROWS_AT_ONCE = 10_000;
  private static final SessionRows ROWS = new SessionRows("");

  private final Clock clock;
  private final HikariDataSource pool;
  private final H2Writer writer;
  private final GroupCommit commits;

  private H2Sessions(HikariDataSource pool, Clock clock) {
    this.clock = clock;
    this.pool = pool;
    this.writer = new H2Writer(pool, ROWS);
    this.commits = new GroupCommit("session-store-writer", writer, true, clock, late -> {});
  }

  /**
   * Opens it, and makes its tables.
   *
   * @throws IllegalArgumentException with one line where it cannot be used
   */
  static H2Sessions open(StoreSettings.Relational settings, Clock clock) {
    if (settings.model() != PersistenceModel.BEST_EFFORT) {
      throw new IllegalArgumentException(
          SessionStores.name(settings.model())
              + " is not possible with H2, which knows only best-effort:"
              + " use PostgreSQL or Redis");
    }
    HikariConfig config = new HikariConfig();
    config.setPoolName("sessions");
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setMaximumPoolSize(CONNECTIONS);
    config.setInitializationFailTimeout(-1);
    try {
      PasswordFile.read(settings.passwordFile()).ifPresent(config::setPassword);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the password file of the session store cannot be read: " + e.getMessage(), e);
    }
    HikariDataSource pool = new HikariDataSource(config);
    try {
      Migrations.run(pool, "sessions");
      ensureEpoch(pool);
      return new H2Sessions(pool, clock);
    } catch (SQLException e) {
      pool.close();
      throw new IllegalArgumentException(
          "the session store cannot be used: " + PostgresConnections.line(e), e);
    } catch (IllegalArgumentException e) {
      pool.close();
      throw e;
    }
  }

  private static void ensureEpoch(HikariDataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "insert into session_epoch (one, epoch) select true, "
              + PostgresEpoch.fresh()
              + " where not exists (select 1 from session_epoch)");
    }
  }

  @Override
  public PersistenceModel model() {
    return PersistenceModel.BEST_EFFORT;
  }

  @Override
  public WriteOutcome open(Session session, Duration deadline) {
    return commits.open(session, deadline);
  }

  @Override
  public WriteOutcome revoke(Collection<Revocation> revocations, Duration deadline) {
    return commits.end(revocations, deadline);
  }

  /** One writer in one process: the order of numbers is the order of commits. */
  @Override
  public LogEnd readLog(String position, Duration timeout, Consumer<List<Revocation>> sink)
      throws StoreUnavailable {
    return call(
        connection -> {
          long after = position.isEmpty() ? 0 : Long.parseLong(position);
          long last = after;
          List<Revocation> entries = new ArrayList<>();
          try (PreparedStatement query =
              connection.prepareStatement(
                  "select session, subject, not_before, expires, seq from revocation"
                      + " where seq > ? and expires > ? order by seq")) {
            query.setLong(1, after);
            query.setLong(2, clock.millis());
            try (ResultSet row = query.executeQuery()) {
              while (row.next()) {
                entries.add(SessionRows.revocation(row));
                last = row.getLong(5);
                if (entries.size() == ROWS_AT_ONCE) {
                  sink.accept(entries);
                  entries.clear();
                }
              }
            }
          }
          sink.accept(entries);
          return new LogEnd(epoch(connection), Long.toString(last), false);
        });
  }

  private static long epoch(Connection connection) throws SQLException {
    try (Statement query = connection.createStatement();
        ResultSet row = query.executeQuery("select epoch from session_epoch")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void onHint(Runnable wake) {
    writer.onHint(wake);
  }

  @Override
  public WriteOutcome beginEpoch(Duration deadline) {
    return commits.begin(new Write.Begin(PostgresEpoch.fresh()), deadline);
  }

  @Override
  public Optional<Instant> lastUse(SessionId id, Duration timeout) throws StoreUnavailable {
    return call(connection -> ROWS.lastUse(connection, id, clock.instant()));
  }

  @Override
  public void touch(Map<SessionId, Instant> uses) throws StoreUnavailable {
    call(
        connection -> {
          try (PreparedStatement update =
              connection.prepareStatement(
                  "update session set last_use = ? where id = ? and last_use < ?")) {
            for (Map.Entry<SessionId, Instant> use : uses.entrySet()) {
              update.setLong(1, use.getValue().toEpochMilli());
              update.setObject(2, SessionRows.uuid(use.getKey()));
              update.setLong(3, use.getValue().toEpochMilli());
              update.addBatch();
            }
            return update.executeBatch();
          }
        });
  }

  @Override
  public Optional<Session> find(SessionId id) throws StoreUnavailable {
    return call(connection -> ROWS.find(connection, id, clock.instant()));
  }

  @Override
  public List<Session> sessionsOf(String subject) throws StoreUnavailable {
    return call(connection -> ROWS.of(connection, subject, clock.instant()));
  }

  @Override
  public long countOf(String subject) throws StoreUnavailable {
    return call(connection -> ROWS.count(connection, subject));
  }

  @Override
  public List<Session> sessions(int limit) throws StoreUnavailable {
    return call(connection -> ROWS.newest(connection, limit, clock.instant()));
  }

  @Override
  public void deleteExpired(Instant now) throws StoreUnavailable {
    call(
        connection -> {
          ROWS.deleteExpired(connection, now);
          return now;
        });
  }

  private interface Call<T> {
    T on(Connection connection) throws SQLException;
  }

  private <T> T call(Call<T> call) throws StoreUnavailable {
    try (Connection connection = pool.getConnection()) {
      return call.on(connection);
    } catch (SQLException e) {
      throw new StoreUnavailable(
          "the session store does not answer: " + PostgresConnections.line(e), e);
    }
  }

  @Override
  public Optional<String> trouble() {
    @Nullable String failing = commits.failing();
    return Optional.ofNullable(failing);
  }

  @Override
  public void close() {
    commits.close();
    pool.close();
  }
}
