package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.LogSlice;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.peers.PostgresServer;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What all models do on PostgreSQL while nothing breaks. */
class PostgresSessionsIT {
  private static Postgres postgres;

  @BeforeAll
  static void start() {
    postgres = Postgres.start();
    postgres.standby("one");
    postgres.standby("two");
    postgres.synchronous("FIRST 2 (one, two)", 2);
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  /** The contract, by model. */
  abstract static class WithModel implements SeveralNodesContract {
    private final PersistenceModel model;
    private SessionStore store;

    WithModel(PersistenceModel model) {
      this.model = model;
    }

    @BeforeEach
    void open() {
      store =
          SessionStores.open(
              postgres.settings(model, postgres.primary.url(), Optional.empty()), Some.CLOCK);
    }

    @AfterEach
    void close() {
      store.close();
    }

    @Override
    public SessionStore store() {
      return store;
    }
  }

  @Nested
  class Off extends WithModel {
    Off() {
      super(PersistenceModel.OFF);
    }
  }

  @Nested
  class BestEffort extends WithModel {
    BestEffort() {
      super(PersistenceModel.BEST_EFFORT);
    }
  }

  @Nested
  class AssuredWrite extends WithModel {
    AssuredWrite() {
      super(PersistenceModel.ASSURED_WRITE);
    }
  }

  @Nested
  class AssuredRead extends WithModel {
    AssuredRead() {
      super(PersistenceModel.ASSURED_READ);
    }
  }

  @Test
  void entryThatIsCommittedLateIsNotSkipped() throws Exception {
    try (SessionStore store =
            SessionStores.open(
                postgres.settings(
                    PersistenceModel.ASSURED_WRITE, postgres.primary.url(), Optional.empty()),
                Some.CLOCK);
        Connection slow = connect(postgres.primary)) {
      slow.setAutoCommit(false);
      Session late = Some.session("late");
      try (PreparedStatement insert =
          slow.prepareStatement("insert into revocation (session, expires) values (?, ?)")) {
        insert.setObject(1, SessionRows.uuid(late.id()));
        insert.setLong(2, late.expires().toEpochMilli());
        insert.executeUpdate(); // has its transaction id from now on
      }
      Revocation meanwhile = Some.endOf(Some.session("meanwhile"));
      assertThat(store.revoke(List.of(meanwhile), Some.LONG)).isEqualTo(new WriteOutcome.Stored());
      LogSlice before = Some.log(store);
      assertThat(before.entries()).contains(meanwhile).doesNotContain(Some.endOf(late));

      slow.commit();

      LogSlice after = Some.log(store, before.position());
      assertThat(after.entries()).contains(Some.endOf(late));
      assertThat(after.regressed()).isFalse();
      // And once nothing runs any more, what was read is not read for ever.
      assertThat(store.revoke(List.of(Some.endOf(Some.session("next"))), Some.LONG))
          .isEqualTo(new WriteOutcome.Stored());
      assertThat(Some.log(store, after.position()).entries()).doesNotContain(meanwhile);
    }
  }

  @Test
  void sessionThatTheDatabaseCannotHoldFailsAloneAndAtOnce() {
    try (SessionStore store =
        SessionStores.open(
            postgres.settings(
                PersistenceModel.ASSURED_WRITE, postgres.primary.url(), Optional.empty()),
            Some.CLOCK)) {
      Session good = Some.session("anna");
      Session bad = Some.session("anna\0");

      List<WriteOutcome> answers =
          List.of(bad, good, bad).parallelStream()
              .map(session -> store.open(session, Some.LONG))
              .toList();

      assertThat(answers.get(0)).isInstanceOf(WriteOutcome.Failed.class);
      assertThat(answers.get(1)).isEqualTo(new WriteOutcome.Stored());
      assertThat(answers.get(2)).isInstanceOf(WriteOutcome.Failed.class);
      assertThat(Some.find(store, good)).contains(good);
    }
  }

  @Test
  void whatHasGatheredIsForgottenThoughThatTakesLong() throws Exception {
    try (Postgres fresh = Postgres.start()) {
      SessionStore store = fresh.node(PersistenceModel.BEST_EFFORT);
      fresh.primary.sql(
          "insert into revocation (session, expires)"
              + " select gen_random_uuid(), n from generate_series(1, 14000) n");
      // Half a millisecond for each row, and seven seconds for all.
      fresh.primary.sql(
          "create function slowly() returns trigger language plpgsql as $$ begin"
              + " if old.expires % 10 = 0 then perform pg_sleep(0.005); end if;"
              + " return old; end $$");
      fresh.primary.sql(
          "create trigger slowly before delete on revocation"
              + " for each row execute function slowly()");

      store.deleteExpired(Some.now());

      assertThat(Postgres.count(fresh.primary, "revocation")).isZero();
    }
  }

  private static Connection connect(PostgresServer server) throws Exception {
    return DriverManager.getConnection(
        server.url(), server.user(), Files.readString(server.passwordFile()).strip());
  }

  @Test
  void nodesThatStartTogetherAgreeOnTablesAndEpoch() throws Exception {
    int count = 6;
    try (Postgres fresh = Postgres.start();
        ExecutorService starting = Executors.newFixedThreadPool(count)) {
      CyclicBarrier together = new CyclicBarrier(count);
      List<Future<SessionStore>> started = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        started.add(
            starting.submit(
                () -> {
                  together.await();
                  return fresh.node(PersistenceModel.BEST_EFFORT);
                }));
      }
      List<SessionStore> nodes = new ArrayList<>();
      for (Future<SessionStore> each : started) {
        nodes.add(each.get());
      }

      assertThat(nodes.stream().map(node -> Some.log(node).epoch()).distinct()).hasSize(1);
    }
  }
}
