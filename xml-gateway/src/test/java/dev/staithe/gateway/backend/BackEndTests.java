package dev.staithe.gateway.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's reading of answers, right and wrong ones. */
final class BackEndTests {
  /** Answers each request with the same bytes, and closes the connection or not. */
  private static final class Canned implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    Canned(String answer, boolean closing) throws IOException {
      Thread.ofVirtual()
          .start(
              () -> {
                while (!server.isClosed()) {
                  try {
                    Socket socket = server.accept();
                    connections.incrementAndGet();
                    Thread.ofVirtual().start(() -> serve(socket, answer, closing));
                  } catch (IOException e) {
                    return;
                  }
                }
              });
    }

    private void serve(Socket socket, String answer, boolean closing) {
      try (socket) {
        InputStream in = socket.getInputStream();
        do {
          byte[] read = in.readNBytes(1);
          if (read.length == 0) {
            ended.incrementAndGet();
            return;
          }
          StringBuilder head = new StringBuilder().append((char) read[0]);
          while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
          }
          in.readNBytes(4); // "body"
          requests.incrementAndGet();
          socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        } while (!closing);
      } catch (IOException e) {
        // The other side has gone.
      }
    }

    BackEnd client() {
      return client(Duration.ofHours(1));
    }

    BackEnd client(Duration lifetime) {
      return client(lifetime, Duration.ofSeconds(10));
    }

    BackEnd client(Duration lifetime, Duration rest) {
      return new BackEnd(
          URI.create("http://127.0.0.1:" + server.getLocalPort() + "/s"),
          null,
          Duration.ofSeconds(20),
          100,
          lifetime,
          rest);
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  private static BackEndAnswer ask(BackEnd client) {
    return ask(client, "body".getBytes(StandardCharsets.UTF_8));
  }

  private static BackEndAnswer ask(BackEnd client, byte[] body) {
    return client.ask(
        new BackEndRequest("text/xml", "\"a\"", "", "id", List.of(new BackEndRequest.Piece(body))),
        new Bodies(1 << 20).share(InetAddress.getLoopbackAddress()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<ok>",
        "HTTP/1.1 200\r\ncontent-type:text/xml\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\n<o\r\n2\r\nk>\r\n0\r\nT: t\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\nContent-Type: text/xml\nContent-Length: 4\n\n<ok>"
      })
  void wholeAnswerIsReadAndTheConnectionUsedAgain(String answer) throws IOException {
    try (var service = new Canned(answer, false);
        BackEnd client = service.client()) {
      for (int i = 0; i < 3; i++) {
        assertThat(ask(client))
            .isInstanceOfSatisfying(
                BackEndAnswer.Answered.class,
                it -> {
                  assertThat(it.status()).isEqualTo(200);
                  assertThat(it.contentType()).isEqualTo("text/xml");
                  assertThat(it.body()).asString().isEqualTo("<ok>");
                });
      }
      assertThat(service.connections).hasValue(1);
    }
  }

  @Test
  void answerToTheEndOfTheConnectionIsReadAndTheConnectionNotUsedAgain() throws IOException {
    try (var service = new Canned("HTTP/1.1 200 OK\r\n\r\n<ok>", true);
        BackEnd client = service.client()) {
      ask(client);
      assertThat(ask(client)).isInstanceOf(BackEndAnswer.Answered.class);
      assertThat(service.connections).hasValue(2);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n<ok>",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +4\r\n\r\n<ok>",
        "HTTP/1.1 200 OK\r\nA: b\r\n Content-Length: 4\r\n\r\n<ok>",
        "HTTP/1.1 200 OK\r\nContent-Length : 4\r\n\r\n<ok>",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<okay\r\n0\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 101 Switching\r\n\r\n"
      })
  void answerThatTwoReadersReadInTwoWaysIsNotTaken(String answer) throws IOException {
    try (var service = new Canned(answer, true);
        BackEnd client = service.client()) {
      assertThat(ask(client))
          .isInstanceOfSatisfying(
              BackEndAnswer.Failed.class,
              it -> assertThat(it.kind()).isEqualTo(BackEndAnswer.Kind.BROKEN));
      assertThat(client.kept()).isZero();
    }
  }

  @Test
  void connectionIsNotKeptBeyondItsLifetimeHoweverBusyItIs() throws IOException {
    String answer = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<ok>";
    try (var service = new Canned(answer, false);
        BackEnd client = service.client(Duration.ZERO)) {
      for (int i = 0; i < 2; i++) {
        assertThat(ask(client)).isInstanceOf(BackEndAnswer.Answered.class);
        assertThat(client.kept()).isZero();
      }
      assertThat(service.connections).hasValue(2);
    }
  }

  /** Also where nothing is asked any more: the service may have closed it long ago. */
  @Test
  void connectionThatNobodyNeedsIsClosed() throws IOException {
    String answer = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<ok>";
    try (var service = new Canned(answer, false);
        BackEnd client = service.client(Duration.ofHours(1), Duration.ofMillis(1))) {
      assertThat(ask(client)).isInstanceOf(BackEndAnswer.Answered.class);

      Eventually.holds("it is closed", () -> service.ended.get() == 1);
    }
  }

  /** The service takes four bytes of it, and closes the connection over the rest. */
  @Test
  void answerThatComesBeforeTheWholeMessageWasTakenIsHeard() throws IOException {
    String answer = "HTTP/1.1 500 No\r\nContent-Type: text/xml\r\nContent-Length: 4\r\n\r\n<no>";
    try (var service = new Canned(answer, true);
        BackEnd client = service.client()) {
      assertThat(ask(client, new byte[16 << 20]))
          .isInstanceOfSatisfying(
              BackEndAnswer.Answered.class,
              it -> {
                assertThat(it.status()).isEqualTo(500);
                assertThat(it.body()).asString().isEqualTo("<no>");
              });
      assertThat(client.kept()).isZero();
      assertThat(service.requests).hasValue(1);
    }
  }

  @Test
  void answerBeyondTheLimitIsNotRead() throws IOException {
    try (var service = new Canned("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n", false);
        BackEnd client = service.client()) {
      assertThat(ask(client))
          .isInstanceOfSatisfying(
              BackEndAnswer.Failed.class,
              it -> assertThat(it.kind()).isEqualTo(BackEndAnswer.Kind.TOO_LARGE));
    }
  }

  @Test
  void messageIsSentOnceWhereTheConnectionEndsWithoutAnAnswer() throws IOException {
    try (var service = new Canned("", true);
        BackEnd client = service.client()) {
      assertThat(ask(client)).isInstanceOf(BackEndAnswer.Failed.class);
      assertThat(service.requests).hasValue(1);
    }
  }
}
