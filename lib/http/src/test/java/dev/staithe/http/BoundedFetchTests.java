package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BoundedFetchTests {
  private final HttpClient client = BoundedFetch.client(null, Duration.ofMinutes(1));
  private final AtomicInteger elsewhere = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/ten", exchange -> answer(exchange, 200, 10));
    server.createContext("/drips", BoundedFetchTests::drip);
    server.createContext(
        "/moved",
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/elsewhere");
          answer(exchange, 302, 0);
        });
    server.createContext(
        "/elsewhere",
        exchange -> {
          elsewhere.incrementAndGet();
          answer(exchange, 200, 0);
        });
    server.start();
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.stop(0);
  }

  private static void answer(HttpExchange exchange, int status, int bytes) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, bytes == 0 ? -1 : bytes);
      exchange.getResponseBody().write(new byte[bytes]);
    }
  }

  /** Until the other side has had enough. */
  private static void drip(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      while (true) {
        out.write(0);
        out.flush();
        Thread.sleep(10); // the pace of the drip; nothing is waited for
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse<byte[]> fetch(String path, Duration whole, long most) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    return new BoundedFetch(client, whole, most).send(HttpRequest.newBuilder(uri).build());
  }

  @Test
  void answerOfAsManyBytesAsAllowedIsTakenAndNoLongerOne() throws IOException {
    assertThat(fetch("/ten", Duration.ofMinutes(1), 10).body()).hasSize(10);
    assertThatThrownBy(() -> fetch("/ten", Duration.ofMinutes(1), 9))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("9");
  }

  @Test
  void bodyThatDripsEndsWithTheTimeForAllOfIt() {
    assertThatThrownBy(() -> fetch("/drips", Duration.ofMillis(300), 1 << 20))
        .isInstanceOf(IOException.class)
        .hasCauseInstanceOf(HttpTimeoutException.class);
  }

  /** On the same thread the client asks name servers, which would keep a processor. */
  @Test
  void wayIsFoundOnNoVirtualThread() throws Exception {
    AtomicBoolean virtual = new AtomicBoolean(true);
    ProxySelector none =
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            virtual.set(Thread.currentThread().isVirtual());
            return List.of(Proxy.NO_PROXY);
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException failure) {
            throw new IllegalStateException("there is no proxy");
          }
        };
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/ten");
    try (HttpClient direct =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(none).build();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      BoundedFetch fetch = new BoundedFetch(direct, Duration.ofMinutes(1), 10);
      Future<HttpResponse<byte[]>> answer =
          threads.submit(() -> fetch.send(HttpRequest.newBuilder(uri).build()));
      assertThat(answer.get().body()).hasSize(10);
    }
    assertThat(virtual).isFalse();
  }

  @Test
  void redirectIsNotFollowed() throws IOException {
    assertThat(fetch("/moved", Duration.ofMinutes(1), 10).statusCode()).isEqualTo(302);
    assertThat(elsewhere).hasValue(0);
  }

  @Test
  void failureIsOneLine() {
    URI nobody = URI.create("http://127.0.0.1:" + FreePort.next() + "/");
    assertThatThrownBy(
            () ->
                new BoundedFetch(client, Duration.ofMinutes(1), 10)
                    .send(HttpRequest.newBuilder(nobody).build()))
        .isInstanceOf(IOException.class)
        .hasMessage("nobody listens there");
  }
}
