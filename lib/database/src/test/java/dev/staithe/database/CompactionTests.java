package dev.staithe.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The file of an embedded database beside what is in it. */
final class CompactionTests {
  private static final int ROWS = 1_500;
  private static final int LENGTH = 3_000;
  private static final Duration PAUSE = Duration.ofMillis(1);

  @TempDir Path folder;

  private HikariDataSource open(Databases databases) throws Exception {
    return databases.open("test", null);
  }

  /** Nothing out of date is kept for a time: what cannot be written over would hide the rest. */
  private Databases databases(String name) {
    return new Databases(
        new DatabaseProperties(
            "jdbc:h2:file:" + folder.resolve(name) + ";RETENTION_TIME=0", "staithe", null, 3),
        folder,
        name);
  }

  /** Rows as contracts are: added, and changed twice. */
  private static void write(JdbcClient client, int from, int to) {
    for (int i = from; i < to; i++) {
      client
          .sql("insert into kept (id, state, bytes) values (random_uuid(), ?, repeat('b', ?))")
          .params("new" + i, LENGTH)
          .update();
      client.sql("update kept set state = ? where state = ?").params("old" + i, "new" + i).update();
    }
  }

  private long grownTo(String name, boolean compacted) throws Exception {
    try (Databases databases = databases(name)) {
      HikariDataSource source = open(databases);
      JdbcClient client = JdbcClient.create(source);
      client
          .sql("create table kept (id uuid primary key, state varchar(20), bytes varchar(4000))")
          .update();
      client.sql("create index kept_state on kept (state)").update();
      try (Compaction compaction = Compaction.of(source, PAUSE).orElseThrow()) {
        for (int i = 0; i < ROWS; i += 100) {
          write(client, i, i + 100);
          if (compacted) {
            compaction.once();
          }
        }
      }
      assertThat(client.sql("select count(*) from kept").query(Long.class).single())
          .isEqualTo(ROWS);
      return Files.size(folder.resolve(name + ".mv.db"));
    }
  }

  @Test
  void fileStaysNearWhatIsInIt() throws Exception {
    assertThat(grownTo("compacted", true))
        .isLessThan(4L * ROWS * LENGTH)
        .isLessThan(grownTo("left", false) / 2);
  }

  /** A file that is in use is moved together under those who write, read and take back. */
  @Test
  void whatIsWrittenMeanwhileIsThere() throws Exception {
    try (Databases databases = databases("busy")) {
      HikariDataSource source = open(databases);
      JdbcClient client = JdbcClient.create(source);
      client
          .sql("create table kept (id uuid primary key, state varchar(20), bytes varchar(4000))")
          .update();
      Thread writer = Thread.ofPlatform().start(() -> write(client, 0, 400));
      try (Compaction compaction = Compaction.of(source, PAUSE).orElseThrow()) {
        while (writer.isAlive()) {
          compaction.once();
        }
      }
      writer.join();

      assertThat(
              client
                  .sql("select count(*) from kept where state like 'old%' and length(bytes) = ?")
                  .param(LENGTH)
                  .query(Long.class)
                  .single())
          .isEqualTo(400);
    }
    try (Databases databases = databases("busy")) {
      assertThat(
              JdbcClient.create(open(databases))
                  .sql("select count(*) from kept where length(bytes) = ?")
                  .param(LENGTH)
                  .query(Long.class)
                  .single())
          .isEqualTo(400);
    }
  }

  /** A thread that is interrupted as it writes would close the file under everybody. */
  @Test
  void whatIsWrittenAsItEndsIsThere() throws Exception {
    try (Databases databases = databases("ended")) {
      HikariDataSource source = open(databases);
      JdbcClient client = JdbcClient.create(source);
      client
          .sql("create table kept (id uuid primary key, state varchar(20), bytes varchar(4000))")
          .update();
      for (int round = 0; round < 10; round++) {
        Compaction compaction = Compaction.start(source, PAUSE).orElseThrow();
        write(client, round * 100, round * 100 + 100);
        compaction.close();
      }
      assertThat(client.sql("select count(*) from kept").query(Long.class).single())
          .isEqualTo(1_000);
    }
  }

  /** Else nothing more is brought to the device, and what is out of date is written over. */
  @Test
  void goesOnAfterMemoryWasShort() throws Exception {
    FilePath.register(new FilesShortOfMemory());
    var config = new HikariConfig();
    config.setJdbcUrl(
        "jdbc:h2:"
            + FilesShortOfMemory.SCHEME
            + ":"
            + folder.resolve("short")
            + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE");
    config.setUsername("staithe");
    try (HikariDataSource source = new HikariDataSource(config)) {
      JdbcClient.create(source).sql("create table kept (id int)").update();
      FilesShortOfMemory.FAILS.set(true);

      Compaction compaction = Compaction.start(source, PAUSE).orElseThrow();
      try {
        assertThat(FilesShortOfMemory.BROUGHT_AFTERWARDS.await(1, TimeUnit.MINUTES)).isTrue();
      } finally {
        compaction.close();
      }
    }
  }

  /** A pool renews its connections: with the last of them H2 would close the file under this. */
  @Test
  void fileStaysOpenWhileThePoolChangesItsOnlyConnection() throws Exception {
    var alone =
        new DatabaseProperties("jdbc:h2:file:" + folder.resolve("quiet"), "staithe", null, 3);
    try (Databases databases = new Databases(alone, folder, "quiet");
        HikariDataSource source = open(databases)) {
      MVStore store;
      try (Connection connection = source.getConnection()) {
        var session = (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
        store = session.getDatabase().getStore().getMvStore();
        source.evictConnection(connection);
      }
      assertThat(JdbcClient.create(source).sql("select 1").query(Integer.class).single())
          .isEqualTo(1);
      assertThat(store.isClosed()).isFalse();
    }
  }
}
