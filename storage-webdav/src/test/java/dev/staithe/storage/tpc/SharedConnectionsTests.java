package dev.staithe.storage.tpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.http.HttpConnection;
import dev.staithe.storage.flows.FlowMarks;
import dev.staithe.storage.remote.CopyProgress;
import dev.staithe.storage.remote.CopySettings;
import dev.staithe.storage.remote.CopyTuning;
import dev.staithe.storage.remote.RemoteClient;
import dev.staithe.storage.remote.RemoteFailure;
import dev.staithe.storage.remote.RemoteGuard;
import dev.staithe.storage.remote.RemoteSession;
import dev.staithe.storage.remote.RemoteUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Copies that follow each other with the same server, and what that server may do in between. */
final class SharedConnectionsTests extends ElementFixture {
  private static final String POISON = "not what was asked for";

  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** Answers by one text, and notes over how many connections. */
  private ScriptedServer.Script serving(ScriptedServer.Script after) {
    return (request, wire) -> {
      sockets.add(wire.socket());
      wire.read(request.length());
      switch (request.method()) {
        case "GET" -> wire.respond("200 OK", "", TEXT);
        case "HEAD" ->
            wire.send("HTTP/1.1 200 OK\r\nContent-Length: " + TEXT.length() + "\r\n\r\n");
        default -> wire.respond("201 Created", "", "");
      }
      after.answer(request, wire);
    };
  }

  private void assertPulled(ScriptedServer source) throws IOException {
    assertThat(pull(source).last()).isEqualTo("success: Created");
    assertThat(Files.readString(element.file("file"))).isEqualTo(TEXT);
    Files.delete(element.file("file"));
  }

  @Test
  void copiesWithOneServerShareAConnection() throws Exception {
    try (ScriptedServer server = ScriptedServer.plain(serving((request, wire) -> {}))) {
      assertPulled(server);
      assertPulled(server);
      element.put("file", TEXT.getBytes(StandardCharsets.UTF_8));
      assertThat(push(server).last()).startsWith("success");
      Files.delete(element.file("file"));
      assertPulled(server);

      assertThat(server.requests()).hasSizeGreaterThanOrEqualTo(4);
      assertThat(sockets).hasSize(1);
    }
  }

  @Test
  void otherServerIsAskedOverItsOwn() throws Exception {
    try (ScriptedServer one = ScriptedServer.plain(serving((request, wire) -> {}));
        ScriptedServer other = ScriptedServer.plain(serving((request, wire) -> {}))) {
      assertPulled(one);
      assertPulled(other);
      assertPulled(one);

      assertThat(one.requests()).hasSize(2);
      assertThat(other.requests()).hasSize(1);
      assertThat(sockets).hasSize(2);
    }
  }

  @Test
  void connectionThatWasClosedMeanwhileIsNotTaken() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.plain(serving((request, wire) -> wire.socket().shutdownOutput()))) {
      assertPulled(server);
      assertPulled(server);

      assertThat(sockets).hasSize(2);
    }
  }

  @Test
  void connectionThatIsClosedAsItIsUsedIsReplaced() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, wire) -> {
              if (!sockets.add(wire.socket())) {
                wire.close();
                return;
              }
              wire.respond("200 OK", "", TEXT);
            })) {
      assertPulled(server);
      assertPulled(server);

      assertThat(server.requests()).hasSize(3);
      assertThat(sockets).hasSize(2);
    }
  }

  /** It may have taken hours, and what the client sees of it would not get on for as long. */
  @Test
  void pushThatBreaksOffIsNotBegunAgainAsIfItsConnectionHadBeenClosedBefore() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, wire) -> {
              switch (request.method()) {
                case "GET" -> wire.respond("200 OK", "", TEXT);
                case "PUT" -> {
                  wire.read(request.length());
                  wire.close();
                }
                default -> wire.respond("404 Not Found", "", "");
              }
            })) {
      assertPulled(server);
      element.put("file", TEXT.getBytes(StandardCharsets.UTF_8));

      assertThat(push(server).last()).contains("closed the connection without a response");
      assertThat(server.methods()).containsExactly("GET", "PUT", "HEAD");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a server says unasked must not be the answer to the next copy, of somebody else. */
  @Test
  void answerThatCameBeforeItsRequestIsNotTaken() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch said = new CountDownLatch(1);
    try (ScriptedServer server =
        ScriptedServer.plain(
            serving(
                (request, wire) -> {
                  if (said.getCount() > 0) {
                    await(ended);
                    wire.respond("200 OK", "", POISON);
                    said.countDown();
                  }
                }))) {
      assertPulled(server);
      ended.countDown();
      await(said);
      assertPulled(server);

      assertThat(sockets).hasSize(2);
    }
  }

  @Test
  void connectionOfACopyThatFailedIsClosed() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, wire) -> {
              sockets.add(wire.socket());
              wire.respond("404 Not Found", "", "");
            })) {
      assertThat(pull(server).body()).contains("404");
      assertThat(pull(server).body()).contains("404");

      assertThat(sockets).hasSize(2);
    }
  }

  /** It has said that it has the file; what it adds is of no use to anybody. */
  @Test
  void answerToAPushThatNeverEndsHoldsNobodyUp() throws Exception {
    element.put("file", TEXT.getBytes(StandardCharsets.UTF_8));
    try (ScriptedServer server =
        ScriptedServer.plain(
            (request, wire) -> {
              wire.read(request.length());
              if (request.method().equals("HEAD")) {
                wire.send("HTTP/1.1 200 OK\r\nContent-Length: 28\r\n\r\n");
                return;
              }
              wire.send("HTTP/1.1 201 Created\r\nContent-Length: 1000\r\n\r\nTha");
              wire.awaitEndOfTest();
            })) {
      long begun = System.nanoTime();
      assertThat(push(server).last()).startsWith("success");
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .isLessThan(Element.settings().timeouts().stall());
    }
  }

  private static HttpConnection opened(RemoteClient client, RemoteUrl url, CopyTuning.Sending how)
      throws IOException {
    CopyProgress progress = new CopyProgress(how, socket -> FlowMarks.Mark.NONE);
    HttpConnection connection = client.open(url, progress, null, false);
    connection.begin("GET", false);
    connection.send(RemoteSession.head("GET", url, List.of()));
    connection.receive();
    while (connection.body().next() != null) {
      continue;
    }
    client.rest(connection, url, progress);
    return connection;
  }

  /** The name may lead elsewhere by now, where it is not to be followed. */
  @Test
  void connectionWithAnAddressThatTheNameHasNoMoreIsNotTaken() throws Exception {
    AtomicReference<String> address = new AtomicReference<>("127.0.0.1");
    CopySettings settings = Element.settings();
    try (ScriptedServer server = ScriptedServer.plain(serving((request, wire) -> {}));
        RemoteClient client =
            new RemoteClient(
                settings,
                null,
                new RemoteGuard(
                    settings.allowedNetworks(),
                    port -> false,
                    host -> new InetAddress[] {InetAddress.ofLiteral(address.get())}))) {
      RemoteUrl url = new RemoteUrl(false, "source.invalid", server.port(), "/file");
      HttpConnection first = opened(client, url, CopyTuning.Sending.USUAL);
      assertThat(opened(client, url, CopyTuning.Sending.USUAL)).isSameAs(first);
      CopyTuning.Sending paced = new CopyTuning.Sending("", 1 << 20);
      assertThat(opened(client, url, paced)).isNotSameAs(first);

      address.set("127.0.0.2");
      assertThatThrownBy(() -> opened(client, url, CopyTuning.Sending.USUAL))
          .isInstanceOf(RemoteFailure.class)
          .hasMessageContaining("Connection refused");
    }
  }
}
