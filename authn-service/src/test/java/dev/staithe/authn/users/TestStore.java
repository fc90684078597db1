package dev.staithe.authn.users;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcConnectionPool;

/** A user store of its own for each test; several nodes may share one. */
public final class TestStore implements AutoCloseable {
  private final DataSource source;
  private final Runnable closing;

  private TestStore(DataSource source, Runnable closing) {
    this.source = source;
    this.closing = closing;
  }

  /** H2 in memory. */
  public static TestStore h2() {
    JdbcConnectionPool pool =
        JdbcConnectionPool.create(
            "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
    return on(pool, "h2", pool::dispose);
  }

  /** Any database. */
  public static TestStore on(DataSource source, String vendor, Runnable closing) {
    Flyway.configure()
        .dataSource(source)
        .locations("classpath:db/users/" + vendor)
        .table("flyway_users")
        .load()
        .migrate();
    return new TestStore(source, closing);
  }

  /** As one node sees it. */
  public Database database() {
    return new Database(source, Duration.ofSeconds(10));
  }

  /** Who users of a directory are, where nobody has a session. */
  public DirectorySubjects subjects() {
    return new DirectorySubjects(database(), Clock.systemUTC(), name -> {});
  }

  /** The data source. */
  public DataSource source() {
    return source;
  }

  /** Hashes nothing: the text is kept with a mark before it. */
  public static final PasswordHashing MARKED =
      new PasswordHashing() {
        @Override
        public Optional<String> hash(byte[] password) {
          return Optional.of("marked:" + new String(password, StandardCharsets.UTF_8));
        }

        @Override
        public boolean recognises(String stored) {
          return stored.startsWith("marked:");
        }
      };

  @Override
  public void close() {
    closing.run();
  }
}
