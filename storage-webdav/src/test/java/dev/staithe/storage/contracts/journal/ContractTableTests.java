package dev.staithe.storage.contracts.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.staithe.contracts.record.ContractEntry;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.database.DatabaseProperties;
import dev.staithe.database.Databases;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is asked of contracts at each transfer, where nearly all of them have ended. */
final class ContractTableTests {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int FEW = 500;
  private static final int MANY = 8 * FEW;
  private static final int TRIES = 20;

  private static final ContractStore.Search FIRST =
      new ContractStore.Search("/data", "", Instant.EPOCH, Instant.ofEpochMilli(11), 100);

  private static final ContractStore.Place EVER = ContractStore.Place.of(Instant.EPOCH);

  @TempDir Path folder;

  private HikariDataSource database(String name) {
    return new Databases(
            new DatabaseProperties(null, "staithe", null, 3), folder.resolve(name), "contracts")
        .migrated("contracts", null, "staithe.contracts.database", "contracts");
  }

  /** As many as that, of each side, with one of a hundred peers. */
  private static void add(HikariDataSource source, String side, String state, int count) {
    JdbcClient.create(source)
        .sql(
            "insert into contract (side, id, state, area, path, peer, opened, changed, size, sha256,"
                + " request_base, request_signature, answer_base, answer_signature, received)"
                + " select ?, random_uuid(), ?, 'data', '/data/file', 'host' || mod(x, 100) || ':443',"
                + " x, x, 1024, '00', '\"@target-uri\": https://p/data/file' || char(10)"
                + " || repeat('r', 1000), 's',"
                + " repeat('a', 1000), 's', ''"
                + " from system_range(1, ?)")
        .params(side, state, count)
        .update();
    if (count > 1) {
      // As H2 does by itself after many changes; how it looks for rows depends on it.
      JdbcClient.create(source).sql("analyze").update();
    }
  }

  static Stream<Arguments> questions() {
    return Stream.of(
        question("sender", "one that is new", store -> store.has("new") ? 1 : 0),
        question("sender", "open with each host", store -> store.open().size()),
        question("sender", "open by host", store -> store.openByPeer().size()),
        question("sender", "of the first moments", store -> store.search(FIRST).size()),
        question("sender", "of what broke off", ContractTableTests::brokeOff),
        question("receiver", "of what broke off", ContractTableTests::brokeOff),
        question("receiver", "to be told", store -> store.untold(Instant.EPOCH, EVER)),
        question(
            "receiver",
            "to be acknowledged",
            store ->
                store
                    .in(
                        ContractRow.Side.RECEIVER,
                        ContractRow.State.LOGGED,
                        Instant.EPOCH,
                        EVER,
                        Set.of("host1:443"),
                        100)
                    .size()));
  }

  private static long brokeOff(ContractTable table) {
    table.moveAll(
        ContractRow.Side.SENDER,
        ContractRow.State.SENDING,
        ContractRow.State.BROKEN,
        Instant.EPOCH);
    table.moveAll(
        ContractRow.Side.RECEIVER,
        ContractRow.State.AGREED,
        ContractRow.State.BROKEN,
        Instant.EPOCH);
    return 0;
  }

  private static Arguments question(
      String side, String name, ToLongFunction<ContractTable> question) {
    return Arguments.argumentSet(name, side, question);
  }

  /** Of the thread's own processor time, and of several tries the best. */
  private static long cost(HikariDataSource source, ToLongFunction<ContractTable> question) {
    var store = new ContractTable(source);
    long best = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      // Where nothing has changed H2 gives its last answer again.
      add(source, "receiver", "refused", 1);
      long began = THREADS.getCurrentThreadCpuTime();
      question.applyAsLong(store);
      best = Math.min(best, THREADS.getCurrentThreadCpuTime() - began);
    }
    return best;
  }

  /** Most hosts only send, or only receive. A scan would take eight times as long. */
  @ParameterizedTest
  @MethodSource("questions")
  void endedContractsCostNothing(String side, ToLongFunction<ContractTable> question) {
    try (HikariDataSource few = database("few");
        HikariDataSource many = database("many")) {
      String ended = side.equals("sender") ? "received" : "acknowledged";
      add(few, side, ended, FEW);
      add(many, side, ended, MANY);
      cost(few, question);
      long ofFew = cost(few, question);

      assertThat(cost(many, question)).isLessThan(3 * ofFew);
    }
  }

  /** As many contracts as that of one URL, which began at the same time. */
  private static void asked(HikariDataSource source, String request, long opened, int count) {
    JdbcClient.create(source)
        .sql(
            "insert into contract (side, id, state, area, path, peer, opened, changed, size, sha256,"
                + " request_base, request_signature, answer_base, answer_signature, received)"
                + " select 'receiver', random_uuid(), 'logged', 'data', '/file', 'p:1', ?, 0, 1,"
                + " '00', ?, 's', 'a', 's', '' from system_range(1, ?)")
        .params(opened, request, count)
        .update();
  }

  private static List<String> found(HikariDataSource source, String path, int most) {
    return new ContractTable(source)
            .search(
                new ContractStore.Search(path, "", Instant.EPOCH, Instant.ofEpochMilli(99), most))
            .stream()
            .map(row -> ContractRecord.url(row.request(), row.answer()))
            .toList();
  }

  /** What an auditor asks for is there, and a page of what only looks like it is not. */
  @Test
  void contractIsFoundBehindManyNewerOnesWhosePathBeginsAlike() {
    try (HikariDataSource source = database("search")) {
      asked(source, "\"@target-uri\": https://p/cohort/run1/f\n", 1, 1);
      asked(source, "\"@target-uri\": https://p/cohort/run10/f\n", 2, 300);
      asked(source, "\"@target-uri\": https://p/old/cohort/run1/f\n", 2, 300);

      assertThat(found(source, "/cohort/run1", 100)).containsExactly("https://p/cohort/run1/f");
      assertThat(found(source, "/cohort", 100)).hasSize(100);
    }
  }

  @Test
  void pathIsJudgedAsOfAStatementInAFolder() {
    List<String> urls =
        List.of(
            "https://p/data/f",
            "https://p:8443/data/f?x=/data/g",
            "https://p/data/f/g",
            "https://p/data/fg",
            "https://p/x/data/f",
            "https://data/f",
            "https://p/da.ta/f",
            "https://p/daxta/f",
            "https://p/d%20_(a)[b]{2}+$^|*\\/f");
    try (HikariDataSource source = database("paths")) {
      for (String url : urls) {
        String other = "\"contract\": id=\"@target-uri: https://p/other/f\"\n";
        asked(source, other + "\"@target-uri\": " + url + "\n" + other, 1, 1);
      }
      for (String path :
          List.of(
              "",
              "/",
              "/data",
              "/data/",
              "/data/f",
              "/data/f/",
              "/data/g",
              "/dat",
              "/da.ta",
              "/other",
              "data",
              "f",
              "/d%20_(a)[b]{2}+$^|*\\",
              "/d%20_(a)[b]{2}+$^|*\\/f")) {
        assertThat(found(source, path, 100))
            .as(path)
            .containsExactlyInAnyOrderElementsOf(
                urls.stream().filter(url -> path.isEmpty() || entry(url).below(path)).toList());
      }
    }
  }

  private static ContractEntry entry(String url) {
    return new ContractEntry("", "", Instant.EPOCH, url, "", "", 0, "");
  }

  @Test
  void fileThatWasPushedIsFoundByWhereItWentTo() {
    try (HikariDataSource source = database("pushed")) {
      asked(source, "\"@status\": 200\n\"@target-uri\";req: https://r/data/f\n", 1, 1);

      assertThat(found(source, "/data/f", 100)).hasSize(1);
      assertThat(found(source, "/data/g", 100)).isEmpty();
    }
  }

  @Test
  void thoseOfOneMomentAreGoneThroughByTheirIdsAndWithoutThePeersThatAreNot() {
    try (HikariDataSource source = database("pages")) {
      add(source, "receiver", "logged", 50);
      asked(source, "\"@target-uri\": https://p/data/f\n", 70, 250);
      var store = new ContractTable(source);
      List<String> ids = new ArrayList<>();
      var place = ContractStore.Place.of(Instant.ofEpochMilli(11));
      for (int page = 0; page < 4; page++) {
        for (ContractRow row :
            store.in(
                ContractRow.Side.RECEIVER,
                ContractRow.State.LOGGED,
                Instant.EPOCH,
                place,
                Set.of("host20:443", "host30:443"),
                100)) {
          ids.add(row.id());
          place = ContractStore.Place.behind(row);
        }
      }

      assertThat(ids).hasSize(40 - 2 + 250).doesNotHaveDuplicates();
    }
  }

  @Test
  void openOnesAreCountedInBothStates() {
    try (HikariDataSource source = database("open")) {
      add(source, "sender", "received", 100);
      add(source, "receiver", "acknowledged", 100);
      add(source, "sender", "sending", 200);
      add(source, "sender", "sent", 100);
      add(source, "sender", "broken", 100);
      add(source, "receiver", "verified", 10);
      add(source, "receiver", "logged", 20);
      add(source, "receiver", "broken", 30);
      var store = new ContractTable(source);

      assertThat(store.open())
          .hasSize(100)
          .allSatisfy((peer, count) -> assertThat(count).isEqualTo(3));
      assertThat(store.openByPeer())
          .hasSize(100)
          .allSatisfy(each -> assertThat(each.count()).isEqualTo(3));
      assertThat(store.openByPeer().getFirst().oldest()).isEqualTo(Instant.ofEpochMilli(100));
      assertThat(store.untold(Instant.EPOCH, EVER)).isEqualTo(60);
      assertThat(store.untold(Instant.ofEpochMilli(21), EVER)).isEqualTo(10);
    }
  }
}
