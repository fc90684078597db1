package dev.staithe.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tables of a database in a file. */
final class MigrationsTests {
  @TempDir Path folder;

  private Databases databases() {
    return new Databases(
        new DatabaseProperties("jdbc:h2:file:" + folder.resolve("kept"), "staithe", null, 4),
        folder,
        "kept");
  }

  @Test
  void tablesOfANewerProgramAreRefused() throws Exception {
    try (Databases databases = databases();
        HikariDataSource source = databases.open("test", null)) {
      Migrations.run(source, "berths");
      Migrations.run(source, "berths");
      JdbcClient.create(source)
          .sql(
              """
              insert into "flyway_berths" ("installed_rank", "version", "description", "type",
                "script", "checksum", "installed_by", "execution_time", "success")
              values (99, '2', 'newer', 'SQL', 'V2__newer.sql', 1, 'staithe', 1, true)
              """)
          .update();

      assertThatThrownBy(() -> Migrations.run(source, "berths"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("newer")
          .hasMessageContaining("not resolved locally: 2");
    }
  }

  @Test
  void tablesThatAreHalfMadeAreTakenBackAtTheNextStart() throws Exception {
    migrateHalfway();

    assertTakenBack();
  }

  @Test
  void startThatEndedWhileItTookThemBackIsGoneOnWith() throws Exception {
    migrateHalfway();
    // As where the power failed when what was found was aside, and nothing was in its place.
    Files.move(folder.resolve("kept.mv.db"), folder.resolve("kept.half-migrated.mv.db"));

    assertTakenBack();
    assertThat(Files.getPosixFilePermissions(folder.resolve("kept.mv.db")))
        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  }

  private void migrateHalfway() throws Exception {
    try (Databases databases = databases()) {
      HikariDataSource source = databases.open("test", null);
      Migrations.run(source, "berths");
      assertThat(folder.resolve("kept.before-migration.zip")).doesNotExist();
      JdbcClient.create(source).sql("insert into berth (name) values ('east')").update();
      assertThatThrownBy(() -> Migrations.run(source, "halfway"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private void assertTakenBack() throws Exception {
    try (Databases databases = databases()) {
      HikariDataSource source = databases.open("test", null);
      JdbcClient client = JdbcClient.create(source);
      assertThat(client.sql("select name from berth").query(String.class).list())
          .containsExactly("east");
      assertThat(tables(client)).doesNotContain("HALF_MADE", "flyway_halfway");
      assertThat(folder.resolve("kept.before-migration.zip")).doesNotExist();
    }
    try (Databases found =
            new Databases(
                new DatabaseProperties(
                    "jdbc:h2:file:" + folder.resolve("kept.half-migrated"), "staithe", null, 4),
                folder,
                "found");
        HikariDataSource source = found.open("test", null)) {
      assertThat(tables(JdbcClient.create(source))).contains("BERTH", "HALF_MADE");
    }
  }

  private static List<String> tables(JdbcClient client) {
    return client
        .sql("select table_name from information_schema.tables")
        .query(String.class)
        .list();
  }

  @Test
  void whatIsTakenBackIsOfThisUserAloneFromItsFirstByte() throws Exception {
    var file = new byte[100_000];
    new Random(1).nextBytes(file);
    var packed = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(packed)) {
      zip.putNextEntry(new ZipEntry("kept.mv.db"));
      zip.write(file);
    }
    // As where the disk is full halfway: what was unpacked until then stays.
    Files.write(
        folder.resolve("kept.before-migration.zip"),
        Arrays.copyOf(packed.toByteArray(), packed.size() / 2));

    assertThatThrownBy(() -> MigrationCopy.takeBack("jdbc:h2:file:" + folder.resolve("kept")))
        .isInstanceOf(IOException.class);

    assertThat(Files.getPosixFilePermissions(folder.resolve("kept.before-migration.tmp")))
        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  }
}
