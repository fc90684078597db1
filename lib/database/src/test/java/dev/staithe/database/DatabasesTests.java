package dev.staithe.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

/** Pools of connections as the settings have them. */
final class DatabasesTests {
  @TempDir Path folder;

  @Test
  void failureThatMayPassIsToldFromOneThatComesAgain() {
    for (Throwable passing :
        List.of(
            new CannotGetJdbcConnectionException("no answer"),
            new QueryTimeoutException("no answer in time"),
            new CannotAcquireLockException("another was in the way"),
            new RecoverableDataAccessException("the connection was lost"),
            new CannotCreateTransactionException("no answer"),
            new TransactionSystemException("the connection was lost at the commit"),
            new SQLException("cannot execute UPDATE in a read-only transaction", "25006"))) {
      assertThat(Databases.mayPass(passing)).as(passing.toString()).isTrue();
    }
    for (Throwable lasting :
        List.of(
            new DataIntegrityViolationException("too long"),
            new SQLException("syntax error", "42601"),
            new IllegalStateException("a defect"))) {
      assertThat(Databases.mayPass(lasting)).as(lasting.toString()).isFalse();
    }
  }

  /** PostgreSQL's driver looks into its own password file then. */
  @Test
  void fileThatIsEmptyIsNoPassword() throws Exception {
    Path file = Files.createFile(folder.resolve("password"));
    var credentials = new FileCredentials("staithe", file);

    assertThat(credentials.getCredentials().getPassword()).isNull();
    Files.writeString(file, "first\n");
    assertThat(credentials.getCredentials().getPassword()).isEqualTo("first");
    Files.writeString(file, "");
    assertThat(credentials.getCredentials().getPassword()).isEqualTo("first");
  }

  @Test
  void passwordThatIsChangedInItsFileIsGoodForTheNextConnection() throws Exception {
    Path password = Files.writeString(folder.resolve("password"), "first\n");
    var there =
        new DatabaseProperties("jdbc:h2:file:" + folder.resolve("kept"), "staithe", password, 3);
    try (Databases databases = new Databases(there, folder, "kept");
        HikariDataSource source = databases.open("test", null)) {
      JdbcClient client = JdbcClient.create(source);
      client.sql("alter user staithe set password 'second'").update();
      Files.writeString(password, "second\n");

      source.getHikariPoolMXBean().softEvictConnections();

      assertThat(client.sql("select 1").query(Integer.class).single()).isEqualTo(1);
    }
  }

  /** A first connection that broke when it was asked for that left the pool without any. */
  @Test
  void isolationIsNotAskedOfTheFirstConnection() throws Exception {
    var there = new DatabaseProperties("jdbc:h2:file:" + folder.resolve("kept"), "", null, 3);
    try (Databases databases = new Databases(there, folder, "kept");
        HikariDataSource source = databases.open("test", null)) {
      assertThat(source.getTransactionIsolation()).isEqualTo("TRANSACTION_READ_COMMITTED");
    }
  }

  @Test
  void passwordBeforeIsGoodWhileTheFileIsReplaced() throws Exception {
    Path password = Files.writeString(folder.resolve("password"), "first\n");
    var there =
        new DatabaseProperties("jdbc:h2:file:" + folder.resolve("kept"), "staithe", password, 3);
    try (Databases databases = new Databases(there, folder, "kept");
        HikariDataSource source = databases.open("test", null)) {
      Files.delete(password);
      source.getHikariPoolMXBean().softEvictConnections();

      assertThat(JdbcClient.create(source).sql("select 1").query(Integer.class).single())
          .isEqualTo(1);
      Files.writeString(password, "");
      source.getHikariPoolMXBean().softEvictConnections();

      assertThat(JdbcClient.create(source).sql("select 1").query(Integer.class).single())
          .isEqualTo(1);
    }
  }

  @Test
  void settingOfTheUrlCountsInSmallLettersToo() throws Exception {
    var there =
        new DatabaseProperties(
            "jdbc:h2:file:" + folder.resolve("kept") + ";write_delay=100", "staithe", null, 3);
    try (Databases databases = new Databases(there, folder, "kept");
        HikariDataSource source = databases.open("test", null)) {
      assertThat(JdbcClient.create(source).sql("select 1").query(Integer.class).single())
          .isEqualTo(1);
    }
  }

  @Test
  void passwordInTheUrlIsNotToldWhereTheDatabaseCannotBeUsed() {
    var nobody =
        new DatabaseProperties(
            "jdbc:postgresql://127.0.0.1:1/kept?password=secret", "staithe", null, 3);
    try (Databases databases = new Databases(nobody, folder, "kept")) {
      assertThatThrownBy(() -> databases.open("test", null))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("jdbc:postgresql://127.0.0.1:1/kept cannot be used: ")
          .hasMessageNotContaining("secret");
    }
  }
}
