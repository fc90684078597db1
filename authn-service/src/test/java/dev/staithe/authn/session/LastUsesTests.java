package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.session.LastUses.Use;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LastUsesTests {
  private static final Duration IDLE = Duration.ofMinutes(30);

  private final TestTime time = new TestTime();
  private final FaultyStore store = new FaultyStore(new MemorySessions(time.clock));
  private final LastUses here = node();
  private final LastUses there = node();
  private final SessionToken token = TestTokens.token("anna");

  private LastUses node() {
    return new LastUses(store, Duration.ofSeconds(1), time::nanos);
  }

  @BeforeEach
  void open() {
    store.open(session(token), Duration.ZERO);
  }

  private static Session session(SessionToken token) {
    return new Session(
        token.id(),
        token.subject(),
        token.issued(),
        token.expires(),
        token.issued(),
        token.assurance(),
        "",
        "");
  }

  private Use use(LastUses node) {
    return node.use(token, time.clock.millis());
  }

  @Test
  void busySessionCostsOneWritePerTenthOfTheLimitAndNoRead() {
    for (int second = 0; second < 3600; second++) {
      time.pass(Duration.ofSeconds(1));
      assertThat(use(here)).isEqualTo(Use.GOOD);
      here.write();
    }

    assertThat(store.touches).hasValue(20);
    assertThat(store.useReads).hasValue(0);
    assertThat(here.writes()).isEqualTo(20);
  }

  @Test
  void useOnOneNodeCountsOnTheOther() {
    time.pass(Duration.ofMinutes(25));
    assertThat(use(here)).isEqualTo(Use.GOOD);
    time.pass(Duration.ofMinutes(25));

    assertThat(use(there)).isEqualTo(Use.GOOD);
    assertThat(there.reads()).isOne();
  }

  @Test
  void lateUseCountsOnTheOtherNodeBeforeAnyThreadHasWritten() {
    time.pass(IDLE.minusMillis(1));
    assertThat(use(here)).isEqualTo(Use.GOOD);
    time.pass(Duration.ofMillis(1));

    assertThat(use(there)).isEqualTo(Use.GOOD);
  }

  @Test
  void refusedUseIsNoUse() {
    time.pass(IDLE);
    assertThat(use(here)).isEqualTo(Use.IDLE);
    time.pass(Duration.ofSeconds(1));

    assertThat(use(here)).isEqualTo(Use.IDLE);
    assertThat(use(there)).isEqualTo(Use.IDLE);
  }

  @Test
  void sessionThatTheStoreDoesNotHaveIsGone() {
    SessionToken unknown = TestTokens.token("bert");
    time.pass(IDLE);

    assertThat(here.use(unknown, time.clock.millis())).isEqualTo(Use.GONE);
  }

  @Test
  void whileTheStoreIsDownYoungUsesAreGoodAndOldOnesUnknown() {
    store.down = true;
    time.pass(Duration.ofMinutes(29));
    assertThat(use(here)).isEqualTo(Use.GOOD);
    time.pass(Duration.ofMinutes(29));
    assertThat(use(here)).isEqualTo(Use.GOOD);
    assertThat(use(there)).isEqualTo(Use.UNKNOWN);
    time.pass(IDLE);
    assertThat(use(here)).isEqualTo(Use.UNKNOWN);

    store.down = false;
    time.pass(Duration.ofSeconds(2));
    here.write();
    // The last use that this node took is 30 minutes and 2 seconds ago.
    assertThat(use(here)).isEqualTo(Use.IDLE);
    assertThat(use(there)).isEqualTo(Use.IDLE);
  }

  @Test
  void usesOfAnOutageAreWrittenWhenItIsOver() {
    store.down = true;
    time.pass(Duration.ofMinutes(29));
    use(here);
    here.write();
    store.down = false;
    time.pass(Duration.ofSeconds(2));
    here.write();
    time.pass(Duration.ofMinutes(20));

    assertThat(use(there)).isEqualTo(Use.GOOD);
  }

  @Test
  void storeThatHasJustFailedIsLeftAlone() {
    store.down = true;
    time.pass(IDLE);
    for (int i = 0; i < 100; i++) {
      assertThat(use(here)).isEqualTo(Use.UNKNOWN);
    }

    assertThat(store.useReads).hasValue(1);
    time.pass(Duration.ofSeconds(1));
    use(here);
    assertThat(store.useReads).hasValue(2);
  }

  @Test
  void clockThatIsSetBackLengthensTheLimitByAsMuchAtMost() {
    time.pass(Duration.ofMinutes(60));
    SessionToken young =
        TestTokens.token(
            SessionId.random(TestTokens.RANDOM), "bert", time.clock.instant(), Duration.ofHours(9));
    store.open(session(young), Duration.ZERO);
    here.use(young, time.clock.millis());
    time.jump(Duration.ofMinutes(-10));

    time.pass(Duration.ofMinutes(10).plus(IDLE));
    assertThat(here.use(young, time.clock.millis())).isEqualTo(Use.IDLE);
  }

  @Test
  void sessionsThatAreNotUsedAreForgotten() {
    List<SessionToken> tokens = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      SessionToken each =
          TestTokens.token(
              SessionId.random(TestTokens.RANDOM), "u" + i, TestTime.START, Duration.ofHours(9));
      tokens.add(each);
      store.open(session(each), Duration.ZERO);
      here.use(each, time.clock.millis());
    }
    assertThat(here.size()).isEqualTo(100);
    Instant end = TestTime.START.plus(Duration.ofMinutes(45));
    while (time.clock.instant().isBefore(end)) {
      time.pass(Duration.ofMinutes(5));
      here.use(tokens.getFirst(), time.clock.millis());
      here.write();
    }

    assertThat(here.size()).isOne();
  }

  @Test
  void sessionsThatAreUsedOnceAtTheirLoginAreForgottenAlsoWhereTheClockWasSetBack() {
    for (int i = 0; i < 100; i++) {
      useAtLogin();
    }
    time.pass(IDLE);
    useAtLogin();
    here.write();
    assertThat(here.size()).isOne();

    time.jump(Duration.ofDays(-1));
    for (int i = 0; i < 100; i++) {
      useAtLogin();
    }
    time.pass(IDLE);
    useAtLogin();
    here.write();
    assertThat(here.size()).as("one of now and the one of tomorrow").isEqualTo(2);
  }

  private void useAtLogin() {
    SessionToken once =
        TestTokens.token(
            SessionId.random(TestTokens.RANDOM), "once", time.clock.instant(), Duration.ofHours(9));
    here.use(once, time.clock.millis());
  }

  @Test
  void endedSessionIsForgottenAtOnce() {
    use(here);
    here.forget(token.id());

    assertThat(here.size()).isZero();
  }
}
