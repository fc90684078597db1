package dev.staithe.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.staithe.service.RunningSample;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that come before the client has sent everything, and clients that never stop. */
final class LingeringCloseTests {
  private static final int LARGE = 20 << 20;

  @TempDir private static Path folder;
  private static RunningSample service;

  @BeforeAll
  static void start() {
    service = new RunningSample(folder.resolve("trusting"), Map.of());
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static byte[] head(String fields) {
    return ("POST /front/x HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  @RepeatedTest(5)
  void answerIsReadByAClientThatSendsEverythingFirst() throws IOException {
    try (SSLSocket client = service.connect()) {
      client.getOutputStream().write(head("Content-Length: " + LARGE + "\r\n"));
      byte[] part = new byte[64 * 1024];
      for (int sent = 0; sent < LARGE; sent += part.length) {
        client.getOutputStream().write(part);
      }

      assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("127.0.0.1 https HTTP/1.1");
    }
  }

  @RepeatedTest(20)
  void headThatIsTooLargeIsToldSo() throws IOException {
    try (SSLSocket client = service.connect()) {
      client.getOutputStream().write(head("X-Large: " + "x".repeat(2_000_000) + "\r\n"));

      assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 431 ");
    }
  }

  @RepeatedTest(3)
  void answerIsReadByCurl() throws IOException {
    Path body = Files.write(folder.resolve("body"), new byte[LARGE]);

    Curl.Response answer =
        service
            .curl("/front/x")
            .flag("http1.1")
            .method("POST")
            .header("Expect", "")
            .option("data-binary", "@" + body)
            .run();

    assertThat(answer.exitCode()).as(answer.errors()).isZero();
    assertThat(answer.status()).isEqualTo(200);
  }

  @Test
  void clientThatNeverStopsSendingIsCutOff() throws Exception {
    LingeringClose.Limits limits = new LingeringClose.Limits(64L << 20, Duration.ofHours(1), 1);
    try (Refusing refusing = new Refusing(limits);
        Socket client = refusing.connect()) {
      OutputStream out = client.getOutputStream();
      out.write(head("Transfer-Encoding: chunked\r\n"));
      byte[] part = new byte[64 * 1024];

      assertThatIOException()
          .isThrownBy(
              () -> {
                for (long sent = 0; sent < 1L << 30; sent += part.length) {
                  out.write("10000\r\n".getBytes(StandardCharsets.US_ASCII));
                  out.write(part);
                  out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                }
              });
    }
  }

  @Test
  void clientThatDripsIsCutOffWhenItsTimeIsOver() throws Exception {
    LingeringClose.Limits limits =
        new LingeringClose.Limits(Long.MAX_VALUE, Duration.ofMillis(300), 1);
    try (Refusing refusing = new Refusing(limits);
        Socket client = refusing.connect()) {
      client.getOutputStream().write(head("Content-Length: " + LARGE + "\r\n"));
      assertThat(client.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 403 ");

      Eventually.holds("it is cut off", () -> !takes(client));
    }
  }

  @Test
  void connectionsThatLingerAreBounded() throws Exception {
    LingeringClose.Limits limits =
        new LingeringClose.Limits(Long.MAX_VALUE, Duration.ofHours(1), 1);
    try (Refusing refusing = new Refusing(limits);
        Socket first = refusing.connect();
        Socket second = refusing.connect()) {
      for (Socket client : List.of(first, second)) {
        client.getOutputStream().write(head("Content-Length: " + LARGE + "\r\n"));
        assertThat(client.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 403 ");
      }

      Eventually.holds("one lingers, one is closed", () -> takes(first) != takes(second));

      refusing.server.stop();
      Eventually.holds("none outlives the server", () -> !takes(first) && !takes(second));
    }
  }

  @Test
  void connectionsThatLingerAreLookedAtAgainAfterAFailure() throws Exception {
    // More than can be told in nanoseconds: each look at a connection fails.
    LingeringClose.Limits limits =
        new LingeringClose.Limits(Long.MAX_VALUE, Duration.ofSeconds(Long.MAX_VALUE), 1);
    try (Refusing refusing = new Refusing(limits)) {
      for (int i = 0; i < 2; i++) {
        try (Socket client = refusing.connect()) {
          client.getOutputStream().write(head("Content-Length: " + LARGE + "\r\n"));
          assertThat(client.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 403 ");

          Eventually.holds("it is not left open for ever", () -> !takes(client));
        }
      }
    }
  }

  private static boolean takes(Socket client) {
    try {
      client.getOutputStream().write(new byte[1024]); // Jetty itself bears with less than a head
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Plain HTTP, as the client has to see what becomes of its connection. */
  private static final class Refusing extends Handler.Abstract implements AutoCloseable {
    private final Server server = new Server();
    private final ServerConnector connector;

    Refusing(LingeringClose.Limits limits) throws Exception {
      connector =
          LingeringClose.connector(
              server, ByteBufferPool.NON_POOLING, limits, new HttpConnectionFactory());
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      server.setHandler(this);
      server.start();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      response.setStatus(403);
      callback.succeeded();
      return true;
    }

    Socket connect() throws IOException {
      Socket client = new Socket(InetAddress.getByName("127.0.0.1"), connector.getLocalPort());
      client.setSoTimeout(60_000);
      return client;
    }

    @Override
    public void close() {
      LifeCycle.stop(server);
    }
  }
}
