package dev.staithe.perf.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.staithe.peers.process.Core;
import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.Part;
import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.scenario.TestSessionService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserDriverTests {
  private static final long LAG_MS = 60;

  private final List<String> phases = new ArrayList<>();
  private TestSessionService service;

  @TempDir Path folder;

  @BeforeEach
  void start() throws IOException {
    service = new TestSessionService(3, LAG_MS);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private Load load(Load.Kind kind, int users, double q, double pause, double perSecond) {
    return new Load(
        "",
        kind,
        TokenProtocol.staithe(),
        service.urls().subList(0, kind == Load.Kind.LOGOUT_LAG ? 3 : 1),
        users,
        q,
        pause,
        false,
        perSecond,
        10,
        TestSessionService.PASSWORD);
  }

  private Outcome perform(double warmUp, double seconds, double coolDown, Load... loads)
      throws IOException {
    return UserDriver.perform(
        new UserTask(List.of(loads), warmUp, seconds, coolDown, 0, false, 7), phases::add);
  }

  private static Histogram latencies(String text) throws DataFormatException {
    return Histogram.decodeFromCompressedByteBuffer(
        ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
  }

  @Test
  void theShareOfLoginsAndOfLogoutsIsThatOfTheModel() throws IOException {
    double q = 0.2;
    Outcome outcome = perform(0.1, 1, 0.1, load(Load.Kind.USERS, 8, q, 0, 0));

    assertThat(outcome.failure()).isEmpty();
    long logins = outcome.parts().get("login").requests();
    long logouts = outcome.parts().get("logout").requests();
    long validations = outcome.parts().get("validate").requests();
    assertThat(outcome.requests()).isEqualTo(logins + logouts + validations).isGreaterThan(500);
    assertThat((double) logins / outcome.requests()).isCloseTo(q / (1 + q), within(0.05));
    assertThat((double) logouts / outcome.requests()).isCloseTo(q / (1 + q), within(0.05));
    assertThat(outcome.seconds()).isCloseTo(1, within(1e-6));
    assertThat(phases).containsExactly("measure", "cool");
  }

  @Test
  void eachUserAsksWithTheTokenThatItsOwnLoginGaveOverItsOwnConnection() throws IOException {
    Outcome outcome = perform(0, 0.3, 0, load(Load.Kind.USERS, 3, 0, 0.01, 0));

    assertThat(outcome.failure()).isEmpty();
    assertThat(service.connections()).isEqualTo(3);
    assertThat(service.asked().stream().filter(each -> each.startsWith("/json/auth"))).hasSize(3);
    assertThat(
            service.asked().stream()
                .filter(each -> each.contains("validate"))
                .map(each -> each.split(" ")[1])
                .distinct())
        .hasSize(3);
  }

  @Test
  void requestsOfEachPhaseAreCountedApart() throws IOException {
    Outcome outcome = perform(0.3, 0.3, 0.3, load(Load.Kind.USERS, 4, 0, 0.005, 0));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.parts()).containsKeys("login [warm]", "validate [warm]", "validate [cool]");
    assertThat(outcome.parts().get("validate").requests())
        .isEqualTo(outcome.requests())
        .isLessThan(service.asked().size() - 10);
  }

  @Test
  void usersWhoThinkAskNoMoreOftenThanThePauseAllows() throws IOException {
    Outcome outcome = perform(0.1, 1, 0, load(Load.Kind.USERS, 5, 0, 0.1, 0));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isBetween(20L, 50L);
  }

  @Test
  void validationsNeedNoLoginWhileTheyAreMeasured() throws IOException {
    Outcome outcome = perform(0, 0.3, 0, load(Load.Kind.VALIDATIONS, 6, 0, 0, 0));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.parts()).containsKey("validate").doesNotContainKey("login");
    assertThat(outcome.parts().get("login [warm]").requests()).isEqualTo(6);
  }

  @Test
  void refusalsAreNoErrorsAndNoThroughput() throws IOException {
    service.busy.set(5);
    Outcome outcome = perform(0, 0.5, 0, load(Load.Kind.LOGINS, 2, 0, 0, 0));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.errors()).isZero();
    assertThat(outcome.parts().get("login").refused()).isEqualTo(5);
    assertThat(outcome.parts().get("login").requests()).isEqualTo(outcome.requests());
  }

  @Test
  void sessionsOfLoginsAloneAreEndedAfterwards() throws IOException {
    Outcome outcome = perform(0, 0.3, 0, load(Load.Kind.LOGINS, 2, 0, 0, 0));

    assertThat(outcome.parts()).doesNotContainKey("logout");
    assertThat(service.asked().stream().filter(each -> each.contains("_action=logout")).count())
        .isEqualTo(service.asked().stream().filter(each -> each.contains("authenticate")).count());
  }

  @Test
  void latencyOfTheOpenModelCountsFromTheTimeThatARequestWasDue() throws Exception {
    // One user, and each answer takes twice as long as the time between two requests.
    service.validationNanos = TimeUnit.MILLISECONDS.toNanos(20);
    Outcome outcome = perform(0, 0.5, 1, load(Load.Kind.VALIDATIONS, 1, 0, 0, 100));

    assertThat(outcome.failure()).isEmpty();
    assertThat(latencies(outcome.parts().get("validate").latencies()).getMaxValue())
        .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(200));
  }

  @Test
  void requestsThatNoUserWasFreeForAreAnError() throws IOException {
    service.validationNanos = TimeUnit.MILLISECONDS.toNanos(50);
    Outcome outcome = perform(0, 0.5, 0, load(Load.Kind.VALIDATIONS, 1, 0, 0, 200));

    assertThat(outcome.errors()).isPositive();
    assertThat(outcome.failure()).contains("no user was free");
  }

  @Test
  void soIsTheLastOfThemWhenItsUserHasAnAnswerAtLast() throws IOException {
    service.validationNanos = TimeUnit.MILLISECONDS.toNanos(800);
    Outcome outcome = perform(0, 0.4, 0, load(Load.Kind.VALIDATIONS, 1, 0, 0, 4));

    assertThat(outcome.errors()).isEqualTo(1);
    assertThat(outcome.failure()).isEqualTo("no user was free for 1 requests that were due");
  }

  @Test
  void aBeatThatAnAnswerHasHeldUpCountsInTheTimeFromTheSchedule() throws Exception {
    service.validationNanos = TimeUnit.MILLISECONDS.toNanos(100);
    Load paced =
        new Load(
            "",
            Load.Kind.USERS,
            TokenProtocol.staithe(),
            service.urls(),
            1,
            0,
            0.02,
            true,
            0,
            1,
            TestSessionService.PASSWORD);
    Outcome outcome = perform(0, 1, 0, paced);

    assertThat(outcome.failure()).isEmpty();
    Part validations = outcome.parts().get("validate");
    Part scheduled = outcome.parts().get("validate from its beat");
    assertThat(scheduled.requests()).isGreaterThan(3 * validations.requests());
    assertThat(outcome.requests()).as("beats that were left out are no requests").isLessThan(15);
  }

  @Test
  void aServerThatClosesItsConnectionsIsAskedOverNewOnes() throws IOException {
    service.closes = true;
    Outcome outcome = perform(0, 0.3, 0, load(Load.Kind.USERS, 2, 0.1, 0.01, 0));

    assertThat(outcome.failure()).isEmpty();
    assertThat(service.connections()).isGreaterThan(5);
  }

  @Test
  void aWrongPasswordIsAnErrorThatSaysWhatWasAnswered() throws IOException {
    Load load = load(Load.Kind.LOGINS, 1, 0, 0, 0);
    var wrong =
        new Load("", load.kind(), load.protocol(), load.urls(), 1, 0, 0, false, 0, 1, "wrong");
    Outcome outcome = perform(0, 0.3, 0, wrong);

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.errors()).isPositive();
    assertThat(outcome.failure()).contains("401", "Authentication Failed");
  }

  @Test
  void aServerThatIsNotThereIsAnError() throws IOException {
    Load load = load(Load.Kind.VALIDATIONS, 2, 0, 0, 0);
    service.close();
    Outcome outcome = perform(0, 0.1, 0, load);

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.errors()).isPositive();
    assertThat(outcome.failure()).isNotEmpty();
  }

  @Test
  void whatDisturbsIsToldApartAndIsNeverAnErrorOrThroughput() throws IOException {
    Load calm = load(Load.Kind.VALIDATIONS, 2, 0, 0.01, 0);
    var flood =
        new Load(
            "flood",
            Load.Kind.LOGINS,
            calm.protocol(),
            calm.urls(),
            2,
            0,
            0,
            false,
            200,
            1,
            "wrong");
    Outcome outcome = perform(0, 0.4, 0, calm, flood);

    assertThat(outcome.failure()).doesNotStartWith("validate");
    assertThat(outcome.errors()).isZero();
    assertThat(outcome.parts().get("flood login").errors()).isPositive();
    assertThat(outcome.requests()).isEqualTo(outcome.parts().get("validate").requests());
  }

  @Test
  void anAnswerThatIsCutOffIsAFailureOnAKeptConnectionToo() throws IOException {
    try (var server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answerOnceAndAHalf(server));
      Load usual = load(Load.Kind.LOGINS, 1, 0, 0.02, 0);
      var cut =
          new Load(
              "",
              usual.kind(),
              usual.protocol(),
              List.of("http://127.0.0.1:" + server.getLocalPort()),
              1,
              0,
              0.02,
              false,
              0,
              1,
              "any");
      Outcome outcome = perform(0, 0.5, 0, cut);

      assertThat(outcome.requests()).isPositive();
      assertThat(outcome.errors()).isPositive();
      assertThat(outcome.failure()).isEqualTo("login failed: the server has closed the connection");
    }
  }

  /** On each connection. */
  private static void answerOnceAndAHalf(ServerSocket server) {
    byte[] whole =
        "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"tokenId\":\"t\"}"
            .getBytes(StandardCharsets.US_ASCII);
    byte[] request = new byte[8192];
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        if (client.getInputStream().read(request) > 0) {
          client.getOutputStream().write(whole);
        }
        if (client.getInputStream().read(request) > 0) {
          client.getOutputStream().write(whole, 0, whole.length / 2);
        }
      } catch (IOException e) {
        // The client has left, or the test is over.
      }
    }
  }

  @Test
  void theLagOfALogoutIsThatOfTheService() throws Exception {
    Outcome outcome =
        UserDriver.perform(
            new UserTask(
                List.of(load(Load.Kind.LOGOUT_LAG, 4, 0, 0.002, 0)), 0.05, 60, 0, 20, false, 7),
            phases::add);

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).as("two other nodes each").isEqualTo(40);
    assertThat(outcome.seconds()).as("it ends with the last trial").isLessThan(30);
    Histogram lag = latencies(outcome.parts().get("logout lag").latencies());
    assertThat(lag.getTotalCount()).isEqualTo(40);
    assertThat(lag.getValueAtPercentile(50))
        .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(LAG_MS / 2));
    assertThat(lag.getMaxValue()).isLessThan(TimeUnit.SECONDS.toNanos(20));
  }

  @Test
  void trialsOfLogoutsEndWhenEachUserHasGivenUp() throws IOException {
    Load load = load(Load.Kind.LOGOUT_LAG, 4, 0, 0.002, 0);
    var wrong =
        new Load("", load.kind(), load.protocol(), load.urls(), 4, 0, 0.002, false, 0, 10, "wrong");
    Outcome outcome =
        UserDriver.perform(new UserTask(List.of(wrong), 0, 60, 0, 20, false, 7), phases::add);

    assertThat(outcome.errors()).isEqualTo(4);
    assertThat(outcome.failure()).startsWith("trial of a logout: login was answered 401");
    assertThat(outcome.seconds()).as("not as long as trials may take").isLessThan(30);
  }

  @Test
  void theLeanClientDoesItInItsOwnProcessAndTellsThePhases() throws IOException {
    try (var client = LeanClientProcess.start(Core.ANY, folder.resolve("log"))) {
      Outcome outcome =
          client.perform(
              new UserTask(
                  List.of(load(Load.Kind.USERS, 4, 0.1, 0.01, 0)), 0.2, 0.5, 0.1, 0, false, 7),
              new LeanClientProcess.Watcher() {
                @Override
                public void measureBegins() {
                  phases.add("begins");
                }

                @Override
                public void measureEnds() {
                  phases.add("ends");
                }
              });

      assertThat(outcome.failure()).isEmpty();
      assertThat(outcome.requests()).isPositive();
      assertThat(phases).containsExactly("begins", "ends");
    }
  }

  @Test
  void aMixThatIsNotTheModelsIsObjectedTo() {
    assertThat(UserDriver.Mix.objection(0.1, 10, 1000, 9000, 1000)).isEmpty();
    assertThat(UserDriver.Mix.objection(0.1, 10, 1000, 9700, 1000)).isEmpty();
    assertThat(UserDriver.Mix.objection(0.1, 10, 2000, 8000, 2000)).isPresent();
    assertThat(UserDriver.Mix.objection(0.1, 10, 1020, 9000, 1000))
        .as("more logins than users can have been waiting for")
        .isPresent();
    assertThat(UserDriver.Mix.objection(0, 10, 10, 9000, 0)).isEmpty();
    assertThat(UserDriver.Mix.objection(0, 10, 0, 9000, 5)).isPresent();
  }
}
