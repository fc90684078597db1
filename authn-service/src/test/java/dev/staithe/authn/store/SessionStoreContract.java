package dev.staithe.authn.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.LogSlice;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.persistence.SessionStore;
import dev.staithe.authn.persistence.WriteOutcome;
import dev.staithe.service.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every store does, whatever it promises. */
interface SessionStoreContract {
  /** A store that keeps its promise, perhaps with sessions of other tests. */
  SessionStore store();

  @Test
  default void aSessionIsFoundAsItWasKept() {
    Session session = Some.session("anna");

    assertThat(store().open(session, Some.LONG)).isEqualTo(new WriteOutcome.Stored());

    Some.eventually("it is found", () -> store().find(session.id()).isPresent());
    assertThat(Some.find(store(), session)).contains(session);
  }

  @Test
  default void sessionsOfAUserAreListedOldestFirstAndOfAllNewestFirst() throws Exception {
    Instant now = Some.now();
    Session late = Some.session("bert", now.plusSeconds(61));
    Session early = Some.session("bert", now.plusSeconds(60));
    store().open(late, Some.LONG);
    store().open(early, Some.LONG);

    Some.eventually("both are listed", () -> store().sessionsOf("bert").size() == 2);
    assertThat(store().sessionsOf("bert")).containsExactly(early, late);
    assertThat(store().countOf("bert")).isEqualTo(2);
    assertThat(store().sessions(2)).containsExactly(late, early);
    store().revoke(List.of(Some.endOf(late), Some.endOf(early)), Some.LONG);
    Some.eventually("none is listed", () -> store().sessionsOf("bert").isEmpty());
  }

  @Test
  default void anEndedSessionIsInTheLogAfterThePositionAndItsRecordIsGone() {
    Session session = Some.session("carl");
    store().open(session, Some.LONG);
    LogSlice before = Some.log(store());

    Revocation end = Some.endOf(session);
    assertThat(store().revoke(List.of(end), Some.LONG)).isEqualTo(new WriteOutcome.Stored());

    Some.eventually(
        "it is in the log",
        () -> store().revocationsAfter(before.position(), Some.LONG).entries().contains(end));
    LogSlice after = Some.log(store(), before.position());
    assertThat(after.regressed()).isFalse();
    assertThat(after.epoch()).isEqualTo(before.epoch());
    assertThat(Some.log(store()).entries()).contains(end);
    assertThat(Some.find(store(), session)).isEmpty();
  }

  @Test
  default void endingAllOfAUserLeavesLaterSessionsAndOtherUsers() {
    Instant now = Some.now();
    Session early = Some.session("dora", now.minusSeconds(2));
    Session late = Some.session("dora", now);
    Session other = Some.session("emil", now.minusSeconds(2));
    List.of(early, late, other).forEach(each -> store().open(each, Some.LONG));

    Revocation end = new Revocation.OfUser("dora", now, now.plus(Duration.ofHours(2)));
    store().revoke(List.of(end), Some.LONG);

    Some.eventually(
        "it is in the log", () -> store().revocationsAfter("", Some.LONG).entries().contains(end));
    Some.eventually("the early one is gone", () -> store().find(early.id()).isEmpty());
    assertThat(Some.find(store(), late)).contains(late);
    assertThat(Some.find(store(), other)).contains(other);
  }

  @Test
  default void lastUsesGoForwardOnly() throws Exception {
    Session session = Some.session("fred");
    store().open(session, Some.LONG);
    Some.eventually("it is found", () -> store().find(session.id()).isPresent());
    SessionId unknown = Some.session("nobody").id();
    Instant later = session.created().plusSeconds(100);

    store().touch(Map.of(session.id(), later, unknown, later));
    store().touch(Map.of(session.id(), session.created().plusSeconds(50)));

    assertThat(store().lastUse(session.id(), Some.LONG)).contains(later);
    assertThat(store().lastUse(unknown, Some.LONG)).isEmpty();
  }

  @Test
  default void whatHasExpiredIsNeitherFoundNorKept() throws Exception {
    Instant old = Some.now().minus(Duration.ofHours(3));
    Session session = Some.session("gina");
    store().open(session, Some.LONG);
    Session soon = Some.session("gina", old.plus(Duration.ofHours(1)).plusSeconds(4));
    store().open(soon, Some.LONG);
    Revocation end = new Revocation.OfSession(soon.id(), soon.expires());
    Some.eventually("both are kept", () -> store().sessionsOf("gina").size() == 2);

    store().revoke(List.of(end), Some.LONG);
    Some.eventually(
        "it is in the log", () -> store().revocationsAfter("", Some.LONG).entries().contains(end));
    store().deleteExpired(soon.expires().plusSeconds(1));
    Some.eventually(
        "the entry has expired",
        () -> !store().revocationsAfter("", Some.LONG).entries().contains(end));

    assertThat(store().sessionsOf("gina")).containsExactly(session);
  }

  @Test
  default void aNewEpochForgetsAll() {
    Session session = Some.session("hans");
    store().open(session, Some.LONG);
    store().revoke(List.of(Some.endOf(Some.session("hans"))), Some.LONG);
    LogSlice before = Some.log(store());

    assertThat(store().beginEpoch(Some.LONG)).isEqualTo(new WriteOutcome.Stored());

    LogSlice after = Some.log(store(), before.position());
    assertThat(after.epoch()).isNotEqualTo(before.epoch());
    assertThat(after.entries()).isEmpty();
    assertThat(Some.find(store(), session)).isEmpty();
  }

  @Test
  default void manyAtOnceAreAllKept() throws InterruptedException, ExecutionException {
    int threads = 64;
    int each = 20;
    List<Future<List<Session>>> working = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        working.add(
            pool.submit(
                () -> {
                  List<Session> mine = new ArrayList<>();
                  for (int j = 0; j < each; j++) {
                    Session session = Some.session("crowd");
                    mine.add(session);
                    // On a busy machine write-behind may refuse to get behind; asking again is
                    // fine.
                    Some.eventually(
                        "it is kept",
                        () -> store().open(session, Some.LONG) instanceof WriteOutcome.Stored);
                    if (j % 4 == 0) {
                      List<Revocation> end = List.of(Some.endOf(session));
                      Some.eventually(
                          "its end is kept",
                          () -> store().revoke(end, Some.LONG) instanceof WriteOutcome.Stored);
                    }
                  }
                  return mine;
                }));
      }
    }
    Set<SessionId> open = new HashSet<>();
    Set<SessionId> ended = new HashSet<>();
    for (Future<List<Session>> one : working) {
      List<Session> mine = one.get();
      for (int j = 0; j < mine.size(); j++) {
        (j % 4 == 0 ? ended : open).add(mine.get(j).id());
      }
    }
    Some.eventually("all are kept", () -> ids(store()).equals(open));
    Some.eventually("all ends are in the log", () -> ends(store()).containsAll(ended));
  }

  private static Set<SessionId> ids(SessionStore store) throws StoreUnavailable {
    Set<SessionId> ids = new HashSet<>();
    store.sessionsOf("crowd").forEach(session -> ids.add(session.id()));
    return ids;
  }

  private static Set<SessionId> ends(SessionStore store) throws StoreUnavailable {
    Set<SessionId> ids = new HashSet<>();
    for (Revocation each : store.revocationsAfter("", Some.LONG).entries()) {
      if (each instanceof Revocation.OfSession it) {
        ids.add(it.id());
      }
    }
    return ids;
  }

  @Test
  default void anEndWakesWhoAskedForHints() throws InterruptedException {
    // Where the hint comes by a connection of its own, it hints once when it is there: the second
    // hint is for an end, which is repeated in case that listening began just after it.
    CountDownLatch woken = new CountDownLatch(2);
    store().onHint(woken::countDown);
    for (int i = 0; i < 50 && woken.getCount() > 0; i++) {
      store().revoke(List.of(Some.endOf(Some.session("ines"))), Some.LONG);
      woken.await(200, TimeUnit.MILLISECONDS);
    }
    assertThat(woken.getCount()).isZero();
  }

  @Test
  default void aKeptPromiseIsNoTrouble() {
    Some.eventually("no trouble", () -> store().trouble().isEmpty());
  }
}
