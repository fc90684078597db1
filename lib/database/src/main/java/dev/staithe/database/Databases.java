package dev.staithe.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import dev.staithe.service.OneLineFailure;
import dev.staithe.service.Reason;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The relational databases of the service's parts, which may be one or three: a part that is slow
 * then keeps only its own connections busy. Not thread-safe.
 */
public final class Databases implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 3000;

  /** What H2 is told where the URL does not say it. */
  private static final Map<String, String> H2_SETTINGS =
      Map.of(
          // A file of stack traces beside the database, and one on standard error where it cannot
          // be.
          "TRACE_LEVEL_FILE",
          "0",
          // Of its own accord it remembers eight statements, and reads and plans all others again
          // at each use.
          "QUERY_CACHE_SIZE",
          "64",
          // Of its own accord it writes what was committed, and answered, half a second later.
          "WRITE_DELAY",
          "0",
          // Of its own accord it closes the file as soon as the process is told to end, under those
          // who still have something to write; ours is closed after them.
          "DB_CLOSE_ON_EXIT",
          "FALSE",
          // Milliseconds before what is out of date is written over: by then Compaction has brought
          // to the device what took its place. Of its own accord it waits 45 seconds for the
          // kernel.
          "RETENTION_TIME",
          "30000");

  /** {@code ErrorCode.DATABASE_ALREADY_OPEN_1}. */
  private static final int H2_IN_USE = 90020;

  /** What PostgreSQL says that is no primary any more: {@code read_only_sql_transaction}. */
  private static final String READ_ONLY = "25006";

  /** More than any of our statements takes. */
  private static final int SILENCE_SECONDS = 5;

  private final DatabaseProperties usual;
  private final Path state;
  private final String name;
  private final List<HikariDataSource> opened = new ArrayList<>();
  private final Map<String, Compaction> compacted = new HashMap<>();

  /**
   * @param usual for parts that have no database of their own
   * @param state the folder of the embedded database, where {@code usual} names none
   * @param name of the embedded database's file
   */
  public Databases(DatabaseProperties usual, Path state, String name) {
    this.usual = usual;
    this.state = state;
    this.name = name;
  }

  /**
   * Whether a failure of a database may be over soon, so that the same may work then: it is away,
   * another server takes over, or somebody else was in the way. What it says of a statement or a
   * value it says again, however often that is tried.
   */
  public static boolean mayPass(Throwable failure) {
    return failure instanceof DataAccessResourceFailureException
        || failure instanceof TransientDataAccessException
        || failure instanceof RecoverableDataAccessException
        // A transaction that does not begin or end: Spring has a family of its own for these.
        || failure instanceof TransactionException
        || (failure instanceof SQLException said && READ_ONLY.equals(said.getSQLState()));
  }

  /** Where a part's data are. */
  public record Place(String url, String user, @Nullable Path passwordFile, int connections) {}

  /** Where a part keeps its data, with {@code own} or the usual settings. */
  public Place place(@Nullable DatabaseProperties own) {
    DatabaseProperties properties = own == null ? usual : own;
    String url = properties.url();
    return new Place(
        url == null ? "jdbc:h2:file:" + state.toAbsolutePath().resolve(name) : url,
        properties.user(),
        properties.passwordFile(),
        properties.connections());
  }

  /**
   * Opens a pool for a part of a service that starts, and brings its tables up to date; what cannot
   * be is told as a wrong setting.
   *
   * @param own the part's own database, null for the usual one
   * @param key of the setting that names its own
   * @param migrations whose tables it has, as {@code sessions}
   */
  public HikariDataSource migrated(
      String part, @Nullable DatabaseProperties own, String key, String... migrations) {
    return OneLineFailure.started(
        own == null ? "staithe.database" : key,
        () -> {
          HikariDataSource source = open(part, own);
          for (String each : migrations) {
            Migrations.run(source, each);
          }
          return source;
        });
  }

  /**
   * Opens a pool for a part.
   *
   * @throws IOException with one line where the password's file cannot be read or the database does
   *     not answer
   */
  public HikariDataSource open(String part, @Nullable DatabaseProperties own) throws IOException {
    Place place = place(own);
    if (place.url().startsWith("jdbc:h2:file:" + state.toAbsolutePath()) && !Files.exists(state)) {
      OneLineFailure.started("staithe.state", this::makeState);
    }
    var config = new HikariConfig();
    config.setPoolName(part);
    config.setJdbcUrl(place.url());
    config.setUsername(place.user());
    Path password = place.passwordFile();
    if (password != null) {
      config.setCredentialsProvider(new FileCredentials(place.user(), password));
    }
    boolean compacts = place.url().startsWith("jdbc:h2:") && !compacted.containsKey(place.url());
    config.setMaximumPoolSize(place.connections() + (compacts ? 1 : 0));
    config.setMinimumIdle(1);
    config.setConnectionTimeout(PATIENCE_MILLIS);
    config.setRegisterMbeans(false);
    // The usual one. Asked of the first connection, which may break at that, it would stay unknown,
    // and the pool would have no connection until the next start.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    if (place.url().startsWith("jdbc:postgresql:")) {
      // A server that hangs must not hold the threads of requests: a time limit of a statement
      // alone asks that same server to cancel it, and waits.
      config.addDataSourceProperty("connectTimeout", Long.toString(PATIENCE_MILLIS / 1000));
      config.addDataSourceProperty("socketTimeout", Integer.toString(SILENCE_SECONDS));
      config.addDataSourceProperty("tcpKeepAlive", "true");
      // Of several servers in the URL, the one that takes writes.
      config.addDataSourceProperty("targetServerType", "primary");
    }
    if (place.url().startsWith("jdbc:h2:")) {
      // As H2 reads them, settings in the URL may be written in small letters.
      String given = place.url().toUpperCase(Locale.ROOT);
      H2_SETTINGS.forEach(
          (setting, value) -> {
            if (!given.contains(";" + setting + "=")) {
              config.addDataSourceProperty(setting, value);
            }
          });
    }
    if (compacts) {
      MigrationCopy.takeBack(place.url());
    }
    try {
      var source = new HikariDataSource(config);
      opened.add(source);
      if (compacts) {
        Compaction.start(source).ifPresent(each -> compacted.put(place.url(), each));
      }
      return source;
    } catch (SQLException e) {
      throw new IOException(shown(place) + " cannot be used: " + Reason.of(e), e);
    } catch (HikariPool.PoolInitializationException e) {
      throw new IOException(shown(place) + " cannot be used: " + reason(e), e);
    }
  }

  /** Without its settings, of which one may be a password. */
  private static String shown(Place place) {
    return place.url().split("[?;]", 2)[0];
  }

  /** Of this user alone: secrets will be in there. */
  private Path makeState() throws IOException {
    return Files.createDirectories(
        state, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Drivers say what they were about; what was wrong with the file or the network is below. */
  private static String reason(HikariPool.PoolInitializationException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    if (cause instanceof SQLException sql && sql.getErrorCode() == H2_IN_USE) {
      return "another process has it open";
    }
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof IOException && !(t instanceof ConnectException)) {
        return Reason.of(t);
      }
    }
    return Reason.of(cause);
  }

  @Override
  public void close() {
    compacted.values().forEach(Compaction::close);
    opened.forEach(HikariDataSource::close);
  }
}
