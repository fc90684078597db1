package dev.staithe.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that the kernel sends between bytes that Jetty does. */
final class KernelSendingTests {
  private static final int SIZE = 24 << 20;

  /** Bytes that are written as usual whenever the client takes no more. */
  private static final int USUAL = 1000;

  @TempDir private static Path folder;

  private final byte[] content = new byte[SIZE];
  private final Server server = new Server();
  private final AtomicLong byKernel = new AtomicLong();
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private ServerConnector connector;
  private Path file;

  @BeforeEach
  void start() throws Exception {
    new Random(3).nextBytes(content);
    file = Files.write(folder.resolve("file"), content);
    connector =
        LingeringClose.connector(
            server,
            ByteBufferPool.NON_POOLING,
            LingeringClose.Limits.STANDARD,
            new HttpConnectionFactory());
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            try {
              send(request, response);
              callback.succeeded();
            } catch (IOException e) {
              failure.set(e);
              callback.failed(e);
            }
            return true;
          }
        });
    server.start();
  }

  @AfterEach
  void stop() {
    LifeCycle.stop(server);
  }

  private void send(Request request, Response response) throws IOException {
    if (request.getHttpURI().getPath().equals("/small")) {
      Content.Sink.write(response, true, ByteBuffer.wrap(new byte[] {'s', 'm', 'a', 'l', 'l'}));
      return;
    }
    KernelSending kernel = Objects.requireNonNull(KernelSending.of(request));
    response.getHeaders().put("Content-Length", SIZE);
    try (FileChannel source = FileChannel.open(file)) {
      for (int at = 0; at < SIZE; ) {
        int usual = Math.min(USUAL, SIZE - at);
        Content.Sink.write(response, at + usual == SIZE, ByteBuffer.wrap(content, at, usual));
        at += usual;
        for (int sent = 1; at < SIZE && sent > 0; ) {
          sent = kernel.send(source, at, SIZE - at);
          if (sent > 0) {
            at += sent;
            byKernel.addAndGet(sent);
            Content.Sink.write(response, at == SIZE, KernelSending.sent(sent));
          }
        }
      }
    }
  }

  private Socket ask(String... paths) throws IOException {
    Socket client = new Socket("127.0.0.1", connector.getLocalPort());
    for (String path : paths) {
      client
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
    }
    return client;
  }

  private static String line(DataInputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("it ends in the middle of its head");
      }
      line.append((char) c);
    }
    return line.toString().strip();
  }

  private static void passHead(DataInputStream in) throws IOException {
    assertThat(line(in)).startsWith("HTTP/1.1 200 ");
    while (!line(in).isEmpty()) {
      // The fields tell nothing that is asked here.
    }
  }

  @Test
  void bytesComeInTheirOrderAndTheNextAnswerBehindThem() throws Exception {
    try (Socket client = ask("/file", "/small");
        var in = new DataInputStream(client.getInputStream())) {
      passHead(in);
      byte[] got = new byte[SIZE];
      in.readFully(got);
      assertThat(Arrays.equals(got, content)).isTrue();
      passHead(in);
      assertThat(in.readNBytes(5)).asString(StandardCharsets.US_ASCII).isEqualTo("small");
    }
    assertThat(byKernel.get()).isGreaterThan(SIZE / 2);
  }

  @Test
  void clientThatGoesAwayIsToldFromAFileThatCannotBeRead() throws Exception {
    try (Socket client = ask("/file")) {
      assertThat(client.getInputStream().readNBytes(100)).hasSize(100);
      client.setSoLinger(true, 0);
    }
    Eventually.holds("the answer ends", () -> failure.get() != null);
    assertThat(failure.get()).isInstanceOf(EofException.class);
  }
}
