package dev.staithe.delegation.credential;

import dev.staithe.testkit.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.postgresql.ds.PGSimpleDataSource;

/** Two nodes on a real PostgreSQL; a schema for each test. */
final class DelegationsOnPostgresIT {
  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static DataSource schema() throws Exception {
    String schema = "s" + UUID.randomUUID().toString().replace("-", "");
    try (Connection connection = source("public").getConnection();
        var statement = connection.createStatement()) {
      statement.execute("create schema " + schema);
    }
    return source(schema);
  }

  private static PGSimpleDataSource source(String schema) throws IOException {
    var source = new PGSimpleDataSource();
    source.setUrl(server.url());
    source.setUser(server.user());
    source.setPassword(Files.readString(server.passwordFile()).strip());
    source.setCurrentSchema(schema);
    return source;
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
