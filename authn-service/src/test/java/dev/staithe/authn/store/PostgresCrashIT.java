package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.session.LogSlice;
import dev.staithe.authn.session.PersistenceModel;
import dev.staithe.authn.session.Revocation;
import dev.staithe.authn.session.Session;
import dev.staithe.authn.session.SessionStore;
import dev.staithe.authn.session.Stored;
import java.time.Duration;
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
  void bestEffortWhenTheDatabaseCrashesThenAtMostTheLastSecondIsLost() throws Exception {
    SessionStore store = postgres.node(PersistenceModel.BEST_EFFORT);
    List<Session> answered = new ArrayList<>();
    List<Long> when = new ArrayList<>();
    long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
    while (System.nanoTime() < end) {
      Session session = Some.session("anna");
      if (store.open(session, Some.LONG) instanceof Stored.Kept) {
        answered.add(session);
        when.add(System.nanoTime());
      }
      Thread.sleep(2); // a rate that does not fill the queue
    }
    LogSlice before = Some.log(store);

    long killed = System.nanoTime(); // to kill it takes a moment, which it goes on in
    postgres.primary.kill();
    store.close(); // what it had not written is lost as well
    postgres.primary.restart();

    SessionStore again = postgres.node(PersistenceModel.BEST_EFFORT);
    List<Session> promised = new ArrayList<>();
    for (int i = 0; i < answered.size(); i++) {
      if (killed - when.get(i) > Duration.ofSeconds(1).toNanos()) {
        promised.add(answered.get(i));
      }
    }
    assertThat(promised).hasSizeGreaterThan(100);
    assertThat(again.sessionsOf("anna")).containsAll(promised);
    LogSlice after = Some.log(again, before.position());
    assertThat(after.epoch()).isEqualTo(before.epoch());
    assertThat(after.regressed()).as("entries may be lost by a crash").isTrue();
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
          return store.open(next, Some.LONG) instanceof Stored.Kept;
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
        "logins fail", () -> store.open(Some.session("bert"), Some.LONG) instanceof Stored.Failed);
    assertThat(store.revoke(List.of(Some.endOf(session)), Some.LONG))
        .isInstanceOf(Stored.NotAcknowledged.class);
    assertThat(store.trouble()).isPresent();
    postgres.primary.restart();

    Some.eventually(
        "the logout is written",
        () ->
            store.find(session.id()).isEmpty()
                && store.revocationsAfter("", Some.LONG).entries().contains(Some.endOf(session)));
    Some.eventually("no trouble", () -> store.trouble().isEmpty());
    assertThat(store.open(Some.session("carl"), Some.LONG)).isEqualTo(new Stored.Kept());
  }

  @Test
  void serverThatHangsIsGivenUpAndUsedAgain() {
    SessionStore store = postgres.node(PersistenceModel.BEST_EFFORT);
    store.open(Some.session("anna"), Some.LONG);
    postgres.primary.pause();

    Some.eventually(
        "logins fail", () -> store.open(Some.session("bert"), Some.LONG) instanceof Stored.Failed);
    Some.eventually("it is told", () -> store.trouble().isPresent());
    postgres.primary.resume();

    Some.eventually(
        "logins are kept again",
        () -> store.open(Some.session("carl"), Some.LONG) instanceof Stored.Kept);
  }
}
