package dev.staithe.slcs.issue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.staithe.peers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class NameRegistryOnPostgresIT extends NameRegistryContract {
  private static PostgresServer server;
  private static HikariDataSource source;

  @BeforeAll
  static void start() throws IOException {
    server = PostgresServer.start();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.url());
    config.setUsername(server.user());
    config.setPassword(Files.readString(server.passwordFile()));
    source = new HikariDataSource(config);
    TestDatabase.migrate(source);
  }

  @AfterAll
  static void stop() {
    source.close();
    server.close();
  }

  @Override
  DataSource source() {
    return source;
  }
}
