package dev.staithe.storage.contracts.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.database.Databases;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.FileSystemUtils;

/** Contracts go by the journal into the database, whatever is killed when. */
final class ContractStoreTests {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final byte[] STATEMENT = {1, 2, 3};

  @TempDir Path folder;

  private static HikariDataSource database(Path state) {
    return new Databases(new DatabaseProperties(null, "staithe", null, 3), state, "contracts")
        .migrated("contracts", null, "staithe.contracts.database", "contracts");
  }

  private static ContractRow row(ContractRow.Side side, String id, ContractRow.State state) {
    return new ContractRow(
        side,
        id,
        state,
        "data",
        "/file",
        "a.example:8443",
        NOW,
        1024,
        "00",
        new ContractRecord.Part("\"@target-uri\": https://p.example/data/file", "contract=:AA==:"),
        new ContractRecord.Part("\"@status\": 200", "contract=:AQ==:"),
        "",
        null,
        null);
  }

  /** Steps of four contracts, of which each ends somewhere else. */
  private static void steps(ContractStore store) {
    for (String id : List.of("sending", "sent", "received")) {
      store.add(row(ContractRow.Side.SENDER, id, ContractRow.State.SENDING));
    }
    store.add(row(ContractRow.Side.RECEIVER, "acknowledged", ContractRow.State.AGREED));
    for (String id : List.of("sent", "received")) {
      assertThat(
              store.move(
                  ContractRow.Side.SENDER,
                  id,
                  List.of(ContractRow.State.SENDING),
                  ContractRow.State.SENT,
                  NOW))
          .isTrue();
    }
    assertThat(
            store.conclude(
                row(ContractRow.Side.SENDER, "received", ContractRow.State.SENT),
                List.of(ContractRow.State.SENT),
                ContractRow.State.RECEIVED,
                "{}",
                STATEMENT,
                NOW))
        .isTrue();
    store.acknowledged("acknowledged", STATEMENT, NOW);
  }

  private static String state(ContractStore store, ContractRow.Side side, String id) {
    return store.find(side, id).map(row -> row.state().name()).orElse("none");
  }

  /** What a kill leaves: nothing was brought into the database, and the journal may be cut. */
  private Path killed(String name, byte[] journal, int bytes) throws IOException {
    Path state = folder.resolve(name);
    Files.createDirectories(state.resolve("journal"));
    Files.write(state.resolve("journal/0000000000000007.journal"), Arrays.copyOf(journal, bytes));
    return state;
  }

  private static Path journal(Path state) throws IOException {
    try (Stream<Path> files = Files.list(state.resolve("journal"))) {
      return files.findFirst().orElseThrow();
    }
  }

  @Test
  void afterAKillEachStepThatWasAnsweredIsThere() throws IOException {
    Path first = folder.resolve("first");
    byte[] journal;
    try (HikariDataSource source = database(first);
        ContractStore store = ContractStore.open(source, first)) {
      steps(store);
      journal = Files.readAllBytes(journal(first));
    }

    Path state = killed("second", journal, journal.length);
    try (HikariDataSource source = database(state);
        ContractStore store = ContractStore.open(source, state)) {
      assertThat(state(store, ContractRow.Side.SENDER, "sending")).isEqualTo("SENDING");
      assertThat(state(store, ContractRow.Side.SENDER, "sent")).isEqualTo("SENT");
      assertThat(state(store, ContractRow.Side.SENDER, "received")).isEqualTo("RECEIVED");
      assertThat(state(store, ContractRow.Side.RECEIVER, "acknowledged")).isEqualTo("ACKNOWLEDGED");
      ContractRow received = store.find(ContractRow.Side.SENDER, "received").orElseThrow();
      assertThat(received.own()).isEqualTo(STATEMENT);
      assertThat(received.received()).isEqualTo("{}");
      assertThat(received.request().base()).contains("@target-uri");
      assertThat(store.open("a.example:8443")).isEqualTo(2);
      store.interrupted(NOW);
      assertThat(state(store, ContractRow.Side.SENDER, "sending")).isEqualTo("BROKEN");
      assertThat(store.open()).isEqualTo(1);
    }

    // The last step was not whole, and not answered.
    Path cut = killed("third", journal, journal.length - 1);
    try (HikariDataSource source = database(cut);
        ContractStore store = ContractStore.open(source, cut)) {
      assertThat(state(store, ContractRow.Side.RECEIVER, "acknowledged")).isEqualTo("AGREED");
      assertThat(state(store, ContractRow.Side.SENDER, "received")).isEqualTo("RECEIVED");
    }
  }

  /** A kill between the database's commit and the end of the journal has both. */
  @Test
  void whatTheDatabaseHasAlreadyIsNotKeptTwice() throws IOException {
    Path state = folder.resolve("state");
    Path copy = folder.resolve("copy");
    try (HikariDataSource source = database(state);
        ContractStore store = ContractStore.open(source, state)) {
      steps(store);
      Files.copy(journal(state), copy);
    }
    Files.copy(copy, state.resolve("journal/0000000000000001.journal"));
    try (HikariDataSource source = database(state);
        ContractStore store = ContractStore.open(source, state)) {
      assertThat(state(store, ContractRow.Side.SENDER, "received")).isEqualTo("RECEIVED");
      assertThat(
              JdbcClient.create(source)
                  .sql("select count(*) from contract")
                  .query(Long.class)
                  .single())
          .isEqualTo(4);
    }
  }

  /** A kill after the database's commit, of a contract that began in a file of before. */
  @Test
  void statementThatTheDatabaseHasAndNoFileIsFiledAfterAKill() throws IOException {
    Path state = folder.resolve("state");
    Path copy = folder.resolve("copy");
    try (HikariDataSource source = database(state)) {
      try (ContractStore store = ContractStore.open(source, state)) {
        store.add(row(ContractRow.Side.SENDER, "id", ContractRow.State.SENT));
      }
      try (ContractStore store = ContractStore.open(source, state)) {
        assertThat(
                store.conclude(
                    row(ContractRow.Side.SENDER, "id", ContractRow.State.SENT),
                    List.of(ContractRow.State.SENT),
                    ContractRow.State.RECEIVED,
                    "{}",
                    STATEMENT,
                    NOW))
            .isTrue();
        Files.copy(journal(state), copy);
      }
      FileSystemUtils.deleteRecursively(state.resolve("statements"));
      Files.copy(copy, state.resolve("journal/0000000000000001.journal"));
      ContractStore.open(source, state).close();
    }
    try (Stream<Path> all = Files.walk(state.resolve("statements"))) {
      assertThat(all.filter(Files::isRegularFile))
          .singleElement()
          .satisfies(file -> assertThat(file).hasBinaryContent(STATEMENT));
    }
  }

  @Test
  void theDatabaseHasEverythingInTheEndAndTheJournalNothing() throws IOException {
    Path state = folder.resolve("state");
    try (HikariDataSource source = database(state)) {
      try (ContractStore store = ContractStore.open(source, state)) {
        steps(store);
        JdbcClient ended = JdbcClient.create(source);
        Eventually.holds(
            "those that ended are in the database",
            () ->
                ended
                        .sql("select count(*) from contract where state in (?, ?)")
                        .params("received", "acknowledged")
                        .query(Long.class)
                        .single()
                    == 2);
      }
      ContractTable table = new ContractTable(source);
      assertThat(table.find(ContractRow.Side.SENDER, "sent").map(ContractRow::state))
          .isEqualTo(Optional.of(ContractRow.State.SENT));
      try (Stream<Path> left = Files.list(state.resolve("journal"))) {
        assertThat(left).isEmpty();
      }
    }
  }

  /** By threads that go on while the server ends. */
  @Test
  void stepsThatComeAsItEndsAreInTheDatabaseOrWereNeverMade() throws Exception {
    AtomicInteger made = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    List<Thread> workers = new ArrayList<>();
    try (HikariDataSource source = database(folder)) {
      try (ContractStore store = ContractStore.open(source, folder)) {
        for (int worker = 0; worker < 4; worker++) {
          String name = "w" + worker + "-";
          workers.add(
              Thread.ofPlatform()
                  .start(
                      () -> {
                        while (true) {
                          try {
                            store.add(
                                row(
                                    ContractRow.Side.SENDER,
                                    name + made.get() + "-" + System.nanoTime(),
                                    ContractRow.State.SENDING));
                            made.incrementAndGet();
                          } catch (DataAccessException ended) {
                            refused.incrementAndGet();
                            return;
                          }
                        }
                      }));
        }
        Eventually.holds("some are made", () -> made.get() > 100);
      }
      for (Thread worker : workers) {
        worker.join();
      }
      assertThat(refused).hasValue(4);
      assertThat(folder.resolve("journal")).isEmptyDirectory();
      assertThat(
              JdbcClient.create(source)
                  .sql("select count(*) from contract")
                  .query(Integer.class)
                  .single())
          .isEqualTo(made.get());
    }
  }

  @Test
  void anIdIsGoodOnceWhereverItsContractIsKept() throws IOException {
    Path state = folder.resolve("state");
    try (HikariDataSource source = database(state);
        ContractStore store = ContractStore.open(source, state)) {
      assertThat(store.claim("id")).isTrue();
      assertThat(store.claim("id")).as("two at once").isFalse();
      store.add(row(ContractRow.Side.SENDER, "id", ContractRow.State.SENDING));
      store.release("id");
      assertThat(store.claim("id")).as("in the journal").isFalse();
      store.interrupted(NOW);
      assertThat(store.claim("id")).as("in the database alone").isFalse();
      assertThat(store.claim("another")).isTrue();
      store.release("another");
      assertThat(store.isFresh("another")).isTrue();
    }
  }

  @Test
  void aStateIsLeftByOneOnly() throws IOException {
    Path state = folder.resolve("state");
    try (HikariDataSource source = database(state);
        ContractStore store = ContractStore.open(source, state)) {
      steps(store);
      assertThat(
              store.conclude(
                  row(ContractRow.Side.SENDER, "received", ContractRow.State.SENT),
                  List.of(ContractRow.State.SENT),
                  ContractRow.State.REFUSED,
                  "other",
                  "other".getBytes(StandardCharsets.UTF_8),
                  NOW))
          .isFalse();
      assertThat(store.find(ContractRow.Side.SENDER, "received").orElseThrow().own())
          .isEqualTo(STATEMENT);
      assertThat(
              store.move(
                  ContractRow.Side.SENDER,
                  "unknown",
                  List.of(ContractRow.State.SENDING),
                  ContractRow.State.SENT,
                  NOW))
          .isFalse();
    }
  }

  private static boolean takes(ContractStore store) {
    try {
      store.search(new ContractStore.Search("", "", Instant.EPOCH, NOW.plusSeconds(1), 1));
      return true;
    } catch (DataAccessException away) {
      return false;
    }
  }

  /** As where the connection breaks after the commit, in a fail-over, and before that is told. */
  @Test
  void commitOfWhichNobodyWasToldIsNotMadeTwiceAndHoldsUpNothing() throws Exception {
    try (HikariDataSource source = database(folder);
        ContractStore store = ContractStore.open(source, folder)) {
      ContractRow row = row(ContractRow.Side.SENDER, "one", ContractRow.State.SENDING);
      new ContractTable(source).write(List.of(new ContractTable.Kept(row, NOW, false)));
      store.add(row);
      store.add(row(ContractRow.Side.SENDER, "other", ContractRow.State.SENDING));

      Eventually.holds("the database takes contracts", () -> takes(store));
      assertThat(new ContractTable(source).has("other")).isTrue();
    }
  }

  @Test
  void transferThatEndsWhileTheDatabaseIsAwayHasEndedOnceItIsBack() throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    try (HikariDataSource source = database(folder);
        ContractStore store =
            ContractStore.open(
                new DelegatingDataSource(source) {
                  @Override
                  public Connection getConnection() throws SQLException {
                    if (away.get()) {
                      throw new SQLException("away on purpose");
                    }
                    return super.getConnection();
                  }
                },
                folder)) {
      store.add(row(ContractRow.Side.SENDER, "long", ContractRow.State.SENDING));
      assertThat(takes(store)).isTrue();

      away.set(true);
      store.ended("long", ContractRow.State.SENT, NOW);
      away.set(false);

      Eventually.holds(
          "the transfer has ended",
          () -> state(store, ContractRow.Side.SENDER, "long").equals("SENT"));
    }
  }

  /** Who brings contracts into the database would else bring none any more. */
  @Test
  void contractsComeIntoTheDatabaseAgainAfterMemoryWasShort() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    AtomicInteger shortages = new AtomicInteger();
    try (HikariDataSource source = database(folder);
        ContractStore store =
            ContractStore.open(
                new DelegatingDataSource(source) {
                  @Override
                  public Connection getConnection() throws SQLException {
                    if (full.get()) {
                      shortages.incrementAndGet();
                      throw new OutOfMemoryError("thrown on purpose");
                    }
                    return super.getConnection();
                  }
                },
                folder)) {
      full.set(true);
      steps(store);
      Eventually.holds("memory is short", () -> shortages.get() > 0);
      full.set(false);
      ContractTable table = new ContractTable(source);
      Eventually.holds("the database has it", () -> table.has("received"));
    }
  }
}
