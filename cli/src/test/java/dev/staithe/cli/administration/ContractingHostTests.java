package dev.staithe.cli.administration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.http.BoundedFetch;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ContractingHostTests {
  private final CountDownLatch over = new CountDownLatch(1);
  private HttpServer host;

  @BeforeEach
  void start() throws IOException {
    host = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    host.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          try {
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    host.start();
  }

  @AfterEach
  void stop() {
    over.countDown();
    host.stop(0);
  }

  /** As of a connection that a router on the way has forgotten. */
  @Test
  void answerThatBeginsAndDoesNotEndIsGivenUp() throws Exception {
    String name = "127.0.0.1:" + host.getAddress().getPort();
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + name + "/keys")).build();
    try (HttpClient http = BoundedFetch.client(null, Duration.ofSeconds(30))) {
      HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> ContractingHost.body(answer, Duration.ofMillis(200)))
          .isInstanceOf(IOException.class)
          .hasMessage(name + " began an answer and did not come to its end");
    }
  }
}
