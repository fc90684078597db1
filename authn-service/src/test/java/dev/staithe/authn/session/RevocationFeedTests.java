package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.staithe.authn.persistence.LogSlice;
import dev.staithe.authn.persistence.MemorySessions;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RevocationFeedTests {
  private static final Set<Thread.State> WAITING =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private static final SessionPolicy RARELY =
      new SessionPolicy(
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          100,
          SessionPolicy.OnLimit.END_OLDEST,
          Duration.ofHours(1),
          Duration.ofHours(1),
          Duration.ofSeconds(10));

  private final TestTime time = new TestTime();
  private final MemorySessions memory = new MemorySessions(time.clock);
  private final FaultyStore store = new FaultyStore(memory);
  private final TokenKeys keys = new TokenKeys(List.of(TestTokens.key("k1")));
  private final SessionNode node = SessionNode.start(store, keys, time);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(RevocationFeed.class);

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stop() {
    store.down = false;
    node.close();
    logger.detachAppender(lines);
  }

  private List<String> warnings() {
    synchronized (lines) {
      return List.copyOf(lines.list).stream()
          .filter(line -> line.getLevel() == Level.WARN)
          .map(ILoggingEvent::getFormattedMessage)
          .toList();
    }
  }

  @Test
  void hintAloneBringsAnEndToTheOtherNode() {
    String token = node.login("anna");
    try (SessionNode rare = SessionNode.start(store, keys, time, RARELY)) {
      node.sessions.end(token);

      Eventually.holds("the hint is followed", () -> rare.ask(token).equals("ENDED"));
    }
  }

  @Test
  void pollAloneBringsAnEndToTheOtherNode() {
    String token = node.login("anna");
    store.hintless = true;
    try (SessionNode other = SessionNode.start(store, keys, time)) {
      node.sessions.end(token);

      Eventually.holds("the poll finds it", () -> other.ask(token).equals("ENDED"));
    }
  }

  @Test
  void withNeitherHintNorPollOnlyStrictKnows() {
    String token = node.login("anna");
    store.hintless = true;
    try (SessionNode rare = SessionNode.start(store, keys, time, RARELY)) {
      node.sessions.end(token);
      assertThat(rare.ask(token, Freshness.LOCAL)).isEqualTo("good");
      assertThat(rare.ask(token, Freshness.BOUNDED)).isEqualTo("good");

      assertThat(rare.ask(token, Freshness.STRICT)).isEqualTo("ENDED");
      assertThat(rare.ask(token, Freshness.LOCAL)).isEqualTo("ENDED");
    }
  }

  @Test
  void tokenOfAnEpochThatBeganSinceTheLogWasReadIsGoodAfterAskingTheStore() {
    store.hintless = true;
    try (SessionNode rare = SessionNode.start(store, keys, time, RARELY)) {
      String old = node.login("anna");
      node.sessions.endEpoch();
      String token = node.login("anna");

      assertThat(rare.ask(old, Freshness.LOCAL)).isEqualTo("good");
      store.down = true;
      assertThat(rare.ask(token, Freshness.LOCAL)).isEqualTo("unavailable");
      store.down = false;
      assertThat(rare.ask(token, Freshness.LOCAL)).isEqualTo("good");
      assertThat(rare.ask(old, Freshness.LOCAL)).isEqualTo("OTHER_EPOCH");
    }
  }

  @Test
  void olderThanTheBoundAsksTheStore() {
    String token = node.login("anna");
    store.hintless = true;
    try (SessionNode rare = SessionNode.start(store, keys, time, RARELY)) {
      String used = node.login("anna");
      node.sessions.end(used);
      time.pass(Duration.ofMinutes(25));
      rare.ask(token);
      time.pass(Duration.ofMinutes(25));
      rare.ask(token);
      time.pass(Duration.ofMinutes(10).plusMillis(1));
      assertThat(rare.sessions.endedSize()).isZero();
      assertThat(rare.ask(token, Freshness.LOCAL)).isEqualTo("stale");

      assertThat(rare.ask(token, Freshness.BOUNDED)).isEqualTo("good");
      assertThat(rare.sessions.endedSize()).isOne();
      assertThat(rare.ask(token, Freshness.LOCAL)).isEqualTo("good");
    }
  }

  @Test
  void readThatBeganBeforeTheQuestionDoesNotAnswerIt()
      throws InterruptedException, ExecutionException {
    String token = node.login("anna");
    var slow = new FaultyStore(memory);
    slow.hintless = true;
    try (SessionNode asked = SessionNode.start(slow, keys, time, RARELY);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var held = new CountDownLatch(1);
      slow.held = held;
      // This one's read has looked at the log already, and its answer is held back.
      Future<String> before = threads.submit(() -> asked.ask(token, Freshness.STRICT));
      Eventually.holds("a read is under way", () -> slow.holding.get() == 1);
      node.sessions.end(token);
      Future<String> after = threads.submit(() -> asked.ask(token, Freshness.STRICT));
      // Time for the second question to be asked: were it answered by the first read, it would be
      // before this returns.
      assertThatThrownBy(() -> after.get(200, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      slow.held = null;
      held.countDown();

      assertThat(after.get()).isEqualTo("ENDED");
      assertThat(before.get()).isIn("good", "ENDED");
    }
  }

  @Test
  void manyWhoAskAtOnceShareFewReads() throws InterruptedException, ExecutionException {
    String token = node.login("anna");
    node.close();
    try (SessionNode rare = SessionNode.start(store, keys, time, RARELY)) {
      var closed = new CountDownLatch(1);
      store.gate = closed;
      int before = store.logReads.get();
      List<FutureTask<String>> answers = new ArrayList<>();
      List<Thread> asking = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        var answer = new FutureTask<>(() -> rare.ask(token, Freshness.STRICT));
        answers.add(answer);
        asking.add(Thread.ofVirtual().start(answer));
      }
      Eventually.holds(
          "all wait while a read is under way",
          () ->
              store.logReads.get() > before
                  && asking.stream().map(Thread::getState).allMatch(WAITING::contains));
      store.gate = null;
      closed.countDown();
      for (FutureTask<String> answer : answers) {
        assertThat(answer.get()).isEqualTo("good");
      }

      assertThat(store.logReads.get() - before).isLessThan(10);
    }
  }

  @Test
  void entriesThatComeAgainChangeNothing() {
    store.repeats = true;
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      tokens.add(node.login("anna"));
    }
    tokens.subList(0, 10).forEach(node.sessions::end);
    node.sessions.catchUp(Duration.ofSeconds(10));

    assertThat(node.sessions.endedSize()).isEqualTo(10);
    assertThat(tokens.stream().map(node::ask).filter("good"::equals)).hasSize(10);
  }

  @Test
  void failureIsSaidOnceAndItsEndOnce() {
    store.down = true;
    int before = store.logReads.get();
    Eventually.holds("it is tried again and again", () -> store.logReads.get() > before + 5);
    assertThat(warnings()).hasSize(1);
    store.down = false;
    assertThat(node.sessions.catchUp(Duration.ofSeconds(10))).isTrue();
    node.sessions.catchUp(Duration.ofSeconds(10));

    assertThat(lines.list.stream().filter(line -> line.getLevel() == Level.INFO)).hasSize(1);
  }

  @Test
  void lagCountsFromTheBeginningOfTheNewestCompleteRead()
      throws InterruptedException, ExecutionException {
    var slow = new FaultyStore(memory);
    slow.hintless = true;
    try (SessionNode rare = SessionNode.start(slow, keys, time, RARELY);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      time.pass(Duration.ofSeconds(7));
      assertThat(rare.sessions.lagSeconds()).isEqualTo(7.0);
      var held = new CountDownLatch(1);
      slow.held = held;
      Future<Boolean> read = threads.submit(() -> rare.sessions.catchUp(Duration.ofSeconds(10)));
      Eventually.holds("a read is under way", () -> slow.holding.get() == 1);
      time.pass(Duration.ofSeconds(3));
      assertThat(rare.sessions.lagSeconds()).isEqualTo(10.0);
      held.countDown();

      assertThat(read.get()).isTrue();
      assertThat(rare.sessions.lagSeconds()).isEqualTo(3.0);
    }
  }

  @Test
  void logThatLostItsTailIsToldAgainAndNothingIsGoodAgain() {
    String kept = node.login("anna");
    String lost = node.login("anna");
    String good = node.login("anna");
    node.sessions.end(kept);
    LogSlice backup = memory.revocationsAfter("", Duration.ofSeconds(1));
    node.sessions.end(lost);
    node.sessions.catchUp(Duration.ofSeconds(10));

    // Restored from a backup: the same epoch, and less of the log.
    var restored = new MemorySessions(time.clock);
    restored.revoke(backup.entries(), Duration.ZERO);
    store.epoch = backup.epoch();
    store.inner = restored;
    node.sessions.catchUp(Duration.ofSeconds(10));
    node.sessions.catchUp(Duration.ofSeconds(10));

    assertThat(node.ask(lost)).isEqualTo("ENDED");
    assertThat(node.ask(kept)).isEqualTo("ENDED");
    assertThat(node.ask(good)).isEqualTo("good");
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("lost entries")
        .contains("holds 1")
        .contains("told 1");

    time.pass(Duration.ofSeconds(3));
    Eventually.holds(
        "the log is healed",
        () -> restored.revocationsAfter("", Duration.ofSeconds(1)).entries().size() == 2);
    try (SessionNode fresh = SessionNode.start(store, keys, time)) {
      assertThat(fresh.ask(lost)).isEqualTo("ENDED");
      assertThat(fresh.ask(kept)).isEqualTo("ENDED");
      assertThat(fresh.ask(good)).isEqualTo("good");
    }
  }

  @Test
  void logThatLostEntriesIsToldThemThoughTheClockWasSetBackMeanwhile() {
    String lost = node.login("anna");
    LogSlice backup = memory.revocationsAfter("", Duration.ofSeconds(1));
    node.sessions.end(lost);
    node.sessions.catchUp(Duration.ofSeconds(10));

    store.down = true;
    time.jump(Duration.ofSeconds(-30));
    node.sessions.catchUp(Duration.ofSeconds(10));
    var restored = new MemorySessions(time.clock);
    store.epoch = backup.epoch();
    store.inner = restored;
    store.down = false;
    node.sessions.catchUp(Duration.ofSeconds(10));
    node.sessions.catchUp(Duration.ofSeconds(10));

    time.pass(Duration.ofSeconds(3));
    Eventually.holds(
        "the log is healed",
        () -> restored.revocationsAfter("", Duration.ofSeconds(1)).entries().size() == 1);
    assertThat(node.ask(lost)).isEqualTo("ENDED");
  }

  @Test
  void epochThatHadEndedDoesNotComeBackWithARestoredStore() {
    String old = node.login("anna");
    long before = memory.revocationsAfter("", Duration.ofSeconds(1)).epoch();
    node.sessions.endEpoch();
    assertThat(node.ask(old)).isEqualTo("OTHER_EPOCH");

    store.epoch = before;
    node.sessions.catchUp(Duration.ofSeconds(10));
    assertThat(node.ask(old)).isEqualTo("OTHER_EPOCH");
    Eventually.holds("a new epoch is begun", () -> store.epoch == null);
    node.sessions.catchUp(Duration.ofSeconds(10));
    assertThat(node.ask(old)).isEqualTo("OTHER_EPOCH");
    assertThat(node.ask(node.login("anna"))).isEqualTo("good");
    assertThat(warnings()).hasSize(1);
  }

  @Test
  void nodeThatComesBackWithAnOldPositionKnowsAllBeforeItAnswersBounded() {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      tokens.add(node.login("anna"));
      Trials.held();
    }
    var frozen = new FaultyStore(memory);
    frozen.hintless = true;
    try (SessionNode sleeper = SessionNode.start(frozen, keys, time)) {
      frozen.down = true;
      sleeper.sessions.catchUp(Duration.ofSeconds(10));
      tokens.forEach(node.sessions::end);
      time.pass(Duration.ofMinutes(5));
      assertThat(sleeper.ask(tokens.getFirst(), Freshness.LOCAL)).isEqualTo("stale");
      frozen.down = false;

      assertThat(tokens).allMatch(each -> sleeper.ask(each, Freshness.BOUNDED).equals("ENDED"));
    }
  }

  @Test
  void clockThatGoesAheadAndComesBackLetsNoEndedSessionIn() {
    String token = node.login("anna");
    String good = node.login("anna");
    node.sessions.end(token);
    // Long enough ahead that it is believed, and all is forgotten.
    time.jump(Duration.ofDays(1));
    node.sessions.catchUp(Duration.ofSeconds(10));
    time.pass(Duration.ofMinutes(11));
    node.sessions.catchUp(Duration.ofSeconds(10));
    node.sessions.catchUp(Duration.ofSeconds(10));
    assertThat(node.sessions.endedSize()).isZero();
    assertThat(node.ask(token)).isEqualTo("EXPIRED");

    store.down = true;
    node.sessions.catchUp(Duration.ofSeconds(10));
    time.jump(Duration.ofDays(-1));
    assertThat(node.ask(token)).isEqualTo("EXPIRED");

    store.down = false;
    node.sessions.catchUp(Duration.ofSeconds(10));
    node.sessions.catchUp(Duration.ofSeconds(10));
    assertThat(node.ask(token)).isEqualTo("ENDED");
    assertThat(node.ask(good)).isEqualTo("good");
  }

  @Test
  void clockThatIsAheadForAMomentForgetsNothingAnywhere() {
    String token = node.login("anna");
    node.sessions.end(token);
    time.jump(Duration.ofDays(1));
    node.sessions.catchUp(Duration.ofSeconds(10));
    assertThat(node.sessions.endedSize()).isOne();
    time.jump(Duration.ofDays(-1));
    node.sessions.catchUp(Duration.ofSeconds(10));

    assertThat(node.ask(token)).isEqualTo("ENDED");
    assertThat(memory.revocationsAfter("", Duration.ofSeconds(1)).entries()).hasSize(1);
  }
}
