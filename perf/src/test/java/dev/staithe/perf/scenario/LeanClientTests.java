package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeanClientTests {
  private static final int LARGE = 3_000_000;

  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private final Queue<Long> received = new ConcurrentLinkedQueue<>();
  private final Set<Integer> connections = ConcurrentHashMap.newKeySet();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    handle("/length", exchange -> answer(exchange, 200, LARGE));
    handle("/chunked", exchange -> answer(exchange, 200, 0));
    handle("/missing", exchange -> answer(exchange, 404, 3));
    handle("/slow", LeanClientTests::slow);
    handle(
        "/copy",
        exchange -> {
          exchange.sendResponseHeaders(202, 0);
          String end =
              exchange.getRequestURI().getPath().endsWith("bad") ? "failure: x" : "success";
          exchange.getResponseBody().write(("Perf Marker\n\nEnd\n" + end + "\n").getBytes());
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void contentWithALengthIsReadToItsEndOverOneConnection() throws Exception {
    Outcome outcome = perform(task("GET", "/length", 5));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.requests()).isEqualTo(5);
    assertThat(outcome.errors()).isZero();
    assertThat(outcome.bytes()).isEqualTo(5L * LARGE);
    assertThat(connections).hasSize(1);
    assertThat(latencies(outcome).getTotalCount()).isEqualTo(5);
  }

  @Test
  void chunkedContentIsReadToItsEndOverOneConnection() throws IOException {
    Outcome outcome = perform(task("GET", "/chunked", 3));

    assertThat(outcome.failure()).isEmpty();
    assertThat(outcome.bytes()).isEqualTo(3L * LARGE);
    assertThat(connections).hasSize(1);
  }

  @Test
  void uploadsSendAsManyBytesAsAskedForEachToItsOwnName() throws IOException {
    Outcome outcome =
        perform(new Draft("PUT", "/length/put-{n}").requests(3).body(LARGE + 7).task());

    assertThat(outcome.failure()).isEmpty();
    assertThat(received).containsExactly(LARGE + 7L, LARGE + 7L, LARGE + 7L);
    assertThat(asked).containsExactlyInAnyOrder("/length/put-0", "/length/put-1", "/length/put-2");
    assertThat(outcome.bytes()).isEqualTo(3L * (LARGE + 7) + 3L * LARGE);
  }

  @Test
  void smallUploadsArriveWhole() throws IOException {
    perform(new Draft("PUT", "/length/put-{n}").requests(2).body(1024).task());

    assertThat(received).containsExactly(1024L, 1024L);
  }

  @Test
  void anAnswerOf404IsAnErrorAndNeverARequest() throws IOException {
    Outcome outcome = perform(task("GET", "/missing", 4));

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.errors()).isEqualTo(4);
    assertThat(outcome.bytes()).isZero();
    assertThat(outcome.failure()).startsWith("GET was answered 404");
  }

  @Test
  void aServerThatIsNotThereEndsTheTaskLongBeforeItsTime() throws IOException {
    Task task = task("GET", "/length", 0);
    server.stop(0);
    Outcome outcome = perform(task);

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.errors()).isEqualTo(20);
    assertThat(outcome.failure()).isNotEmpty();
  }

  @Test
  void withoutKeepAliveEachRequestHasAConnectionOfItsOwn() throws IOException {
    Outcome outcome = perform(new Draft("GET", "/length").requests(4).keepAlive(false).task());

    assertThat(outcome.requests()).isEqualTo(4);
    assertThat(outcome.errors()).isZero();
    assertThat(connections).hasSize(4);
  }

  @Test
  void aConnectionThatTheServerClosesIsOpenedAgainWithoutAnError() throws Exception {
    try (var closing = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                while (true) {
                  try (Socket accepted = closing.accept()) {
                    accepted.getInputStream().read(new byte[4096]);
                    accepted
                        .getOutputStream()
                        .write(
                            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
                                .getBytes(StandardCharsets.US_ASCII));
                  } catch (IOException ended) {
                    return;
                  }
                }
              });
      String url = "http://localhost:" + closing.getLocalPort() + "/";
      Outcome outcome = perform(new Draft("GET", url).requests(3).task());

      assertThat(outcome.requests()).isEqualTo(3);
      assertThat(outcome.errors()).isZero();
      assertThat(outcome.bytes()).isEqualTo(6);
    }
  }

  @Test
  void anAnswerThatEndsEarlyIsAnErrorAndTheNextRequestHasANewConnection() throws Exception {
    try (var cutting = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                for (String body : List.of("o", "ok")) {
                  try (Socket accepted = cutting.accept()) {
                    accepted.getInputStream().read(new byte[4096]);
                    accepted
                        .getOutputStream()
                        .write(
                            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + body)
                                .getBytes(StandardCharsets.US_ASCII));
                  } catch (IOException ended) {
                    return;
                  }
                }
              });
      String url = "http://localhost:" + cutting.getLocalPort() + "/";
      Outcome outcome = perform(new Draft("GET", url).requests(2).task());

      assertThat(outcome.requests()).isEqualTo(1);
      assertThat(outcome.errors()).isEqualTo(1);
      assertThat(outcome.bytes()).isEqualTo(2);
    }
  }

  /** One connection, requests due each 10 ms, answers that take 50 ms: the wait is counted. */
  @Test
  void inTheOpenModelLatencyCountsFromTheTimeThatARequestWasDue() throws Exception {
    Outcome open = perform(new Draft("GET", "/slow").requests(10).perSecond(100).task());
    Outcome closed = perform(task("GET", "/slow", 10));

    assertThat(open.requests()).isEqualTo(10);
    // The tenth is due at 90 ms and answered at 500 ms at the earliest.
    assertThat(latencies(open).getMaxValue()).isGreaterThan(400_000_000L);
    assertThat(latencies(open).getMaxValue()).isGreaterThan(3 * latencies(closed).getMinValue());
  }

  /** Ten of a hundred are answered within the time: the others would have waited for longer. */
  @Test
  void inTheOpenModelRequestsThatNoConnectionWasFreeForAreAnError() throws IOException {
    Outcome outcome =
        perform(new Draft("GET", "/slow").requests(0).seconds(0.5).perSecond(200).task());

    assertThat(outcome.requests()).isBetween(1L, 11L);
    assertThat(outcome.errors()).isEqualTo(1);
    assertThat(outcome.failure())
        .matches("no connection was free for [89]\\d requests that were due");
  }

  @Test
  void inTheOpenModelRequestsAreNotSentBeforeTheyAreDue() throws IOException {
    Outcome outcome =
        perform(new Draft("GET", "/length").requests(0).seconds(0.5).perSecond(20).task());

    assertThat(asked).hasSizeBetween(1, 10);
    assertThat(outcome.requests()).isEqualTo(asked.size());
  }

  @Test
  void eachConnectionIsUsedAndTheirRequestsAddUp() throws IOException {
    Outcome outcome = perform(new Draft("GET", "/slow").requests(16).connections(8).task());

    assertThat(outcome.requests()).isEqualTo(16);
    assertThat(connections).hasSize(8);
  }

  @Test
  void anAnswerWithAnotherLastLineThanWantedIsAnError() throws IOException {
    assertThat(perform(new Draft("COPY", "/copy/good").lastLine("success").task()).errors())
        .isZero();
    Outcome bad = perform(new Draft("COPY", "/copy/bad").lastLine("success").task());

    assertThat(bad.errors()).isEqualTo(1);
    assertThat(bad.failure()).isEqualTo("COPY ended with failure: x");
  }

  @Test
  void whereOneStatusIsWantedNoOtherIsGood() throws IOException {
    assertThat(perform(new Draft("GET", "/missing").status(404).requests(3).task()).requests())
        .isEqualTo(3);
    Outcome other = perform(new Draft("GET", "/length").status(404).task());

    assertThat(other.requests()).isZero();
    assertThat(other.failure()).startsWith("GET was answered 200");
  }

  private Outcome perform(Task task) throws IOException {
    return LeanClient.perform(task, ByteBuffer.allocateDirect(1 << 20), Clock.systemUTC());
  }

  private Task task(String method, String path, long requests) {
    return new Draft(method, path).requests(requests).task();
  }

  private static Histogram latencies(Outcome outcome) throws DataFormatException {
    return Histogram.decodeFromCompressedByteBuffer(
        ByteBuffer.wrap(Base64.getDecoder().decode(outcome.latencies())), 0);
  }

  private interface Answer {
    void give(HttpExchange exchange) throws IOException;
  }

  private void handle(String path, Answer answer) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            asked.add(exchange.getRequestURI().getPath());
            connections.add(exchange.getRemoteAddress().getPort());
            if (exchange.getRequestMethod().equals("PUT")) {
              received.add((long) exchange.getRequestBody().readAllBytes().length);
            }
            answer.give(exchange);
          }
        });
  }

  private static void answer(HttpExchange exchange, int status, long length) throws IOException {
    exchange.sendResponseHeaders(status, length);
    exchange.getResponseBody().write(new byte[length == 0 ? LARGE : (int) length]);
  }

  private static void slow(HttpExchange exchange) throws IOException {
    long end = System.nanoTime() + 50_000_000;
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    answer(exchange, 200, 1);
  }

  private final class Draft {
    private final String method;
    private final String url;
    private long requests = 1;
    private long body = -1;
    private int connections = 1;
    private boolean keepAlive = true;
    private double seconds = 60;
    private double perSecond;
    private String lastLine = "";
    private int status;

    Draft(String method, String path) {
      this.method = method;
      this.url =
          path.startsWith("http")
              ? path
              : "http://localhost:" + server.getAddress().getPort() + path;
    }

    Draft requests(long number) {
      requests = number;
      return this;
    }

    Draft body(long bytes) {
      body = bytes;
      return this;
    }

    Draft connections(int number) {
      connections = number;
      return this;
    }

    Draft keepAlive(boolean keep) {
      keepAlive = keep;
      return this;
    }

    Draft seconds(double length) {
      seconds = length;
      return this;
    }

    Draft perSecond(double rate) {
      perSecond = rate;
      return this;
    }

    Draft lastLine(String beginning) {
      lastLine = beginning;
      return this;
    }

    Draft status(int only) {
      status = only;
      return this;
    }

    Task task() {
      return new Task(
          url,
          method,
          Map.of(),
          body,
          connections,
          keepAlive,
          requests,
          seconds,
          perSecond,
          "",
          "conscrypt",
          "",
          lastLine,
          status);
    }
  }
}
