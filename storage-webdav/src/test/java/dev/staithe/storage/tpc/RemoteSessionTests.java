package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.remote.ForwardedHeaders;
import dev.staithe.storage.remote.Problem;
import dev.staithe.storage.remote.RemoteClient;
import dev.staithe.storage.remote.RemoteGuard;
import dev.staithe.storage.remote.RemoteSession;
import dev.staithe.storage.remote.RemoteUrl;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RemoteSessionTests {
  private static RemoteSession session(RemoteClient client, ScriptedServer with) {
    return new RemoteSession(
        client,
        new CopyProgress(),
        new RemoteUrl(false, "se.invalid", with.port(), "/file"),
        new ForwardedHeaders(List.of()),
        null);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(180, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * As what removes a file in vain: given up, it must not do so later, when another copy has put a
   * good one there.
   */
  @Test
  void nothingIsAskedAfterASessionWasGivenUpBeforeItHadAConnection() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch known = new CountDownLatch(1);
    CopySettings settings = Element.settings();
    try (ScriptedServer server =
            ScriptedServer.plain((request, wire) -> wire.respond("204 No Content", "", ""));
        RemoteClient client =
            new RemoteClient(
                settings,
                null,
                new RemoteGuard(
                    settings.allowedNetworks(),
                    port -> false,
                    host -> {
                      asked.countDown();
                      await(known);
                      return new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
                    }));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        RemoteSession session = session(client, server)) {
      Future<?> removal = threads.submit(() -> session.request("DELETE", List.of()));
      await(asked);
      session.abort("no answer within 10 s");
      known.countDown();

      assertThatThrownBy(() -> removal.get(180, TimeUnit.SECONDS))
          .hasMessageContaining("no answer within 10 s");
      assertThat(server.requests()).isEmpty();
    }
  }

  /** It is refused all the same, and that is what the client is to read. */
  @Test
  void wordsOfARefusalThatBreakOffAreNone() throws Exception {
    CopySettings settings = Element.settings();
    try (ScriptedServer server =
            ScriptedServer.plain(
                (request, wire) -> {
                  wire.send(
                      "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\n"
                          + "Content-Length: 100\r\n\r\nno");
                  wire.close();
                });
        RemoteClient client =
            new RemoteClient(
                settings,
                null,
                new RemoteGuard(
                    settings.allowedNetworks(),
                    port -> false,
                    host -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")}));
        RemoteSession session = session(client, server)) {
      RemoteSession.Reply reply = session.request("GET", List.of());

      assertThat(reply.head().status()).isEqualTo(403);
      assertThat(Problem.detail(reply)).isEmpty();
    }
  }
}
