package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.MessageSite;
import dev.staithe.gateway.RunningGateway;
import dev.staithe.gateway.engine.MessageThreads;
import dev.staithe.gateway.mime.XopPackage;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is computed over a long message waits for a thread of its own, whatever it is. */
final class LongMessagesTests {
  private static final String ENVELOPE =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
          + "<say xmlns=\"urn:t\">hello</say></s:Body></s:Envelope>";

  /** Not to be put together: what is wrong is found only by who reads it. */
  private static final byte[] PARTS =
      XopPackage.of(ENVELOPE).with("a", new byte[MessageThreads.LONG]).open();

  @TempDir private static Path folder;
  private static RecordingService service;
  private static RunningGateway gateway;

  @BeforeAll
  static void start() throws IOException {
    service = MessageSite.service();
    Map<String, Object> settings = new LinkedHashMap<>(MessageSite.in(folder).settings());
    List<String> policies = List.of("none", "transport-username", "x509", "conversation");
    for (int i = 0; i < policies.size(); i++) {
      settings.putAll(
          RunningGateway.endpoint(i, "/" + policies.get(i), policies.get(i), service.address()));
    }
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
  }

  @AfterAll
  static void stop() {
    gateway.close();
    service.close();
  }

  /** Sends it while no thread is free, and says what is answered then. */
  private static HttpResponse<String> sentWhileNoneIsFree(String path, String type, byte[] body)
      throws Exception {
    MessageThreads apart = gateway.bean(MessageThreads.class);
    int most = Runtime.getRuntime().availableProcessors();
    var held = new CountDownLatch(most);
    var go = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (int i = 0; i < most; i++) {
          threads.submit(() -> apart.compute(MessageThreads.LONG, () -> await(held, go)));
        }
        held.await();
        Future<HttpResponse<String>> answer = threads.submit(() -> gateway.send(path, type, body));
        Eventually.holds("it waits for a thread", () -> apart.waiting() == 1);
        go.countDown();
        return answer.get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS);
      } finally {
        go.countDown();
      }
    }
  }

  private static boolean await(CountDownLatch held, CountDownLatch go) {
    held.countDown();
    try {
      go.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation"})
  void partsOfARequestAreReadApart(String policy) throws Exception {
    HttpResponse<String> answer = sentWhileNoneIsFree("/" + policy, XopPackage.TYPE, PARTS);

    assertThat(gateway.audited(answer)).contains("parts that cannot be told apart");
    Trials.held();
  }

  @Test
  void answersAreReadApart() throws Exception {
    String broken = ENVELOPE.replace("hello</say>", "x".repeat(MessageThreads.LONG));
    for (byte[] each : List.of(broken.getBytes(StandardCharsets.US_ASCII), PARTS)) {
      service.answerAs(
          exchange -> {
            String type = each == PARTS ? XopPackage.TYPE : "text/xml";
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, each.length);
            exchange.getResponseBody().write(each);
            exchange.close();
          });

      HttpResponse<String> answer =
          sentWhileNoneIsFree("/none", "text/xml", ENVELOPE.getBytes(StandardCharsets.US_ASCII));

      assertThat(answer.statusCode()).isEqualTo(each == PARTS ? 200 : 502);
      Trials.held();
    }
  }
}
