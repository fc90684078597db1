package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.LogSlice;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One PostgreSQL without standbys, that crashes and comes back. */
class PostgresCrashIT {
  private Postgres postgres;

  @BeforeEach
  void start() {
    postgres = Postgres.start();
  }

  @AfterEach
  void stop() {
    postgres.close();
  }

  @Test
  void bestEffortWhenTheDatabaseCrashesThenOnlyWhatItHadNotYetWrittenIsLost() throws Exception {
    SessionStore store = postgres.node(PersistenceModel.BEST_EFFORT);
    List<Session> written = opened(store, 200);
    // Nobody waits for either, and both come by themselves: on an idle machine within a second.
    Eventually.holds("in tables", () -> Postgres.count(postgres.primary, "session") == 200);
    Eventually.holds(
        "on disk",
        () ->
            postgres
                .primary
                .sql("select pg_current_wal_flush_lsn() = pg_current_wal_insert_lsn()")
                .equals("t"));
    LogSlice before = Some.log(store);
    opened(store, 200);

    postgres.primary.kill();
    store.close(); // what it had not written is lost as well
    postgres.primary.restart();

    SessionStore again = postgres.node(PersistenceModel.BEST_EFFORT);
    assertThat(again.sessionsOf("anna")).containsAll(written);
    LogSlice after = Some.log(again, before.position());
    assertThat(after.epoch()).isEqualTo(before.epoch());
    assertThat(after.regressed()).as("entries may be lost by a crash").isTrue();
  }

  private static List<Session> opened(SessionStore store, int count) {
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Session session = Some.session("anna");
      // Write-behind may refuse to get behind; asking again is fine.
      Some.eventually(
          "it is kept", () -> store.open(session, Some.LONG) instanceof WriteOutcome.Stored);
      sessions.add(session);
    }
    return sessions;
  }

  @Test
  void orderlyRestartLosesNothingAndIsNoRegression() {
    SessionStore store = postgres.node(PersistenceModel.BEST_EFFORT);
    Session session = Some.session("anna");
    store.open(session, Some.LONG);
    Revocation end = Some.endOf(Some.session("bert"));
    store.revoke(List.of(end), Some.LONG);
    Some.eventually(
        "it is read", () -> store.revocationsAfter("", Some.LONG).entries().contains(end));
    LogSlice before = Some.log(store);

    postgres.primary.stop();
    postgres.primary.restart();

    Some.eventually("it is there", () -> store.find(session.id()).isPresent());
    LogSlice after = Some.log(store, before.position());
    assertThat(after.regressed()).isFalse();
    assertThat(after.epoch()).isEqualTo(before.epoch());
  }

  /** No node runs that would know better. */
  @Test
  void restoreFromADumpEndsAllSessionsSinceNobodyKnowsWhichHadEnded() {
    SessionStore store = postgres.node(PersistenceModel.BEST_EFFORT);
    Session session = Some.session("anna");
    store.open(session, Some.LONG);
    Some.eventually("it is there", () -> store.find(session.id()).isPresent());
    String dump = postgres.primary.dump();
    LogSlice before = Some.log(store);
    store.revoke(List.of(Some.endOf(session)), Some.LONG);
    Some.eventually("it is ended", () -> store.find(session.id()).isEmpty());
    store.close();

    postgres.primary.sql(dump);

    SessionStore again = postgres.node(PersistenceModel.BEST_EFFORT);
    assertThat(Some.log(again).epoch()).isNotEqualTo(before.epoch());
    long epoch = Some.log(again).epoch();
    again.close();
    // Once: the next start is one as any other.
    assertThat(Some.log(postgres.node(PersistenceModel.BEST_EFFORT)).epoch()).isEqualTo(epoch);
  }

  @Test
  void offWhenTheDatabaseCrashesThenAllIsGoneAndTheEpochIsAnother() {
    SessionStore store = postgres.node(PersistenceModel.OFF);
    Session session = Some.session("anna");
    store.open(session, Some.LONG);
    Some.eventually("it is there", () -> store.find(session.id()).isPresent());
    LogSlice before = Some.log(store);

    postgres.primary.kill();
    postgres.primary.restart();

    Some.eventually(
        "the epoch is another",
        () -> store.revocationsAfter(before.position(), Some.LONG).epoch() != before.epoch());
    assertThat(Some.find(store, session)).isEmpty();
    Some.eventually(
        "and it takes sessions",
        () -> {
          Session next = Some.session("bert");
          return store.open(next, Some.LONG) instanceof WriteOutcome.Stored;
        });
  }

  @Test
  void whileTheDatabaseIsAwayLoginsFailAndLogoutsWaitForIt() {
    SessionStore store = postgres.node(PersistenceModel.BEST_EFFORT);
    Session session = Some.session("anna");
    store.open(session, Some.LONG);
    Some.eventually("it is there", () -> store.find(session.id()).isPresent());
    postgres.primary.stop();

    Some.eventually(
        "logins fail",
        () -> store.open(Some.session("bert"), Some.LONG) instanceof WriteOutcome.Failed);
    assertThat(store.revoke(List.of(Some.endOf(session)), Some.LONG))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);
    assertThat(store.trouble()).isPresent();
    postgres.primary.restart();

    Some.eventually(
        "the logout is written",
        () ->
            store.find(session.id()).isEmpty()
                && store.revocationsAfter("", Some.LONG).entries().contains(Some.endOf(session)));
    Some.eventually("no trouble", () -> store.trouble().isEmpty());
    assertThat(store.open(Some.session("carl"), Some.LONG)).isEqualTo(new WriteOutcome.Stored());
  }

  @Test
  void serverThatHangsIsGivenUpAndUsedAgain() {
    SessionStore store = postgres.node(PersistenceModel.BEST_EFFORT);
    store.open(Some.session("anna"), Some.LONG);
    postgres.primary.pause();

    Some.eventually(
        "logins fail",
        () -> store.open(Some.session("bert"), Some.LONG) instanceof WriteOutcome.Failed);
    Some.eventually("it is told", () -> store.trouble().isPresent());
    postgres.primary.resume();

    Some.eventually(
        "logins are kept again",
        () -> store.open(Some.session("carl"), Some.LONG) instanceof WriteOutcome.Stored);
  }
}
