package dev.staithe.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Pools of connections as the settings have them. */
final class DatabasesTests {
  @TempDir Path folder;

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
}
