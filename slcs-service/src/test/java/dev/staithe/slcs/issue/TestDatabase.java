package dev.staithe.slcs.issue;

import dev.staithe.database.Migrations;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Databases for tests, with the tables of this part and the authority's. */
public final class TestDatabase implements AutoCloseable {
  private final JdbcConnectionPool pool =
      JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");

  /** An empty one in memory. */
  public TestDatabase() {
    migrate(pool);
  }

  /** Makes the tables. */
  public static void migrate(DataSource source) {
    Migrations.run(source, "ca");
    Migrations.run(source, "issue");
  }

  /** Takes all rows out. */
  public static void empty(DataSource source) {
    JdbcClient client = JdbcClient.create(source);
    client.sql("DELETE FROM slcs_name").update();
    client.sql("DELETE FROM slcs_identifier").update();
    client.sql("DELETE FROM slcs_token").update();
  }

  /** As a node sees it. */
  public DataSource source() {
    return pool;
  }

  @Override
  public void close() {
    pool.dispose();
  }
}
