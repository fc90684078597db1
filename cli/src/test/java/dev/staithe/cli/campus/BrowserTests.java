package dev.staithe.cli.campus;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.cli.program.Cookies;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BrowserTests {
  private final MutableClock clock = MutableClock.at(Instant.parse("2030-01-01T00:00:00Z"));
  private final CountDownLatch over = new CountDownLatch(1);
  private HttpServer host;

  @BeforeEach
  void start() throws IOException {
    host = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    host.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('<');
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
  void pageThatBeginsAndDoesNotEndIsGivenUp() throws IOException {
    URI page = URI.create("http://127.0.0.1:" + host.getAddress().getPort() + "/");
    var cookies = new Cookies(clock);
    try (var browser = new Browser(page, "", cookies, clock, Duration.ofMillis(200))) {
      assertThatThrownBy(() -> browser.get(page, Map.of()))
          .isInstanceOf(IOException.class)
          .hasMessageEndingWith("it gave no answer in time");
    }
  }
}
