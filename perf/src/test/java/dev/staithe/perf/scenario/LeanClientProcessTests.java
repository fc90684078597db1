package dev.staithe.perf.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.staithe.peers.process.Core;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.Task;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeanClientProcessTests {
  private static final int LENGTH = 200_000;

  @TempDir Path folder;

  @Test
  void itFetchesOverTlsWithBothProvidersAndOffersOnlyTheSuiteThatIsAskedFor() throws Exception {
    var authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(authority.serverContext(authority.localhost().credential())));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, LENGTH);
            exchange.getResponseBody().write(new byte[LENGTH]);
          }
        });
    server.start();
    try (var client = LeanClientProcess.start(Core.ANY, folder.resolve("log"))) {
      String url = "https://localhost:" + server.getAddress().getPort() + "/";
      Outcome usual = client.perform(task(url, authority.certificateFile(), "conscrypt", ""));
      Outcome chosen =
          client.perform(
              task(url, authority.certificateFile(), "jdk", "TLS_CHACHA20_POLY1305_SHA256"));

      assertThat(usual.failure()).isEmpty();
      assertThat(usual.bytes()).isEqualTo(2 * LENGTH);
      assertThat(usual.cipher()).startsWith("TLSv1.3 TLS_AES_");
      assertThat(chosen.failure()).isEmpty();
      assertThat(chosen.cipher()).isEqualTo("TLSv1.3 TLS_CHACHA20_POLY1305_SHA256");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aTaskThatCannotBeDoneIsAnErrorAndTheClientStays() throws IOException {
    try (var client = LeanClientProcess.start(Core.ANY, folder.resolve("log"))) {
      Outcome outcome =
          client.perform(task("https://localhost:1/", folder.resolve("none.pem"), "jdk", ""));

      assertThat(outcome.requests()).isZero();
      assertThat(outcome.errors()).isEqualTo(1);
      assertThat(outcome.failure()).isNotEmpty();
      assertThat(client.runs()).isTrue();
    }
  }

  @Test
  void aClientThatHasEndedIsToldInOneLine() throws IOException {
    var client = LeanClientProcess.start(Core.ANY, folder.resolve("log"));
    client.close();

    assertThat(client.runs()).isFalse();
    assertThatThrownBy(() -> client.perform(task("http://localhost:1/", folder, "jdk", "")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the lean client has ended: ")
        .hasMessageNotContaining("\n");
  }

  private static Task task(String url, Path authority, String provider, String cipher) {
    return new Task(
        url, "GET", Map.of(), -1, 1, true, 2, 60, 0, "" + authority, provider, cipher, "", 0);
  }
}
