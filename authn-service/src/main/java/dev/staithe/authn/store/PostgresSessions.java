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
import dev.staithe.service.StoreUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Sessions in PostgreSQL, for any number of nodes. The writer, the reader of the log, the listener
 * and the watch have a connection each, so that none of them waits for the others or for the few
 * that serve all else.
 */
final class PostgresSessions implements SessionStore {
  private static final int CONNECTIONS = 4;
  private static final int EXPIRED_AT_ONCE = 2000;
  private static final Duration SILENCE = Duration.ofSeconds(5);
  private static final Duration FOR_A_CONNECTION = Duration.ofMillis(500);

  /** For {@code pg_try_advisory_xact_lock}: one node at a time forgets what has expired. */
  private static final long EXPIRY_LOCK = 0x5374616974686501L;

  private final PersistenceModel model;
  private final SessionRows rows;
  private final Clock clock;
  private final PostgresConnections connections;
  private final HikariDataSource primary;
  private final Optional<HikariDataSource> standby;
  private final PostgresWriter writer;
  private final GroupCommit commits;
  private final Announcer announcer;
  private final PostgresLog log;
  private final PostgresWatch watch;
  private final List<PostgresListener> listeners = new CopyOnWriteArrayList<>();

  private PostgresSessions(StoreSettings.Relational settings, SessionRows rows, Clock clock) {
    this.model = settings.model();
    this.rows = rows;
    this.clock = clock;
    this.connections = new PostgresConnections(settings);
    this.primary = pool(() -> connections.primary("staithe", SILENCE), "sessions");
    this.standby =
        settings
            .readUrl()
            .map(url -> pool(() -> connections.reading("staithe", SILENCE), "sessions-standby"));
    String name = "staithe-writer-" + UUID.randomUUID();
    this.writer = new PostgresWriter(connections, rows, model, name);
    this.announcer = new Announcer(this::tell, clock);
    this.commits =
        new GroupCommit(
            "session-store-writer", writer, !model.assured(), clock, announcer::announce);
    this.log = new PostgresLog(connections, rows, clock, "staithe-log", this::ensureEpoch);
    this.watch = new PostgresWatch(connections, model, writer, name);
  }

  /**
   * Opens it, and makes its tables.
   *
   * @throws IllegalArgumentException with one line where it cannot be used
   */
  static PostgresSessions open(StoreSettings.Relational settings, Clock clock) {
    SessionRows rows = new SessionRows(settings.model() == PersistenceModel.OFF ? "volatile_" : "");
    PostgresConnections connections = new PostgresConnections(settings);
    Migrations.run(source(() -> connections.primary("staithe-start", Duration.ZERO)), "sessions");
    try (Connection first = connections.primary("staithe-start", SILENCE)) {
      if (settings.model().assured() && standbyNames(first).isBlank()) {
        throw new IllegalArgumentException(
            SessionStores.name(settings.model()) + " is not possible: " + PostgresWatch.NO_NAMES);
      }
      PostgresEpoch.ensure(first, rows);
    } catch (SQLException e) {
      throw new IllegalArgumentException(
          "the session store cannot be used: " + PostgresConnections.line(e), e);
    }
    return new PostgresSessions(settings, rows, clock);
  }

  private static String standbyNames(Connection connection) throws SQLException {
    try (Statement show = connection.createStatement();
        ResultSet row = show.executeQuery("show synchronous_standby_names")) {
      row.next();
      return row.getString(1);
    }
  }

  private interface Opening {
    Connection open() throws SQLException;
  }

  private static DataSource source(Opening opening) {
    return new AbstractDataSource() {
      @Override
      public Connection getConnection() throws SQLException {
        return opening.open();
      }

      @Override
      public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
      }
    };
  }

  private static HikariDataSource pool(Opening opening, String name) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(source(opening));
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(FOR_A_CONNECTION.toMillis());
    config.setValidationTimeout(FOR_A_CONNECTION.toMillis());
    config.setInitializationFailTimeout(-1);
    // Asked of the first connection, which may break at that, it would stay unknown, and the pool
    // would have none until the next start.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    // What goes this way may be lost without harm, and must not wait for a standby.
    config.setConnectionInitSql("set synchronous_commit = off");
    return new HikariDataSource(config);
  }

  private void ensureEpoch() throws SQLException {
    try (Connection connection = primary.getConnection()) {
      PostgresEpoch.ensure(connection, rows);
    }
  }

  @Override
  public PersistenceModel model() {
    return model;
  }

  @Override
  public WriteOutcome open(Session session, Duration deadline) {
    return commits.open(session, deadline);
  }

  /**
   * Where the acknowledgement does not come, the entries are written once more without waiting for
   * any standby, again until that succeeds: a logout that is not assured is still obeyed by the
   * other nodes.
   */
  @Override
  public WriteOutcome revoke(Collection<Revocation> revocations, Duration deadline) {
    return commits.end(revocations, deadline);
  }

  private void tell(List<Revocation> revocations) throws StoreUnavailable {
    call(
        primary,
        SILENCE,
        connection -> {
          PostgresEpoch.ensure(connection, rows);
          connection.setAutoCommit(true);
          writer.log(connection, revocations);
          try (Statement notify = connection.createStatement()) {
            return notify.execute("notify " + PostgresWriter.CHANNEL);
          }
        });
  }

  @Override
  public LogEnd readLog(String position, Duration timeout, Consumer<List<Revocation>> entries)
      throws StoreUnavailable {
    return log.read(position, timeout, entries);
  }

  @Override
  public void onHint(Runnable wake) {
    listeners.add(new PostgresListener(connections, wake));
  }

  @Override
  public WriteOutcome beginEpoch(Duration deadline) {
    return commits.begin(new Write.Begin(PostgresEpoch.fresh()), deadline);
  }

  @Override
  public Optional<Instant> lastUse(SessionId id, Duration timeout) throws StoreUnavailable {
    return call(
        standby.orElse(primary),
        timeout,
        connection -> rows.lastUse(connection, id, clock.instant()));
  }

  /**
   * Rows that somebody else is changing are left out: those of a logout that waits for a standby
   * would hold all others up, and those of another node's touch get nearly the same time.
   */
  @Override
  public void touch(Map<SessionId, Instant> uses) throws StoreUnavailable {
    if (uses.isEmpty()) {
      return;
    }
    Object[] ids = new Object[uses.size()];
    Object[] times = new Object[uses.size()];
    int i = 0;
    for (Map.Entry<SessionId, Instant> use : uses.entrySet()) {
      ids[i] = SessionRows.uuid(use.getKey());
      times[i++] = use.getValue().toEpochMilli();
    }
    call(
        primary,
        SILENCE,
        connection -> {
          try (PreparedStatement update =
              connection.prepareStatement(
                  """
                  with used as (
                         select * from unnest(?::uuid[], ?::bigint[]) as u (id, time)),
                       free as (
                         select s.id, u.time from %1$s s join used u on u.id = s.id
                          where s.last_use < u.time
                          order by s.id for no key update of s skip locked)
                  update %1$s s set last_use = greatest(s.last_use, free.time)
                    from free where s.id = free.id
                  """
                      .formatted(rows.sessions()))) {
            update.setArray(1, connection.createArrayOf("uuid", ids));
            update.setArray(2, connection.createArrayOf("int8", times));
            return update.executeUpdate();
          }
        });
  }

  @Override
  public Optional<Session> find(SessionId id) throws StoreUnavailable {
    return call(
        standby.orElse(primary), SILENCE, connection -> rows.find(connection, id, clock.instant()));
  }

  @Override
  public List<Session> sessionsOf(String subject) throws StoreUnavailable {
    return call(primary, SILENCE, connection -> rows.of(connection, subject, clock.instant()));
  }

  @Override
  public long countOf(String subject) throws StoreUnavailable {
    return call(primary, SILENCE, connection -> rows.count(connection, subject));
  }

  @Override
  public List<Session> sessions(int limit) throws StoreUnavailable {
    return call(primary, SILENCE, connection -> rows.newest(connection, limit, clock.instant()));
  }

  /**
   * In pieces: all that has gathered while no node ran may take longer than the server may be
   * silent, and would be undone as often as it was tried.
   */
  @Override
  public void deleteExpired(Instant now) throws StoreUnavailable {
    boolean more = true;
    while (more) {
      more = call(primary, SILENCE, connection -> deleteSome(connection, now));
    }
  }

  /** Whether there may be more. */
  private boolean deleteSome(Connection connection, Instant now) throws SQLException {
    boolean more = false;
    connection.setAutoCommit(false);
    try (Statement lock = connection.createStatement();
        ResultSet row =
            lock.executeQuery("select pg_try_advisory_xact_lock(" + EXPIRY_LOCK + ")")) {
      row.next();
      if (row.getBoolean(1)) {
        int sessions = deleteSome(connection, rows.sessions(), now);
        int revocations = deleteSome(connection, rows.revocations(), now);
        more = Math.max(sessions, revocations) == EXPIRED_AT_ONCE;
        if (!more) {
          rows.deleteEnded(connection);
        }
      }
    }
    connection.commit();
    return more;
  }

  private static int deleteSome(Connection connection, String table, Instant now)
      throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            """
            delete from %1$s
             where ctid = any (array(select ctid from %1$s where expires <= ? limit %2$d))
            """
                .formatted(table, EXPIRED_AT_ONCE))) {
      delete.setLong(1, now.toEpochMilli());
      return delete.executeUpdate();
    }
  }

  private interface Call<T> {
    T on(Connection connection) throws SQLException;
  }

  private static <T> T call(DataSource pool, Duration timeout, Call<T> call)
      throws StoreUnavailable {
    try (Connection connection = pool.getConnection()) {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(Math.max(1, timeout.toMillis())));
      return call.on(connection);
    } catch (SQLException e) {
      throw new StoreUnavailable(
          "the session store does not answer: " + PostgresConnections.line(e), e);
    }
  }

  @Override
  public Optional<String> trouble() {
    String failing = commits.failing();
    return failing == null ? watch.trouble() : Optional.of(failing);
  }

  @Override
  public void close() {
    commits.close();
    announcer.close();
    listeners.forEach(PostgresListener::close);
    watch.close();
    log.close();
    primary.close();
    standby.ifPresent(HikariDataSource::close);
  }
}
