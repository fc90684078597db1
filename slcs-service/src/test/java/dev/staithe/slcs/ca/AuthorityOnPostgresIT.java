package dev.staithe.slcs.ca;

import dev.staithe.peers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.postgresql.ds.PGSimpleDataSource;

/** The authority on a real PostgreSQL; a schema for each test. */
final class AuthorityOnPostgresIT extends AuthorityContract {
  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  DataSource database() throws Exception {
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
}
