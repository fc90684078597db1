package dev.staithe.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings the tables of one part of the service up to date. Several parts may share a database: each
 * has its own folder of scripts, {@code db/<part>/<vendor>} on the class path, and its own history,
 * {@code flyway_<part>}. Nodes that start together wait for each other.
 */
public final class Migrations {
  /** For {@code pg_advisory_lock}; of no meaning but ours. */
  private static final long LOCK = 0x5374616974686502L;

  private Migrations() {}

  /**
   * Runs what is missing. Needs two connections at a time.
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
        try (Statement lock = connection.createStatement()) {
          lock.execute("select pg_advisory_lock(" + LOCK + ")");
        }
      }
      try {
        migrate(database, part, vendor);
      } finally {
        if (vendor.equals("postgresql")) {
          // The connection may be a pool's, and live on.
          try (Statement lock = connection.createStatement()) {
            lock.execute("select pg_advisory_unlock(" + LOCK + ")");
          }
        }
      }
    } catch (SQLException | FlywayException e) {
      throw new IllegalArgumentException(
          "the tables of " + part + " cannot be made or changed: " + firstLine(e), e);
    }
  }

  private static void migrate(DataSource database, String part, String vendor) {
    Flyway.configure()
        .dataSource(database)
        .locations("classpath:db/" + part + "/" + vendor)
        .table("flyway_" + part)
        // Tables of the other parts are there already: a history begins before version 1.
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
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
}
