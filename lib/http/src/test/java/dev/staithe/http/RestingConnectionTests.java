package dev.staithe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is seen of a connection that rests, before it is used again. */
final class RestingConnectionTests {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path folder;

  /** Answers one request, and closes the connection when it is told to. */
  private static void serve(ServerSocket listener, CountDownLatch told) {
    try (Socket socket = listener.accept()) {
      BufferedReader head =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      while (!head.readLine().isEmpty()) {
        // Up to the end of the head.
      }
      socket.getOutputStream().write(ANSWER);
      told.await();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void isSeen(ServerSocket listener, SSLEngine engine) throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> serve(listener, told));
    BufferPool buffers = new BufferPool(40 * 1024, 3, 0);
    try (HttpSocket socket = HttpSocket.open("it", engine, buffers, LONG);
        HttpConnection connection =
            new HttpConnection(socket, "it", new HeadLimits(4096, 20), null)) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort()), LONG);
      socket.within(LONG, "too late");
      if (engine != null) {
        socket.handshake();
      }
      connection.begin("GET", false);
      connection.send(
          ByteBuffer.wrap(
              "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      assertThat(connection.receive().status()).isEqualTo(200);
      assertThat(connection.body().next()).isNull();

      assertThat(connection.hasEnded()).as("it rests").isFalse();
      told.countDown();
      closed.join();
      assertThat(connection.hasEnded()).as("it was closed").isTrue();
    }
  }

  @Test
  void endOfAConnectionIsSeenBeforeItIsUsedAgain() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      isSeen(listener, null);
    }
  }

  @Test
  void endOfAConnectionByTlsIsSeenBeforeItIsUsedAgain() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    try (ServerSocket listener =
        authority
            .serverContext(authority.localhost().credential())
            .getServerSocketFactory()
            .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      SSLEngine engine =
          authority.clientContext().createSSLEngine("localhost", listener.getLocalPort());
      engine.setUseClientMode(true);
      isSeen(listener, engine);
    }
  }

  /** Makes a TLS session, and resets the connection below it. */
  private static void reset(ServerSocket listener, SSLContext context) {
    try (Socket socket = listener.accept()) {
      SSLSocket tls =
          (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", 0, false);
      tls.setUseClientMode(false);
      tls.startHandshake();
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** There is nobody to say goodbye to, which fails. */
  @Test
  void descriptorOfAConnectionByTlsThatWasResetIsGivenBack() throws Exception {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    SSLContext server = authority.serverContext(authority.localhost().credential());
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> reset = CompletableFuture.runAsync(() -> reset(listener, server));
      SSLEngine engine =
          authority.clientContext().createSSLEngine("localhost", listener.getLocalPort());
      engine.setUseClientMode(true);
      HttpSocket socket = HttpSocket.open("it", engine, new BufferPool(40 * 1024, 3, 0), LONG);
      try (socket) {
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort()), LONG);
        socket.within(LONG, "too late");
        socket.handshake();
        reset.join();
        assertThat(socket.local()).isNotNull();
      }
      assertThat(socket.local()).as("its end of the connection").isNull();
    }
  }
}
