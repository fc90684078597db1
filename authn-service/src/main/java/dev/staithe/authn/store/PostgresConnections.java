package dev.staithe.authn.store;

import dev.staithe.service.PasswordFile;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/**
 * Opens connections to PostgreSQL. A server that does not answer makes each of them fail, within
 * seconds where a time is set, and by the kernel's keep-alive where none is.
 */
final class PostgresConnections {
  /** To log in there. */
  private static final int CONNECT_SECONDS = 3;

  private final StoreSettings.Relational settings;

  PostgresConnections(StoreSettings.Relational settings) {
    this.settings = settings;
  }

  /**
   * Opens one to the primary.
   *
   * @param name what it is for, as administrators see it
   * @param silence how long the server may be silent; zero for ever
   */
  Connection primary(String name, Duration silence) throws SQLException {
    return open(settings.url(), "primary", name, silence);
  }

  /** Opens one to where the log is read from. */
  Connection reading(String name, Duration silence) throws SQLException {
    return settings.readUrl().isPresent()
        ? open(settings.readUrl().get(), "any", name, silence)
        : primary(name, silence);
  }

  private Connection open(String url, String target, String name, Duration silence)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", settings.user());
    try {
      PasswordFile.read(settings.passwordFile())
          .ifPresent(password -> properties.setProperty("password", password));
    } catch (IOException e) {
      throw new SQLException("the password file cannot be read: " + e.getMessage(), "28000", e);
    }
    properties.setProperty("ApplicationName", name);
    properties.setProperty("targetServerType", target);
    properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
    // Logging in must not hang either, so that the time is lifted only afterwards.
    properties.setProperty("socketTimeout", Integer.toString(CONNECT_SECONDS));
    properties.setProperty("tcpKeepAlive", "true");
    Connection connection = DriverManager.getConnection(url, properties);
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(silence.toMillis()));
    return connection;
  }

  /** Closes without waiting for the server, for which a broken connection is nothing new. */
  static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException alreadyBroken) {
      // it is gone in either case
    }
  }

  /** One line of why. */
  static String line(SQLException e) {
    String message = String.valueOf(e.getMessage());
    return message.lines().findFirst().orElse("the database gives no reason").strip();
  }
}
