package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.persistence.Session;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.service.StoreUnavailable;
import dev.staithe.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionEndTests {
  private static final Duration ELEVEN_SECONDS = Duration.ofSeconds(11);

  private final TestTime time = new TestTime();
  private final MemorySessions memory = new MemorySessions(time.clock);
  private final FaultyStore store = new FaultyStore(memory);
  private final TokenKeys keys = new TokenKeys(List.of(TestTokens.key("k1")));
  private final SessionNode node = SessionNode.start(store, keys, time);
  private final SessionNode other = SessionNode.start(store, keys, time);

  @AfterEach
  void stop() {
    store.down = false;
    store.mute = false;
    node.close();
    other.close();
  }

  private SessionId idOf(String token) {
    return ((Validation.Valid) node.sessions.validate(token, Freshness.LOCAL)).token().id();
  }

  @Test
  void logoutWhenAcknowledgementStaysOutThenAnswersPendingAndRefusesHereAtOnce() {
    String token = node.login("anna");
    store.mute = true;
    assertThat(node.sessions.end(token)).isInstanceOf(SessionEnd.Pending.class);

    assertThat(node.ask(token)).isEqualTo("ENDED");
    assertThat(node.sessions.pendingEnds()).isOne();
    assertThat(node.sessions.end(token)).isInstanceOf(SessionEnd.Pending.class);

    store.mute = false;
    time.pass(ELEVEN_SECONDS);
    Eventually.holds("the end is acknowledged", () -> node.sessions.pendingEnds() == 0);
    assertThat(node.sessions.end(token)).isEqualTo(new SessionEnd.AlreadyEnded());
  }

  @Test
  void logoutWhenStoreIsDownThenFailsRefusesHereAndReachesTheOthersLater() {
    String token = node.login("anna");
    store.down = true;
    assertThat(node.sessions.end(token)).isInstanceOf(SessionEnd.Failed.class);
    assertThat(node.ask(token)).isEqualTo("ENDED");
    assertThat(other.ask(token)).isEqualTo("good");

    store.down = false;
    time.pass(ELEVEN_SECONDS);
    Eventually.holds("the other node refuses", () -> other.ask(token).equals("ENDED"));
  }

  @Test
  void pendingEndIsGivenUpWhenItsSessionHasExpired() {
    String token = node.login("anna");
    store.down = true;
    node.sessions.end(token);
    assertThat(node.sessions.pendingEnds()).isOne();
    time.pass(Duration.ofHours(3));

    Eventually.holds("it is given up", () -> node.sessions.pendingEnds() == 0);
  }

  @Test
  void sessionIsEndedByItsId() {
    String token = node.login("anna");
    SessionId id = idOf(token);
    assertThat(other.sessions.end(id)).isEqualTo(new SessionEnd.Ended());

    assertThat(other.ask(token)).isEqualTo("ENDED");
    assertThat(node.ask(token, Freshness.STRICT)).isEqualTo("ENDED");
    assertThat(other.sessions.end(id)).isEqualTo(new SessionEnd.NotFound());
    assertThat(other.sessions.end(SessionId.random(TestTokens.RANDOM)))
        .isEqualTo(new SessionEnd.NotFound());
  }

  @Test
  void allOfAUserEndAndNobodyElses() throws StoreUnavailable {
    String one = node.login("anna");
    String two = other.login("anna");
    String three = node.login("bert");
    time.pass(Duration.ofMillis(1));
    assertThat(node.sessions.endAllOf("anna")).isEqualTo(new SessionEnd.Ended());
    String later = node.login("anna");

    for (SessionNode each : List.of(node, other)) {
      assertThat(each.ask(one, Freshness.STRICT)).isEqualTo("ENDED");
      assertThat(each.ask(two, Freshness.STRICT)).isEqualTo("ENDED");
      assertThat(each.ask(three, Freshness.STRICT)).isEqualTo("good");
      assertThat(each.ask(later, Freshness.STRICT)).isEqualTo("good");
    }
    assertThat(node.sessions.sessionsOf("anna")).hasSize(1);
  }

  @Test
  void sessionThatIsWrittenBehindTheEndOfAllOfItsUserIsNotListed() throws StoreUnavailable {
    node.sessions.endAllOf("anna");
    // By a node that answered the login just before.
    memory.open(
        new Session(
            SessionId.random(TestTokens.RANDOM),
            "anna",
            TestTime.START,
            TestTime.START.plus(Duration.ofHours(2)),
            TestTime.START,
            Assurance.PASSWORD,
            "",
            ""),
        Duration.ofSeconds(1));

    assertThat(node.sessions.sessionsOf("anna")).isEmpty();
    assertThat(node.sessions.newest(10)).isEmpty();
  }

  @Test
  void sessionBegunInTheVeryMillisecondOrByAClockAheadEndsWithTheOthers() {
    String same = node.login("anna");
    time.jump(Duration.ofMillis(500));
    String ahead = other.login("anna");
    time.jump(Duration.ofMillis(-500));
    node.sessions.endAllOf("anna");

    assertThat(node.ask(same)).isEqualTo("ENDED");
    assertThat(node.ask(ahead)).isEqualTo("ENDED");
    assertThat(other.ask(ahead, Freshness.STRICT)).isEqualTo("ENDED");
  }

  @Test
  void sessionBegunAfterAClockAheadEndedAllIsGoodAndEndsWithTheNextEndOfAll() {
    time.jump(Duration.ofSeconds(4));
    other.sessions.endAllOf("anna");
    time.jump(Duration.ofSeconds(-4));
    assertThat(node.sessions.catchUp(Duration.ofSeconds(30))).isTrue();
    String token = node.login("anna");

    assertThat(node.ask(token)).isEqualTo("good");
    assertThat(other.ask(token, Freshness.STRICT)).isEqualTo("good");
    store.down = true;
    node.sessions.endAllOf("anna");
    assertThat(node.ask(token)).as("by its time alone").isEqualTo("ENDED");
  }

  /** So it is, too, with write-behind: a record that was not written yet is in no list. */
  @Test
  void allOfAUserEndHereEvenIfTheStoreIsDown() {
    String token = node.login("anna");
    store.down = true;
    assertThat(node.sessions.endAllOf("anna")).isInstanceOf(SessionEnd.Failed.class);

    assertThat(node.ask(token)).as("begun in this very millisecond").isEqualTo("ENDED");
    store.down = false;
    assertThat(node.ask(node.login("anna"))).as("begun after that").isEqualTo("good");
  }

  @Test
  void newEpochEndsEverybodysSessionsOnEveryNode() {
    List<String> tokens = List.of(node.login("anna"), other.login("bert"));
    assertThat(node.sessions.endEpoch()).isEqualTo(new SessionEnd.Ended());
    String later = node.login("anna");

    for (String token : tokens) {
      assertThat(node.ask(token)).isEqualTo("OTHER_EPOCH");
      assertThat(other.ask(token, Freshness.STRICT)).isEqualTo("OTHER_EPOCH");
    }
    // The other node may have heard nothing yet: it asks before it refuses so young a token.
    assertThat(other.ask(later)).isEqualTo("good");
  }

  @Test
  void epochThatTheStoreCouldNotBeginIsBegunLater() {
    String token = node.login("anna");
    store.down = true;
    assertThat(node.sessions.endEpoch()).isInstanceOf(SessionEnd.Failed.class);
    store.down = false;

    Eventually.holds("a new epoch begins", () -> node.ask(token).equals("OTHER_EPOCH"));
    assertThat(node.ask(node.login("anna"))).isEqualTo("good");
  }

  @Test
  void limitPerUserEndsTheOldest() throws StoreUnavailable {
    try (SessionNode few =
        SessionNode.start(store, keys, time, limited(SessionPolicy.OnLimit.END_OLDEST))) {
      List<String> tokens = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        tokens.add(few.login("anna"));
        time.pass(Duration.ofMillis(10));
      }
      String berts = few.login("bert");

      assertThat(tokens.stream().map(few::ask))
          .containsExactly("ENDED", "ENDED", "good", "good", "good");
      assertThat(few.ask(berts)).isEqualTo("good");
      assertThat(few.sessions.sessionsOf("anna")).hasSize(3);
    }
  }

  @Test
  void limitPerUserRefusesTheNewestUntilOneEndsOrIsIdle() {
    try (SessionNode few =
        SessionNode.start(store, keys, time, limited(SessionPolicy.OnLimit.REFUSE))) {
      final String first = few.login("anna");
      few.login("anna");
      few.login("anna");
      assertThat(few.sessions.open("anna", Assurance.PASSWORD, "", ""))
          .isEqualTo(new SessionOpening.TooMany());
      few.login("bert");
      few.sessions.end(first);
      few.login("anna");
      assertThat(few.sessions.open("anna", Assurance.PASSWORD, "", ""))
          .isEqualTo(new SessionOpening.TooMany());

      time.pass(Duration.ofMinutes(33));
      few.login("anna");
    }
  }

  private static SessionPolicy limited(SessionPolicy.OnLimit onLimit) {
    SessionPolicy policy = SessionNode.POLICY;
    return new SessionPolicy(
        policy.idle(),
        policy.absolute(),
        3,
        onLimit,
        policy.freshness(),
        policy.poll(),
        policy.deadline());
  }

  @Test
  void loginWithoutAcknowledgementGivesNoTokenAndItsRecordGoes() {
    store.mute = true;
    assertThat(node.sessions.open("anna", Assurance.PASSWORD, "", ""))
        .isInstanceOf(SessionOpening.Unavailable.class);

    // It was written; its end goes the same way, and is tried for until it is acknowledged.
    Eventually.holds("the record goes", () -> memory.sessionsOf("anna").isEmpty());
    assertThat(node.sessions.pendingEnds()).isOne();
    store.mute = false;
    Eventually.holds("the end is acknowledged", () -> node.sessions.pendingEnds() == 0);
    node.login("anna");
  }
}
