package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.remote.CopySettings;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.tls.ServerTls;
import dev.staithe.tls.ServerTlsSettings;
import dev.staithe.tls.TlsProvider;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client goes away, or the server does. */
final class CancelTests {
  private static final Pattern MARKED = Pattern.compile("Stripe Bytes Transferred: (\\d+)\n");

  @TempDir Path folder;

  /** The other side has begun. */
  private final CountDownLatch begun = new CountDownLatch(1);

  /** The other side may go on. */
  private final CountDownLatch go = new CountDownLatch(1);

  /** The connection to the other side is closed. */
  private final CountDownLatch left = new CountDownLatch(1);

  /** The other side was told to delete. */
  private final CountDownLatch deleted = new CountDownLatch(1);

  private static Element patient(Path folder) {
    return Element.start(
        folder,
        s ->
            SettingsDraft.like(s)
                .timeouts(
                    new CopySettings.Timeouts(
                        s.timeouts().connect(),
                        s.timeouts().handshake(),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        s.timeouts().slowWindow(),
                        0,
                        s.timeouts().continueWait(),
                        s.timeouts().notReady(),
                        s.timeouts().notReadyRetry(),
                        s.timeouts().cleanUp()))
                .markerPeriod(Duration.ofSeconds(20))
                .earlyAnswer(Duration.ofMillis(300))
                .done());
  }

  private static void await(BooleanSupplier condition) {
    Eventually.holds("the effect on the server", condition);
  }

  private ScriptedServer endless() throws IOException {
    return ScriptedServer.plain(
        (request, wire) -> {
          wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nfirst bytes");
          begun.countDown();
          wire.awaitClose();
          left.countDown();
        });
  }

  private void awaitGo() throws IOException {
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void awaitBegun() throws InterruptedException {
    assertThat(begun.await(180, TimeUnit.SECONDS)).as("the other side has begun").isTrue();
  }

  private static String[] pullHeaders(ScriptedServer source) {
    return new String[] {"Authorization: Bearer x", "Source: " + source.url("/file")};
  }

  private void assertPullEnds(Element element) throws Exception {
    assertThat(left.await(180, TimeUnit.SECONDS)).as("the data connection was closed").isTrue();
    await(() -> element.finished.size() == 1);
    assertThat(element.finished.getFirst().outcome()).isEqualTo("aborted");
    assertThat(element.file("file")).doesNotExist();
    assertThat(element.staged()).isEmpty();
    await(() -> element.active.running() == 0);
  }

  @Test
  void pullWhenClientClosesThenTheDataConnectionEndsAndNothingIsKept() throws Exception {
    try (Element element = patient(folder.resolve("here"));
        ScriptedServer source = endless()) {
      try (Socket client = element.begin("/data/file", pullHeaders(source))) {
        awaitBegun();
        assertThat(client.getInputStream().read()).isEqualTo('H');
      }
      assertPullEnds(element);
    }
  }

  @Test
  void pullWhenClientHalfClosesThenItIsCancelledAndTheClientIsToldSo() throws Exception {
    try (Element element = patient(folder.resolve("here"));
        ScriptedServer source = endless();
        Socket client = element.begin("/data/file", pullHeaders(source))) {
      awaitBegun();
      client.shutdownOutput();
      assertThat(Element.read(client).last())
          .isEqualTo("aborted: the client closed the connection");
      assertPullEnds(element);
    }
  }

  @Test
  void pullWhenTlsClientClosesThenItIsCancelledAndOtherwiseEndsCleanly() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    ThrowAwayAuthority.Host host = authority.localhost();
    try (ServerTls tls =
            ServerTls.open(
                ServerTlsSettings.of(host.certificate(), host.key()),
                TlsProvider.choose(TlsProvider.Choice.AUTO),
                Clock.systemUTC());
        Element element = Element.start(folder.resolve("here"), s -> s, tls.context(), null);
        ScriptedServer good =
            ScriptedServer.plain(
                (request, wire) -> {
                  wire.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nby");
                  wire.pause(450);
                  wire.send("tes");
                });
        ScriptedServer source = endless()) {
      SSLSocketFactory sockets = authority.clientContext().getSocketFactory();
      try (Socket client = sockets.createSocket("127.0.0.1", element.port())) {
        Element.request(client, "/data/good", pullHeaders(good));
        assertThat(Element.read(client).last()).isEqualTo("success: Created");
        assertThat(client.getInputStream().read())
            .as("a clean end of the TLS session")
            .isEqualTo(-1);
      }
      element.finished.clear();
      try (Socket client = sockets.createSocket("127.0.0.1", element.port())) {
        Element.request(client, "/data/file", pullHeaders(source));
        awaitBegun();
        assertThat(client.getInputStream().read()).isEqualTo('H');
      }
      assertPullEnds(element);
    }
  }

  @Test
  void pullWhenClientLeavesBeforeTheSourceAnswersThenItIsCancelled() throws Exception {
    try (Element element = patient(folder.resolve("here"));
        ScriptedServer source =
            ScriptedServer.plain(
                (request, wire) -> {
                  begun.countDown();
                  wire.awaitClose();
                  left.countDown();
                })) {
      try (Socket client = element.begin("/data/file", pullHeaders(source))) {
        awaitBegun();
        client.setSoLinger(true, 0);
      }
      assertPullEnds(element);
    }
  }

  @Test
  void pullWhenClientPipelinesMoreBytesThenTheyDoNotDisturbTheCopy() throws Exception {
    try (Element element = patient(folder.resolve("here"));
        ScriptedServer source =
            ScriptedServer.plain(
                (request, wire) -> {
                  begun.countDown();
                  awaitGo();
                  wire.respond("200 OK", "", "whole");
                });
        Socket client = element.begin("/data/file", pullHeaders(source))) {
      awaitBegun();
      client.getOutputStream().write("GET /data/ HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
      assertThat(client.getInputStream().read()).isEqualTo('H');
      go.countDown();
      String rest = new String(client.getInputStream().readAllBytes());
      assertThat(rest).contains("success: Created\n").doesNotContain("HTTP/1.1 4");
    }
  }

  @Test
  void pullWhenServerShutsDownThenTheClientIsTold() throws Exception {
    try (Element element = patient(folder.resolve("here"));
        ScriptedServer source = endless();
        Socket client = element.begin("/data/file", pullHeaders(source))) {
      awaitBegun();
      element.active.abortAll("server shutting down");
      assertThat(Element.read(client).last()).isEqualTo("aborted: server shutting down");
      assertPullEnds(element);
      assertThat(element.copy("/data/file", "Source: " + source.url("/file")).status())
          .isEqualTo(503);
    }
  }

  @Test
  void pushWhenClientClosesThenTheConnectionEndsAndTheDestinationIsDeleted() throws Exception {
    try (Element element = patient(folder.resolve("here"));
        ScriptedServer to =
            ScriptedServer.plain(
                (request, wire) -> {
                  if (request.method().equals("PUT")) {
                    wire.send("HTTP/1.1 100 Continue\r\n\r\n");
                    wire.read(1000);
                    begun.countDown();
                    wire.awaitEndOfTest();
                  } else {
                    wire.respond("204 No Content", "", "");
                    if (request.method().equals("DELETE")) {
                      deleted.countDown();
                    }
                  }
                })) {
      element.put("file", new byte[32 << 20]);
      try (Socket client =
          element.begin(
              "/data/file",
              "Authorization: Bearer x",
              "TransferHeaderAuthorization: Bearer theirs",
              "Destination: " + to.url("/new"))) {
        awaitBegun();
        assertThat(client.getInputStream().read()).isEqualTo('H');
      }
      assertThat(deleted.await(180, TimeUnit.SECONDS)).isTrue();
      assertThat(to.methods()).containsExactly("PUT", "HEAD", "DELETE");
      assertThat(to.requests().getLast().header("authorization")).isEqualTo("Bearer theirs");
      await(() -> element.finished.size() == 1);
      assertThat(element.finished.getFirst().outcome()).isEqualTo("aborted");
    }
  }

  /** Other bytes are there: they must not stay because nobody waits for the answer any more. */
  @Test
  void pushThatIsCancelledWhileItIsCleanedUpIsCleanedUp() throws Exception {
    try (Element element = patient(folder.resolve("here"));
        ScriptedServer to =
            ScriptedServer.plain(
                (request, wire) -> {
                  switch (request.method()) {
                    case "PUT" -> {
                      wire.send("HTTP/1.1 100 Continue\r\n\r\n");
                      wire.read(request.length());
                      wire.respond("201 Created", "", "");
                    }
                    case "HEAD" -> wire.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n");
                    default -> {
                      begun.countDown();
                      awaitGo();
                      assertStillOpen(wire);
                      wire.respond("204 No Content", "", "");
                      deleted.countDown();
                    }
                  }
                })) {
      element.put("file", new byte[1000]);
      try (Socket client =
          element.begin(
              "/data/file", "Authorization: Bearer x", "Destination: " + to.url("/new"))) {
        awaitBegun();
        element.active.abortAll("server shutting down");
        go.countDown();
        assertThat(deleted.await(180, TimeUnit.SECONDS)).isTrue();
        assertThat(Element.read(client).last()).isEqualTo("aborted: server shutting down");
      }
    }
  }

  private static void assertStillOpen(ScriptedServer.Wire wire) throws IOException {
    wire.socket().setSoTimeout(100);
    try {
      if (wire.in().read() < 0) {
        throw new IOException("the other side has closed");
      }
    } catch (SocketTimeoutException nothingSaid) {
      // It waits for the answer.
    } finally {
      wire.socket().setSoTimeout(0);
    }
  }

  @Test
  void pushWhenClientClosesBeforeTheBodyThenTheDestinationIsNotDeleted() throws Exception {
    try (Element element = patient(folder.resolve("here"));
        ScriptedServer to =
            ScriptedServer.plain(
                (request, wire) -> {
                  begun.countDown();
                  wire.awaitClose();
                })) {
      element.put("file", new byte[1000]);
      try (Socket client =
          element.begin(
              "/data/file",
              "Authorization: Bearer x",
              "Overwrite: F",
              "Destination: " + to.url("/new"))) {
        awaitBegun();
        client.setSoLinger(true, 0);
      }
      await(() -> element.finished.size() == 1);
      assertThat(to.methods()).containsExactly("HEAD");
    }
  }

  @Test
  void markersGoOnWhileTheSourceIsSilentAndNeverDecrease() throws Exception {
    try (Element element = Element.start(folder.resolve("here"), CancelTests::slowStall);
        ScriptedServer source =
            ScriptedServer.plain(
                (request, wire) -> {
                  wire.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234");
                  awaitGo();
                  wire.send("56789");
                });
        Socket client = element.begin("/data/file", pullHeaders(source))) {
      client.setSoTimeout(180_000);
      StringBuilder seen = new StringBuilder();
      while (counts(seen).length < 4) {
        seen.append((char) client.getInputStream().read());
      }
      go.countDown();
      while (seen.indexOf("success: Created\n") < 0) {
        seen.append((char) client.getInputStream().read());
      }

      assertThat(counts(seen)).isSorted().endsWith(10);
    }
  }

  private static long[] counts(CharSequence stream) {
    return MARKED.matcher(stream).results().mapToLong(r -> Long.parseLong(r.group(1))).toArray();
  }

  private static CopySettings slowStall(CopySettings s) {
    return SettingsDraft.like(s).timeouts(CopySettings.Timeouts.defaults()).done();
  }
}
