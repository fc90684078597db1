package dev.staithe.delegation.credential;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What delegations promise, on H2. */
final class DelegationsOnH2Tests {
  private JdbcConnectionPool pool;

  private DataSource opened() {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
    return pool;
  }

  @AfterEach
  void close() {
    pool.dispose();
  }

  @Nested
  final class Taking extends TakingContract {
    @Override
    DataSource database() {
      return opened();
    }
  }

  @Nested
  final class Acquiring extends AcquiringContract {
    @Override
    DataSource database() {
      return opened();
    }
  }

  @Nested
  final class Upkeep extends UpkeepContract {
    @Override
    DataSource database() {
      return opened();
    }
  }

  @Nested
  final class Tampering extends TamperingContract {
    @Override
    DataSource database() {
      return opened();
    }
  }
}
