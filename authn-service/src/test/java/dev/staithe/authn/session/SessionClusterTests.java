package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Three nodes under the load of many users at once. */
class SessionClusterTests {
  private static final int USERS = 8;
  private static final int SESSIONS_EACH = 100;

  private final TestTime time = new TestTime();
  private final MemorySessions store = new MemorySessions(time.clock);
  private final TokenKeys keys = new TokenKeys(List.of(TestTokens.key("k1")));

  @Test
  void sessionIsGoodOnAllNodesUntilItsLogoutIsAnsweredAndOnNoneAfterwards()
      throws InterruptedException, ExecutionException {
    List<SessionNode> nodes = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 3; i++) {
        nodes.add(SessionNode.start(store, keys, time));
      }
      List<Future<List<String>>> users = new ArrayList<>();
      for (int user = 0; user < USERS; user++) {
        int number = user;
        users.add(threads.submit(() -> use(nodes, "user" + number, new Random(number))));
      }
      for (Future<List<String>> user : users) {
        assertThat(user.get()).isEmpty();
      }
      for (SessionNode node : nodes) {
        assertThat(node.sessions.catchUp(Duration.ofSeconds(10))).isTrue();
        assertThat(node.sessions.endedSize()).isEqualTo(USERS * SESSIONS_EACH);
        Trials.held(node.sessions.endedSize());
      }
    } finally {
      nodes.forEach(SessionNode::close);
    }
  }

  @Test
  void nodeWhoseClockIsAheadTakesNoEndFromOneThatStarts() {
    FaultyStore counted = new FaultyStore(store);
    Duration longest = Duration.ofHours(2);
    SessionPolicy policy =
        new SessionPolicy(
            longest,
            longest,
            100,
            SessionPolicy.OnLimit.END_OLDEST,
            Duration.ofSeconds(1),
            Duration.ofMillis(10),
            Duration.ofSeconds(10));
    String token;
    try (SessionNode node = SessionNode.start(counted, keys, time, policy)) {
      token = node.login("anna");
      assertThat(node.sessions.end(token)).isEqualTo(new SessionEnd.Ended());
      Eventually.holds("what has expired was removed", () -> counted.purges.get() == 1);
    }
    time.pass(longest.minusSeconds(30));
    TestTime ahead = new TestTime();
    ahead.pass(longest.plusSeconds(29));

    try (SessionNode _ = SessionNode.start(counted, keys, ahead, policy)) {
      Eventually.holds("so it was by the clock ahead", () -> counted.purges.get() == 2);
    }

    try (SessionNode late = SessionNode.start(counted, keys, time, policy)) {
      assertThat(late.ask(token)).isEqualTo("ENDED");
    }
  }

  /** What was not as it should be. */
  private static List<String> use(List<SessionNode> nodes, String name, Random choice) {
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < SESSIONS_EACH; i++) {
      String token = nodes.get(choice.nextInt(3)).login(name);
      for (SessionNode node : nodes) {
        for (Freshness freshness : Freshness.values()) {
          String answer = node.ask(token, freshness);
          if (!answer.equals("good")) {
            wrong.add(freshness + " before: " + answer);
          }
        }
      }
      SessionNode out = nodes.get(choice.nextInt(3));
      if (!(out.sessions.end(token) instanceof SessionEnd.Ended)
          || !out.ask(token).equals("ENDED")) {
        wrong.add("the logout's own node");
      }
      for (SessionNode node : nodes) {
        String answer = node.ask(token, Freshness.STRICT);
        if (!answer.equals("ENDED") || !node.ask(token).equals("ENDED")) {
          wrong.add("after: " + answer);
        }
      }
    }
    return wrong;
  }
}
