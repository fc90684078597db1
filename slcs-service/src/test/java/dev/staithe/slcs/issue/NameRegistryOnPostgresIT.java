package dev.staithe.slcs.issue;

import dev.staithe.testkit.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.postgresql.ds.PGSimpleDataSource;

class NameRegistryOnPostgresIT extends NameRegistryContract {
  private static PostgresServer server;
  private static PGSimpleDataSource source;

  @BeforeAll
  static void start() throws IOException {
    server = PostgresServer.start();
    source = new PGSimpleDataSource();
    source.setUrl(server.url());
    source.setUser(server.user());
    source.setPassword(Files.readString(server.passwordFile()));
    TestDatabase.migrate(source);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  DataSource source() {
    return source;
  }
}
