package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.persistence.Revocation;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.persistence.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingEndsTests {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Instant EXPIRES = TestTime.START.plusSeconds(7200);

  private final TestTime time = new TestTime();
  private final MemorySessions memory = new MemorySessions(time.clock);
  private final FaultyStore store = new FaultyStore(memory);
  private final PendingEnds pending =
      new PendingEnds(store, new ClockWatch(time.clock, time::nanos), SECOND, time::nanos);

  private static Revocation end() {
    return new Revocation.OfSession(SessionId.random(TestTokens.RANDOM), EXPIRES);
  }

  private List<Revocation> log() {
    return memory.revocationsAfter("", SECOND).entries();
  }

  @Test
  void acknowledgedEndIsNotRemembered() {
    assertThat(pending.revoke(List.of(end()))).isEqualTo(new WriteOutcome.Stored());

    assertThat(pending.size()).isZero();
  }

  @Test
  void endIsTriedAgainWhenTheFirstTryHasGivenUpAndNotBefore() {
    store.mute = true;
    pending.revoke(List.of(end()));
    pending.retry();
    assertThat(log()).hasSize(1);
    time.pass(Duration.ofSeconds(2));
    pending.retry();
    assertThat(log()).hasSize(2);
    assertThat(pending.size()).isOne();
    store.mute = false;
    pending.retry();

    assertThat(pending.size()).isZero();
  }

  @Test
  void anyNumberIsToldInBatches() {
    List<Revocation> many = new ArrayList<>();
    for (int i = 0; i < 1234; i++) {
      many.add(end());
    }
    store.down = true;
    pending.revoke(many);
    time.pass(Duration.ofSeconds(2));
    pending.retry();
    assertThat(pending.size()).isEqualTo(1234);
    store.down = false;
    pending.retry();

    assertThat(pending.size()).isZero();
    assertThat(log()).containsExactlyInAnyOrderElementsOf(many);
  }

  @Test
  void lostEntryThatAnotherNodeWasFirstToTellIsNotToldAgain() {
    Revocation one = end();
    Revocation two = end();
    var user = new Revocation.OfUser("anna", TestTime.START.plusMillis(5), EXPIRES);
    pending.heal(List.of(one, two, user));
    pending.seen(
        List.of(
            new Revocation.OfSession(((Revocation.OfSession) one).id(), EXPIRES.plusSeconds(9)),
            new Revocation.OfUser("anna", TestTime.START.plusMillis(4), EXPIRES)));
    time.pass(Duration.ofSeconds(2));
    pending.retry();

    assertThat(log()).containsExactlyInAnyOrder(two, user);
  }

  @Test
  void endThatSomebodyWaitsForIsToldEvenIfTheLogHasIt() {
    Revocation end = end();
    store.mute = true;
    pending.revoke(List.of(end));
    pending.seen(List.of(end));
    pending.heal(List.of(end));
    pending.seen(List.of(end));

    // Read by one node is not acknowledged by a second copy.
    assertThat(pending.size()).isOne();
  }

  @Test
  void laterEndOfAUserIsNotLostToAnEarlierOne() {
    store.down = true;
    var later = new Revocation.OfUser("anna", TestTime.START.plusMillis(5), EXPIRES);
    pending.revoke(List.of(later));
    pending.revoke(List.of(new Revocation.OfUser("anna", TestTime.START, EXPIRES)));
    store.down = false;
    pending.revoke(List.of(new Revocation.OfUser("anna", TestTime.START.plusMillis(1), EXPIRES)));
    time.pass(Duration.ofSeconds(2));
    pending.retry();

    assertThat(log()).contains(later);
    assertThat(pending.size()).isZero();
  }

  @Test
  void laterEndOfAUserThatTheLogHasLostIsToldAgainThoughAnEarlierOneWaits() {
    store.down = true;
    pending.revoke(List.of(new Revocation.OfUser("anna", TestTime.START, EXPIRES)));
    var lost = new Revocation.OfUser("anna", TestTime.START.plusMillis(5), EXPIRES);
    pending.heal(List.of(lost));
    store.down = false;
    time.pass(Duration.ofSeconds(2));
    pending.retry();

    assertThat(log()).containsExactly(lost);
    assertThat(pending.size()).isZero();
  }

  @Test
  void endOfAnEpochThatWaitsReadsTheLogOnce() {
    memory.revoke(List.of(end(), end(), end()), SECOND);
    pending.endEpoch(memory.revocationsAfter("", SECOND).epoch());
    store.full = true;
    pending.retry();
    pending.retry();
    pending.retry();

    assertThat(store.logReads).hasValue(3);
    assertThat(store.logEntries).hasValue(3);
  }

  @Test
  void clockThatJumpsForwardMakesNoEndForgotten() {
    store.down = true;
    pending.revoke(List.of(end()));
    time.jump(Duration.ofDays(1));
    pending.retry();
    assertThat(pending.size()).isOne();
    time.jump(Duration.ofDays(-1));
    time.pass(Duration.ofSeconds(2));
    store.down = false;
    pending.retry();

    assertThat(log()).hasSize(1);
  }
}
