package dev.staithe.authn.oauth;

import dev.staithe.database.Migrations;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/** Stores of their own for a test: clients, grants, keys, and users beside them. */
public final class OauthStore implements AutoCloseable {
  private final JdbcConnectionPool pool =
      JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");

  /** H2 in memory. */
  public OauthStore() {
    for (String part : new String[] {"oauth", "users"}) {
      Migrations.run(pool, part);
    }
  }

  /** Where they are. */
  public DataSource source() {
    return pool;
  }

  @Override
  public void close() {
    pool.dispose();
  }
}
