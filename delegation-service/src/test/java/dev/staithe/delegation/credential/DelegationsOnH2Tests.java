package dev.staithe.delegation.credential;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

final class DelegationsOnH2Tests extends DelegationsContract {
  private JdbcConnectionPool pool;

  @Override
  DataSource database() {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
    return pool;
  }

  @AfterEach
  void close() {
    pool.dispose();
  }
}
