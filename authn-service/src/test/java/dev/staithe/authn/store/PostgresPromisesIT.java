package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.authn.persistence.LogSlice;
import dev.staithe.authn.persistence.PersistenceModel;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.peers.PostgresServer;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The assured models' promises, and what becomes of them when standbys or the primary go. */
class PostgresPromisesIT {
  private static final String WAITING =
      "from pg_stat_activity where wait_event = 'SyncRep'"
          + " and application_name like 'staithe-writer-%'";

  private Postgres postgres;
  private PostgresServer one;
  private PostgresServer two;

  @BeforeEach
  void start() {
    postgres = Postgres.start();
    one = postgres.standby("one");
    two = postgres.standby("two");
  }

  @AfterEach
  void stop() {
    postgres.close();
  }

  private SessionStore assuredWrite() {
    postgres.synchronous("ANY 1 (one, two)", 2);
    return postgres.node(PersistenceModel.ASSURED_WRITE);
  }

  @Test
  void assuredWriteWhenThePrimaryIsKilledThenAllThatWasAcknowledgedIsOnASurvivor()
      throws Exception {
    SessionStore store = assuredWrite();
    two.pause(); // the only copy is on the other
    ConcurrentLinkedQueue<Session> kept = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Session> ended = new ConcurrentLinkedQueue<>();
    AtomicBoolean enough = new AtomicBoolean();
    List<Thread> users = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      users.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!enough.get()) {
                      Session stays = Some.session("stays");
                      if (store.open(stays, Some.SHORT) instanceof WriteOutcome.Stored) {
                        kept.add(stays);
                      }
                      Session goes = Some.session("goes");
                      if (store.open(goes, Some.SHORT) instanceof WriteOutcome.Stored
                          && store.revoke(List.of(Some.endOf(goes)), Some.SHORT)
                              instanceof WriteOutcome.Stored) {
                        ended.add(goes);
                      }
                    }
                  }));
    }
    Eventually.holds("many are acknowledged", () -> kept.size() > 200 && ended.size() > 200);

    postgres.primary.kill();
    enough.set(true);
    for (Thread user : users) {
      user.join();
    }
    one.promote();

    SessionStore survivor =
        postgres.node(postgres.settings(PersistenceModel.BEST_EFFORT, one.url(), Optional.empty()));
    assertThat(survivor.sessionsOf("stays")).containsAll(kept);
    assertThat(survivor.sessionsOf("goes")).doesNotContainAnyElementsOf(ended);
    assertThat(Some.log(survivor).entries())
        .containsAll(ended.stream().<Revocation>map(Some::endOf).toList());
    Trials.held(kept.size() + ended.size());
  }

  @Test
  void assuredReadWhenAcknowledgedThenEveryStandbyShowsIt() {
    // Standbys that apply what they have only later would show the difference to assured-write.
    for (PostgresServer standby : List.of(one, two)) {
      standby.set("recovery_min_apply_delay", "'300ms'");
    }
    postgres.synchronous("FIRST 2 (one, two)", 2);
    SessionStore reads = postgres.node(PersistenceModel.ASSURED_READ);
    for (int i = 0; i < 5; i++) {
      Session session = Some.session("anna");
      assertThat(reads.open(session, Some.LONG)).isEqualTo(new WriteOutcome.Stored());
      assertThat(reads.revoke(List.of(Some.endOf(Some.session("x"))), Some.LONG))
          .isEqualTo(new WriteOutcome.Stored());

      assertThat(Postgres.count(one, "session")).isEqualTo(i + 1);
      assertThat(Postgres.count(two, "session")).isEqualTo(i + 1);
      assertThat(Postgres.count(one, "revocation")).isEqualTo(i + 1);
      assertThat(Postgres.count(two, "revocation")).isEqualTo(i + 1);
    }
  }

  @Test
  void nodeThatReadsAStandbySeesTheLogThereAndRefusesOneThatIsCutOff() throws Exception {
    postgres.synchronous("FIRST 2 (one, two)", 2);
    SessionStore near =
        postgres.node(
            postgres.settings(
                PersistenceModel.ASSURED_READ, postgres.primary.url(), Optional.of(one.url())));
    SessionStore far = postgres.node(PersistenceModel.ASSURED_READ);
    Revocation end = Some.endOf(Some.session("anna"));
    LogSlice before = Some.log(near);

    assertThat(far.revoke(List.of(end), Some.LONG)).isEqualTo(new WriteOutcome.Stored());

    LogSlice after = Some.log(near, before.position());
    assertThat(after.entries()).contains(end);
    assertThat(after.regressed()).isFalse();
    assertThat(Some.log(far, after.position()).regressed()).isFalse();

    one.sql("alter system set primary_conninfo = ''; select pg_reload_conf()");
    Some.eventually(
        "a standby that nobody feeds is not read",
        () -> {
          try {
            near.revocationsAfter("", Some.LONG);
            return false;
          } catch (StoreUnavailable e) {
            return e.getMessage().equals("the standby that is read does not follow its primary");
          }
        });
  }

  @Test
  void loginWhenNoStandbyAnswersThenIsNotAcknowledgedAndIsRemovedWhenTheyAreBack()
      throws Exception {
    SessionStore store = assuredWrite();
    postgres.primary.sql(
        """
        create table seen (id uuid);
        create function see() returns trigger language plpgsql as
          'begin insert into seen values (new.id); return null; end';
        create trigger see after insert on session for each row execute function see()
        """);
    one.pause();
    two.pause();
    Session session = Some.session("anna");

    assertThat(store.open(session, Some.SHORT)).isInstanceOf(WriteOutcome.NotAcknowledged.class);
    Eventually.holds(
        "the commit waits", () -> postgres.primary.sql("select count(*) " + WAITING).equals("1"));
    one.resume();
    two.resume();

    Some.eventually(
        "it was written late, and is removed",
        () ->
            Postgres.count(postgres.primary, "seen") == 1
                && Postgres.count(postgres.primary, "session") == 0);
    assertThat(store.open(Some.session("bert"), Some.LONG)).isEqualTo(new WriteOutcome.Stored());
    assertThat(store.find(session.id())).isEmpty();
  }

  @Test
  void logoutWhenNoStandbyAnswersThenIsPendingButObeyedByOtherNodesAndAssuredLater() {
    SessionStore store = assuredWrite();
    SessionStore other = postgres.node(PersistenceModel.ASSURED_WRITE);
    Session session = Some.session("anna");
    store.open(session, Some.LONG);
    LogSlice before = Some.log(other);
    one.pause();
    two.pause();
    Revocation end = Some.endOf(session);

    assertThat(store.revoke(List.of(end), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);
    Some.eventually(
        "the other node sees it",
        () -> other.revocationsAfter(before.position(), Some.LONG).entries().contains(end));
    assertThat(Some.find(store, session)).isPresent(); // nothing is assured yet
    one.resume();
    two.resume();

    Some.eventually("it is done", () -> store.find(session.id()).isEmpty());
  }

  /** The node gives the write up and tells the others just while there is no primary. */
  @Test
  void logoutThatWasAnsweredWhileThePrimaryWasAwayIsObeyedByOtherNodesAfterwards() {
    SessionStore store = assuredWrite();
    SessionStore other = postgres.node(PersistenceModel.ASSURED_WRITE);
    Session session = Some.session("anna");
    store.open(session, Some.LONG);
    LogSlice before = Some.log(other);
    one.pause();
    two.pause();
    postgres.primary.pause();
    Revocation end = Some.endOf(session);

    assertThat(store.revoke(List.of(end), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);
    // Whatever was on its way is given up.
    postgres.primary.kill();
    assertThat(store.revoke(List.of(end), Some.SHORT))
        .isInstanceOf(WriteOutcome.NotAcknowledged.class);
    postgres.primary.restart();

    Some.eventually(
        "the other node sees it, though no standby is there",
        () -> other.revocationsAfter("", Some.LONG).entries().contains(end));
    assertThat(before.entries()).doesNotContain(end);
    assertThat(Some.find(store, session)).isPresent(); // nothing is assured yet
    one.resume();
    two.resume();
    Some.eventually("it is done", () -> store.find(session.id()).isEmpty());
  }

  @Test
  void cancelledWaitForAStandbyIsNoAcknowledgement() {
    SessionStore store = assuredWrite();
    one.pause();
    two.pause();
    Session session = Some.session("anna");
    CompletableFuture<WriteOutcome> answer =
        CompletableFuture.supplyAsync(() -> store.open(session, Duration.ofSeconds(5)));
    Eventually.holds(
        "the commit waits", () -> postgres.primary.sql("select count(*) " + WAITING).equals("1"));

    assertThat(postgres.primary.sql("select pg_cancel_backend(pid) " + WAITING)).isEqualTo("t");
    Eventually.holds("the row is there", () -> Postgres.count(postgres.primary, "session") == 1);

    assertThat(answer.join()).isInstanceOf(WriteOutcome.NotAcknowledged.class);
    one.resume();
    two.resume();
    Eventually.holds("it is removed", () -> Postgres.count(postgres.primary, "session") == 0);
  }

  @Test
  void withoutStandbyNamesAssuredModelsAreRefusedAtTheStartAndNotAcknowledgedLater() {
    assertThatThrownBy(() -> postgres.node(PersistenceModel.ASSURED_WRITE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "assured-write is not possible: synchronous_standby_names is empty, so that no commit"
                + " waits for a second copy");
    SessionStore store = assuredWrite();
    assertThat(store.open(Some.session("anna"), Some.LONG)).isEqualTo(new WriteOutcome.Stored());

    postgres.primary.set("synchronous_standby_names", "''");

    Some.eventually(
        "logins are not acknowledged any more",
        () -> store.open(Some.session("bert"), Some.SHORT) instanceof WriteOutcome.NotAcknowledged);
    Some.eventually("it is told", () -> store.trouble().isPresent());
    assertThat(store.trouble().orElseThrow()).contains("synchronous_standby_names is empty");
  }

  @Test
  void aStandbyThatGoesIsTold() {
    SessionStore store = assuredWrite();
    Some.eventually("no trouble", () -> store.trouble().isEmpty());
    one.kill();
    assertThat(store.open(Some.session("anna"), Some.LONG)).isEqualTo(new WriteOutcome.Stored());
    two.kill();

    Some.eventually("trouble", () -> store.trouble().isPresent());
    assertThat(store.trouble())
        .contains("assured-write needs 1 synchronous standby(s), and 0 of them are connected");
  }

  @Test
  void logThatLostEntriesByAFailoverIsKnownForIt() {
    String both =
        "jdbc:postgresql://" + postgres.primary.authority() + "," + two.authority() + "/postgres";
    SessionStore store =
        postgres.node(postgres.settings(PersistenceModel.BEST_EFFORT, both, Optional.empty()));
    Revocation copied = Some.endOf(Some.session("anna"));
    store.revoke(List.of(copied), Some.LONG);
    Eventually.holds("it is copied", () -> Postgres.count(two, "revocation") == 1);
    long epoch = Some.log(store).epoch();
    two.set("primary_conninfo", "''");
    Eventually.holds(
        "it is cut off",
        () ->
            postgres
                .primary
                .sql("select count(*) from pg_stat_replication where application_name = 'two'")
                .equals("0"));
    Revocation lost = Some.endOf(Some.session("bert"));
    store.revoke(List.of(lost), Some.LONG);
    Some.eventually(
        "it is read", () -> store.revocationsAfter("", Some.LONG).entries().contains(lost));
    String position = Some.log(store).position();

    postgres.primary.kill();
    two.promote();

    Some.eventually(
        "the other is read",
        () -> !store.revocationsAfter("", Some.SHORT).entries().contains(lost));
    LogSlice after = Some.log(store, position);
    assertThat(after.regressed()).isTrue();
    assertThat(after.entries()).containsExactly(copied);
    assertThat(after.epoch()).isEqualTo(epoch);
    assertThat(Some.log(store, after.position()).regressed()).isFalse();
    // Healing is the reader's: written again, it is there.
    Some.eventually(
        "it takes writes",
        () -> store.revoke(List.of(lost), Some.LONG) instanceof WriteOutcome.Stored);
    Some.eventually(
        "it is read again",
        () -> store.revocationsAfter(after.position(), Some.LONG).entries().contains(lost));
  }
}
