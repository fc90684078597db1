package dev.staithe.authn.users;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.staithe.peers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** User stores in PostgreSQL, each with a database of its own. */
public final class PostgresStores implements AutoCloseable {
  private final PostgresServer server = PostgresServer.start();
  private int last;

  /** An empty one. */
  public TestStore newStore() {
    last++;
    server.sql("create database test" + last);
    // Pooled, as the service has it: to connect costs ten times a statement.
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.url().replaceAll("/[a-z]*$", "/test" + last));
    config.setUsername(server.user());
    config.setMaximumPoolSize(6);
    config.setMinimumIdle(0);
    try {
      config.setPassword(Files.readString(server.passwordFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    HikariDataSource pool = new HikariDataSource(config);
    return TestStore.on(pool, "postgresql", pool::close);
  }

  @Override
  public void close() {
    server.close();
  }
}
