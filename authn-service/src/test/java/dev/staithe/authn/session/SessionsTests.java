package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.service.StoreUnavailable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionsTests {
  private final TestTime time = new TestTime();
  private final FaultyStore store = new FaultyStore(new MemorySessions(time.clock));
  private final TokenKeys keys = new TokenKeys(List.of(TestTokens.key("k1")));
  private final SessionNode node = SessionNode.start(store, keys, time);

  @AfterEach
  void stop() {
    store.down = false;
    store.mute = false;
    node.close();
  }

  @Test
  void tokenIsGoodOnEveryNodeOfTheSameKeysAndStore() {
    String token = node.login("anna");

    try (SessionNode other = SessionNode.start(store, keys, time)) {
      for (Freshness freshness : Freshness.values()) {
        assertThat(node.ask(token, freshness)).isEqualTo("good");
        assertThat(other.ask(token, freshness)).isEqualTo("good");
      }
    }
    assertThat(node.sessions.validate(token, Freshness.LOCAL))
        .isInstanceOfSatisfying(
            Validation.Valid.class,
            valid -> {
              assertThat(valid.token().subject()).isEqualTo("anna");
              assertThat(valid.token().assurance()).isEqualTo(Assurance.PASSWORD);
            });
  }

  @Test
  void openedSaysNothingOfTheToken() {
    SessionOpening opened = node.sessions.open("anna", Assurance.PASSWORD, "", "");

    assertThat(opened.toString()).doesNotContain("v1.");
  }

  @Test
  void whatIsKeptBesideTheSessionsIsNotForgottenByAClockThatWasSetForward() {
    time.jump(Duration.ofDays(1));

    assertThat(node.sessions.forForgetting()).isEqualTo(TestTime.START);
  }

  @Test
  void recordKeepsWhatIsKnownOfTheLogin() throws StoreUnavailable {
    node.sessions.open("anna", Assurance.SECOND_FACTOR, "192.0.2.7", "c".repeat(300));

    assertThat(node.sessions.sessionsOf("anna"))
        .singleElement()
        .satisfies(
            session -> {
              assertThat(session.address()).isEqualTo("192.0.2.7");
              assertThat(session.client()).hasSize(200);
              assertThat(session.assurance()).isEqualTo(Assurance.SECOND_FACTOR);
              assertThat(session.expires()).isEqualTo(TestTime.START.plus(Duration.ofHours(2)));
            });
  }

  @Test
  void subjectThatIsTooLongIsRefusedBeforeAnythingIsWritten() throws StoreUnavailable {
    String subject = "€".repeat(100);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.sessions.open(subject, Assurance.PASSWORD, "", ""));

    assertThat(store.sessions(10)).isEmpty();
  }

  @Test
  void tokenReplayedAfterLogoutIsRefusedEverywhereItWasGood() {
    String token = node.login("anna");
    try (SessionNode other = SessionNode.start(store, keys, time)) {
      assertThat(other.ask(token)).isEqualTo("good");
      assertThat(node.sessions.end(token)).isEqualTo(new SessionEnd.Ended());

      assertThat(node.ask(token)).isEqualTo("ENDED");
      assertThat(other.ask(token, Freshness.STRICT)).isEqualTo("ENDED");
      assertThat(other.ask(token)).isEqualTo("ENDED");
      assertThat(node.sessions.end(token)).isEqualTo(new SessionEnd.AlreadyEnded());
    }
  }

  @Test
  void tokenReplayedAfterARestartOfItsNodeIsRefused() {
    String token = node.login("anna");
    String good = node.login("anna");
    node.sessions.end(token);
    node.close();

    try (SessionNode again = SessionNode.start(store, keys, time)) {
      assertThat(again.ask(token)).isEqualTo("ENDED");
      assertThat(again.ask(good)).isEqualTo("good");
    }
  }

  @Test
  void expiredTokenIsRefusedToTheSecond() {
    String token = node.login("anna");
    for (int i = 0; i < 5; i++) {
      time.pass(Duration.ofMinutes(20));
      assertThat(node.ask(token)).isIn("good", "stale");
    }
    time.pass(Duration.ofMinutes(20).minusMillis(1));
    assertThat(node.ask(token)).isIn("good", "stale");
    time.pass(Duration.ofMillis(1));

    assertThat(node.ask(token)).isEqualTo("EXPIRED");
    assertThat(node.sessions.end(token)).isEqualTo(new SessionEnd.AlreadyEnded());
  }

  @Test
  void idleSessionIsRefused() {
    String token = node.login("anna");
    time.pass(Duration.ofMinutes(30));

    assertThat(node.ask(token)).isEqualTo("IDLE");
  }

  @Test
  void tokenFromTheFutureIsRefusedWhenTheClockWasSetBack() {
    String token = node.login("anna");
    time.jump(Duration.ofSeconds(-60));
    assertThat(node.ask(token)).isIn("good", "stale");
    time.jump(Duration.ofSeconds(-1));
    assertThat(node.ask(token)).isEqualTo("NOT_YET");
    time.jump(Duration.ofSeconds(61));

    assertThat(node.ask(token)).isIn("good", "stale");
  }

  @Test
  void tokenOfAStoreThatIsGoneIsOfAnotherEpoch() {
    String token = node.login("anna");
    node.close();

    try (SessionNode again = SessionNode.start(new MemorySessions(time.clock), keys, time)) {
      assertThat(again.ask(token)).isEqualTo("OTHER_EPOCH");
    }
  }

  @Test
  void whatIsNoTokenIsRefusedWithItsReason() {
    String token = node.login("anna");
    keys.replace(List.of(TestTokens.key("k2")));
    assertThat(node.ask(token)).isEqualTo("UNKNOWN_KEY");
    keys.replace(List.of(TestTokens.key("k1")));
    assertThat(node.ask(token)).isEqualTo("FORGED");
    assertThat(node.ask("v2.k1.x.y")).isEqualTo("MALFORMED");
    assertThat(node.ask("")).isEqualTo("MALFORMED");
    assertThat(node.sessions.end(token)).isEqualTo(new SessionEnd.NotFound());
    assertThat(node.sessions.info("x")).isEqualTo(new SessionInfo.Refused(Refusal.MALFORMED));
  }

  @Test
  void nothingIsAnsweredBeforeTheLogWasRead() {
    String token = node.login("anna");
    store.down = true;
    try (var cold = new Sessions(store, keys, SessionNode.POLICY, time.clock, time::nanos)) {
      cold.start();

      assertThat(cold.validate(token, Freshness.LOCAL)).isInstanceOf(Validation.Unavailable.class);
      assertThat(cold.open("anna", Assurance.PASSWORD, "", ""))
          .isInstanceOf(SessionOpening.Unavailable.class);
      assertThat(cold.ready()).isFalse();
    }
  }

  @Test
  void infoIsNoUseAndRefreshIs() {
    String token = node.login("anna");
    time.pass(Duration.ofMinutes(20));
    assertThat(known(node.sessions.info(token)).idleLeft()).isEqualTo(Duration.ofMinutes(10));
    assertThat(known(node.sessions.info(token)).left()).isEqualTo(Duration.ofMinutes(100));

    SessionInfo.Known refreshed = known(node.sessions.refresh(token, Freshness.LOCAL));
    assertThat(refreshed.idleLeft()).isEqualTo(Duration.ofMinutes(30));
    assertThat(refreshed.left()).isEqualTo(Duration.ofMinutes(100));

    time.pass(Duration.ofMinutes(30));
    assertThat(node.sessions.info(token)).isEqualTo(new SessionInfo.Refused(Refusal.IDLE));
    assertThat(node.sessions.refresh(token, Freshness.LOCAL))
        .isEqualTo(new SessionInfo.Refused(Refusal.IDLE));
  }

  @Test
  void infoKnowsOfUsesOnOtherNodes() {
    String token = node.login("anna");
    time.pass(Duration.ofMinutes(20));
    try (SessionNode other = SessionNode.start(store, keys, time)) {
      other.ask(token);
    }
    time.pass(Duration.ofMinutes(5));

    assertThat(known(node.sessions.info(token)).idleLeft()).isEqualTo(Duration.ofMinutes(25));
  }

  private static SessionInfo.Known known(SessionInfo info) {
    assertThat(info).isInstanceOf(SessionInfo.Known.class);
    return (SessionInfo.Known) info;
  }

  @Test
  void storeThatIsDownLeavesLocalAnswersFlaggedAndNoOthers() {
    String token = node.login("anna");
    store.down = true;
    assertThat(node.ask(token, Freshness.STRICT)).isEqualTo("unavailable");
    assertThat(node.ask(token, Freshness.LOCAL)).isEqualTo("good");
    assertThat(node.ask(token, Freshness.BOUNDED)).isEqualTo("good");

    time.pass(Duration.ofMillis(1001));
    assertThat(node.ask(token, Freshness.LOCAL)).isEqualTo("stale");
    assertThat(node.ask(token, Freshness.BOUNDED)).isEqualTo("unavailable");
    assertThat(node.sessions.lagSeconds()).isGreaterThan(1.0);
    assertThat(node.sessions.open("anna", Assurance.PASSWORD, "", ""))
        .isInstanceOf(SessionOpening.Unavailable.class);

    store.down = false;
    assertThat(node.ask(token, Freshness.BOUNDED)).isEqualTo("good");
    assertThat(node.ask(token, Freshness.LOCAL)).isEqualTo("good");
  }

  @Test
  void whatIsOverIsRefusedAtOnceAndNotRemembered() {
    String ended = node.login("anna");
    String old = node.login("anna");
    node.sessions.end(ended);
    // So long that the store would be asked for the last use.
    time.pass(Duration.ofMinutes(31));
    assertThat(node.sessions.validateAtOnce(ended, Freshness.LOCAL))
        .isEqualTo(Refusal.ENDED.verdict());
    time.pass(Duration.ofHours(2));
    assertThat(node.sessions.validateAtOnce(old, Freshness.LOCAL))
        .isEqualTo(Refusal.EXPIRED.verdict());

    assertThat(node.sessions.usesSize()).isZero();
  }

  @Test
  void machineThatSleptAsksTheStoreBeforeABoundedAnswer() {
    String token = node.login("anna");
    try (SessionNode other = SessionNode.start(store, keys, time)) {
      store.down = true;
      // Time that the machine slept through is on the clock only.
      time.jump(Duration.ofMinutes(1));
      assertThat(other.ask(token, Freshness.BOUNDED)).isEqualTo("unavailable");
    }
  }

  @Test
  void lastUseThatCannotBeReadIsGoodForLocalAnswersOnlyAndFlagged() {
    String token = node.login("anna");
    time.pass(Duration.ofMinutes(31));
    try (SessionNode other = SessionNode.start(store, keys, time)) {
      store.down = true;
      assertThat(other.ask(token, Freshness.LOCAL)).isEqualTo("stale");
      assertThat(other.ask(token, Freshness.BOUNDED)).isEqualTo("unavailable");
    }
  }
}
