package dev.staithe.perf.visit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.perf.lean.GatewayTask;
import dev.staithe.perf.lean.GatewayTask.Errand;
import dev.staithe.perf.lean.GatewayTask.Protection;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.services.StaticBackEnd;
import dev.staithe.perf.user.UserDriver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GatewayVisitorTests {
  private static final String GOOD =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><o:"
          + StaticBackEnd.SAID
          + " xmlns:o=\"urn:staithe:perf\"/></s:Body></s:Envelope>";

  private final List<String> taken = Collections.synchronizedList(new ArrayList<>());
  private final List<String> phases = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;
  private String host = "localhost";
  private volatile String answer = GOOD;
  private volatile int status = 200;
  private volatile int most = Integer.MAX_VALUE;
  private volatile long answerNanos;
  private final AtomicInteger served = new AtomicInteger();

  @BeforeEach
  void open() throws IOException {
    listen(InetAddress.getLoopbackAddress());
  }

  private void listen(InetAddress address) throws IOException {
    server = HttpServer.create(new InetSocketAddress(address, 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          taken.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          byte[] said = answer.getBytes(StandardCharsets.UTF_8);
          // Whoever fails again and again gives up.
          boolean more = served.incrementAndGet() <= most;
          if (answerNanos > 0) {
            LockSupport.parkNanos(answerNanos); // the gateway's own time
          }
          exchange.sendResponseHeaders(more ? status : 503, said.length);
          exchange.getResponseBody().write(said);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  @Test
  void noUniqueMessageIsSentTwiceAndTheyEndTheRun() throws IOException {
    Outcome outcome = perform(task(true, 20, 60, 0));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isEqualTo(20);
    assertThat(taken).hasSize(20).doesNotHaveDuplicates();
    assertThat(phases).containsExactly(UserDriver.MEASURE, UserDriver.COOL);
  }

  @Test
  void aCircularSetGoesRoundAgainAndAgain() throws IOException {
    most = 12;

    Outcome outcome = perform(task(false, 4, 60, 0));

    assertThat(outcome.requests()).isEqualTo(12);
    assertThat(new HashSet<>(taken)).hasSize(4);
  }

  @Test
  void theOpenModelHasNoMoreCallsThanAreDue() throws IOException {
    Outcome outcome = perform(task(true, 1000, 2, 5));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isEqualTo(10);
  }

  @Test
  void callsThatWereDueAndThatNoClientWasFreeForAreAFailure() throws IOException {
    answerNanos = TimeUnit.MILLISECONDS.toNanos(800);

    Outcome outcome = perform(task(true, 1000, 0.4, 20));

    assertThat(outcome.requests()).isEqualTo(2);
    assertThat(outcome.errors()).isEqualTo(1);
    assertThat(outcome.failure()).isEqualTo("no user was free for 6 visits that were due");
  }

  @Test
  void whatIsDueAfterTheEndIsNotWaitedFor() throws IOException {
    Outcome outcome = perform(task(true, 1000, 0.5, 0.5));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isEqualTo(1);
  }

  @Test
  void theHostThatIsNamedIsAskedWhereverItIs() throws IOException {
    server.stop(0);
    host = "127.0.0.2";
    listen(InetAddress.ofLiteral(host));

    Outcome outcome = perform(task(true, 4, 60, 0));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isEqualTo(4);
  }

  @Test
  void anAnswerOfAnotherThanTheBackEndIsAFailure() throws IOException {
    answer = GOOD.replace(StaticBackEnd.SAID, "Fault");

    assertThat(perform(task(true, 1, 60, 0)).failure()).contains("not the back end's answer");
  }

  @Test
  void aGatewayThatAnswersFaultsFastDoesNotWin() throws IOException {
    status = 500;

    Outcome outcome = perform(task(true, 50, 60, 0));

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.errors()).isPositive();
    assertThat(outcome.failure()).contains("500");
  }

  @Test
  void aShorterAnswerThanTheOneThatWasOpenedIsAFailure() throws IOException {
    answer = GOOD;
    var task = task(true, 2, 60, 0);
    server.removeContext("/");
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] said =
              (taken.isEmpty() ? GOOD : "<Envelope></Envelope>").getBytes(StandardCharsets.UTF_8);
          taken.add("");
          exchange.sendResponseHeaders(200, said.length);
          exchange.getResponseBody().write(said);
          exchange.close();
        });

    Outcome outcome = perform(task);

    assertThat(outcome.requests()).isEqualTo(1);
    assertThat(outcome.failure()).contains("bytes and not about");
  }

  @Test
  void theTaskComesThroughTheInputOfTheLeanClient() {
    var json = tools.jackson.databind.json.JsonMapper.shared();
    GatewayTask task = task(true, 2, 60, 0);

    assertThat(json.readValue(json.writeValueAsString(task), GatewayTask.class)).isEqualTo(task);
  }

  private Outcome perform(GatewayTask task) throws IOException {
    return Visits.perform(task, Clock.systemUTC(), phases::add);
  }

  private GatewayTask task(boolean unique, int messages, double seconds, double perSecond) {
    return new GatewayTask(
        Errand.CALL,
        Protection.PLAIN,
        "http://" + host + ":" + server.getAddress().getPort() + "/none",
        unique,
        messages,
        messages == 2 ? 1 : 2,
        seconds,
        perSecond,
        500,
        2,
        1,
        true,
        "",
        "",
        "");
  }
}
