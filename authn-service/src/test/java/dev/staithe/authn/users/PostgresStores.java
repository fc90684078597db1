package dev.staithe.authn.users;

import dev.staithe.testkit.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import org.postgresql.ds.PGSimpleDataSource;

/** User stores in PostgreSQL, each with a database of its own. */
public final class PostgresStores implements AutoCloseable {
  private final PostgresServer server = PostgresServer.start();
  private int last;

  /** An empty one. */
  public TestStore newStore() {
    last++;
    server.sql("create database test" + last);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.url().replaceAll("/[a-z]*$", "/test" + last));
    source.setUser(server.user());
    try {
      source.setPassword(Files.readString(server.passwordFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Closed: whoever goes on asking is not let in.
    return TestStore.on(source, "postgresql", () -> source.setPassword("no more"));
  }

  @Override
  public void close() {
    server.close();
  }
}
