package dev.staithe.authn.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.session.TestTime;
import dev.staithe.authn.session.TestTokens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemorySessionsTests {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Instant START = TestTime.START;

  private final TestTime time = new TestTime();
  private final MemorySessions store = new MemorySessions(time.clock);

  private Session opened(String subject, int second) {
    Instant created = START.plusSeconds(second);
    var session =
        new Session(
            SessionId.random(TestTokens.RANDOM),
            subject,
            created,
            created.plusSeconds(3600),
            created,
            Assurance.PASSWORD,
            "",
            "");
    assertThat(store.open(session, SECOND)).isEqualTo(new WriteOutcome.Stored());
    return session;
  }

  private static Revocation endOf(Session session) {
    return new Revocation.OfSession(session.id(), session.expires());
  }

  @Test
  void listsAreInTheirOrderAndLeaveOutWhatHasExpired() {
    Session one = opened("anna", 1);
    Session three = opened("anna", 3);
    Session two = opened("anna", 2);
    Session berts = opened("bert", 9);

    assertThat(store.sessionsOf("anna")).containsExactly(one, two, three);
    assertThat(store.sessions(2)).containsExactly(berts, three);
    time.pass(Duration.ofSeconds(3602));
    assertThat(store.sessionsOf("anna")).containsExactly(three);
    assertThat(store.find(two.id())).isEmpty();
    store.deleteExpired(time.clock.instant());
    assertThat(store.sessions(9)).containsExactly(berts, three);
  }

  @Test
  void endRemovesTheRecordAndIsReadOnceAfterItsPosition() {
    Session one = opened("anna", 1);
    Session two = opened("anna", 2);
    String begin = store.revocationsAfter("", SECOND).position();
    store.revoke(List.of(endOf(one)), SECOND);
    LogSlice first = store.revocationsAfter(begin, SECOND);
    store.revoke(List.of(endOf(two)), SECOND);

    assertThat(first.entries()).containsExactly(endOf(one));
    assertThat(store.revocationsAfter(first.position(), SECOND).entries())
        .containsExactly(endOf(two));
    assertThat(store.revocationsAfter("", SECOND).entries())
        .containsExactly(endOf(one), endOf(two));
    assertThat(store.sessionsOf("anna")).isEmpty();
  }

  @Test
  void endOfAUserRemovesTheRecordsBegunBefore() {
    opened("anna", 1);
    Session later = opened("anna", 2);
    opened("bert", 1);
    store.revoke(
        List.of(new Revocation.OfUser("anna", START.plusSeconds(2), START.plusSeconds(9999))),
        SECOND);

    assertThat(store.sessionsOf("anna")).containsExactly(later);
    assertThat(store.sessionsOf("bert")).hasSize(1);
  }

  @Test
  void positionOfAnotherOneIsARegression() {
    String foreign = new MemorySessions(time.clock).revocationsAfter("", SECOND).position();
    store.revoke(List.of(endOf(opened("anna", 1))), SECOND);
    LogSlice slice = store.revocationsAfter(foreign, SECOND);

    assertThat(slice.regressed()).isTrue();
    assertThat(slice.entries()).hasSize(1);
    assertThat(store.revocationsAfter("", SECOND).regressed()).isFalse();
  }

  @Test
  void newEpochForgetsAllAndKeepsPositionsGood() {
    Session session = opened("anna", 1);
    store.revoke(List.of(endOf(session)), SECOND);
    LogSlice before = store.revocationsAfter("", SECOND);
    opened("bert", 1);
    store.beginEpoch(SECOND);
    LogSlice after = store.revocationsAfter(before.position(), SECOND);

    assertThat(after.epoch()).isNotEqualTo(before.epoch());
    assertThat(after.regressed()).isFalse();
    assertThat(store.revocationsAfter("", SECOND).entries()).isEmpty();
    assertThat(store.sessions(9)).isEmpty();
    assertThat(new MemorySessions(time.clock).revocationsAfter("", SECOND).epoch())
        .isNotEqualTo(after.epoch());
  }

  @Test
  void onlyLaterUsesCount() {
    Session session = opened("anna", 10);
    store.touch(Map.of(session.id(), START.plusSeconds(5)));
    assertThat(store.lastUse(session.id(), SECOND)).contains(START.plusSeconds(10));
    store.touch(Map.of(session.id(), START.plusSeconds(20)));
    assertThat(store.lastUse(session.id(), SECOND)).contains(START.plusSeconds(20));
    assertThat(store.sessionsOf("anna").getFirst().lastUse()).isEqualTo(START.plusSeconds(20));
    store.touch(Map.of(SessionId.random(TestTokens.RANDOM), START));
    assertThat(store.lastUse(SessionId.random(TestTokens.RANDOM), SECOND)).isEmpty();
  }

  @Test
  void everyEndIsHinted() {
    var hints = new AtomicInteger();
    store.onHint(hints::incrementAndGet);
    store.revoke(List.of(endOf(opened("anna", 1))), SECOND);
    store.beginEpoch(SECOND);

    assertThat(hints).hasValue(2);
  }

  @Test
  void expiredEntriesLeaveTheLog() {
    store.revoke(List.of(endOf(opened("anna", 1))), SECOND);
    time.pass(Duration.ofHours(2));
    assertThat(store.revocationsAfter("", SECOND).entries()).isEmpty();
    store.deleteExpired(time.clock.instant());
    time.jump(Duration.ofHours(-2));
    assertThat(store.revocationsAfter("", SECOND).entries()).isEmpty();
  }
}
