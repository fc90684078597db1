package dev.staithe.database;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Brings the tables of one part of the service up to date. Several parts may share a database: each
 * has its own folder of scripts, {@code db/<part>/<vendor>} on the class path, and its own history,
 * {@code flyway_<part>}. Nodes that start together wait for each other, and a change waits for
 * whoever uses a table, without keeping others out meanwhile.
 */
public final class Migrations {
  /** For {@code pg_advisory_lock}; of no meaning but ours. */
  private static final long LOCK = 0x5374616974686502L;

  private static final int LONGEST_MILLIS = (int) Duration.ofMinutes(10).toMillis();

  /** While a change of a table waits for its lock, all others who want the table wait behind it. */
  private static final int LOCK_MILLIS = 2000;

  private static final int PAUSE_MILLIS = 1000;

  /** PostgreSQL's {@code lock_not_available}. */
  private static final String LOCKED = "55P03";

  private static final Logger log = LoggerFactory.getLogger(Migrations.class);

  private Migrations() {}

  /**
   * Runs what is missing. Needs three connections at a time. An embedded database is kept as it was
   * until all is through: {@link MigrationCopy}.
   *
   * @param part as {@code sessions}
   * @throws IllegalArgumentException with one line where the database is of no vendor that we know,
   *     is not reachable, or is newer than this program
   */
  public static void run(DataSource database, String part) {
    try (Connection connection = database.getConnection()) {
      String vendor = vendor(connection);
      if (vendor.equals("postgresql")) {
        // Flyway's own lock does not cover the making of its history.
        await(connection);
      }
      try {
        Optional<MigrationCopy> copy =
            vendor.equals("h2") ? MigrationCopy.of(connection) : Optional.empty();
        if (copy.isPresent() && flyway(database, part, vendor).info().pending().length > 0) {
          copy.get().keep(connection);
        }
        migrate(database, part, vendor);
        if (copy.isPresent()) {
          copy.get().remove();
        }
      } finally {
        if (vendor.equals("postgresql")) {
          // The connection may be a pool's, and live on.
          try (Statement lock = connection.createStatement()) {
            lock.execute("select pg_advisory_unlock(" + LOCK + ")");
          }
        }
      }
    } catch (FlywayValidateException e) {
      throw new IllegalArgumentException(
          "the tables of "
              + part
              + " are not those of this program, but of a newer one or of changed scripts: "
              + finding(e),
          e);
    } catch (SQLException | IOException | FlywayException e) {
      throw new IllegalArgumentException(
          "the tables of " + part + " cannot be made or changed: " + firstLine(e), e);
    }
  }

  /** Another node may work for longer than a pool's connections wait for an answer. */
  private static void await(Connection connection) throws SQLException {
    int silence = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, LONGEST_MILLIS);
    try (Statement lock = connection.createStatement()) {
      lock.execute("select pg_advisory_lock(" + LOCK + ")");
    }
    connection.setNetworkTimeout(Runnable::run, silence);
  }

  /** Changes that find a table in use are tried again until it is free. */
  private static void migrate(DataSource database, String part, String vendor) {
    long end = System.nanoTime() + Duration.ofMillis(LONGEST_MILLIS).toNanos();
    boolean told = false;
    while (true) {
      try {
        flyway(database, part, vendor).migrate();
        return;
      } catch (FlywayException e) {
        if (!isLocked(e) || System.nanoTime() > end) {
          throw e;
        }
        if (!told) {
          log.info("The tables of {} are in use; they are changed as soon as they are free", part);
          told = true;
        }
        LockSupport.parkNanos(Duration.ofMillis(PAUSE_MILLIS).toNanos());
      }
    }
  }

  private static Flyway flyway(DataSource database, String part, String vendor) {
    FluentConfiguration flyway =
        Flyway.configure()
            .dataSource(vendor.equals("postgresql") ? new WaitingDataSource(database) : database)
            .locations("classpath:db/" + part + "/" + vendor)
            .table("flyway_" + part)
            // Tables of the other parts are there already: a history begins before version 1.
            .baselineOnMigrate(true)
            .baselineVersion("0")
            // Of its own accord it only warns where the history goes on after the last script.
            .ignoreMigrationPatterns(new String[0]);
    if (vendor.equals("postgresql")) {
      flyway.callbacks(new ShortLocks());
    }
    return flyway.load();
  }

  private static boolean isLocked(FlywayException e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql && LOCKED.equals(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }

  /** An index on a large table takes longer than a pool's connections wait for an answer. */
  private static final class WaitingDataSource extends DelegatingDataSource {
    WaitingDataSource(DataSource database) {
      super(database);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      // A pool takes it back with the connection.
      connection.setNetworkTimeout(Runnable::run, LONGEST_MILLIS);
      return connection;
    }
  }

  /** For the transaction of each script alone. */
  private static final class ShortLocks extends BaseCallback {
    @Override
    public boolean supports(Event event, Context context) {
      return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public void handle(Event event, Context context) {
      try (Statement set = context.getConnection().createStatement()) {
        set.execute("set local lock_timeout = " + LOCK_MILLIS);
      } catch (SQLException e) {
        throw new FlywayException("the time to wait for a lock cannot be set", e);
      }
    }
  }

  /** The vendor's name in folders of scripts: {@code h2} or {@code postgresql}. */
  public static String vendor(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "PostgreSQL", "H2" -> product.toLowerCase(Locale.ROOT);
      default ->
          throw new IllegalArgumentException(
              "there are scripts for PostgreSQL and H2, none for " + product);
    };
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).strip().lines().findFirst().orElse("no reason is known");
  }

  /** The first line says only that something was found. */
  private static String finding(FlywayValidateException e) {
    return String.valueOf(e.getMessage())
        .lines()
        .skip(1)
        .filter(line -> !line.isBlank())
        .findFirst()
        .orElseGet(() -> firstLine(e));
  }
}
