package dev.staithe.delegation.credential;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.staithe.peers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Two nodes on a real PostgreSQL; a schema for each test. */
final class DelegationsOnPostgresIT {
  private static PostgresServer server;
  private static HikariDataSource pool;

  @BeforeAll
  static void startServer() throws IOException {
    server = PostgresServer.start();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.url());
    config.setUsername(server.user());
    config.setPassword(Files.readString(server.passwordFile()).strip());
    config.setMaximumPoolSize(20);
    pool = new HikariDataSource(config);
  }

  @AfterAll
  static void stopServer() {
    pool.close();
    server.close();
  }

  /** A new schema; its connections come from the pool of all, as to connect takes the longest. */
  private static DataSource schema() throws Exception {
    String schema = "s" + UUID.randomUUID().toString().replace("-", "");
    try (Connection connection = pool.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("create schema " + schema);
    }
    return new DelegatingDataSource(pool) {
      @Override
      public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        connection.setSchema(schema);
        return connection;
      }
    };
  }

  @Nested
  final class Taking extends TakingContract {
    @Override
    DataSource database() throws Exception {
      return schema();
    }
  }

  @Nested
  final class Acquiring extends AcquiringContract {
    @Override
    DataSource database() throws Exception {
      return schema();
    }
  }

  @Nested
  final class Upkeep extends UpkeepContract {
    @Override
    DataSource database() throws Exception {
      return schema();
    }
  }

  @Nested
  final class Tampering extends TamperingContract {
    @Override
    DataSource database() throws Exception {
      return schema();
    }
  }
}
