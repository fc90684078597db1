package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM, as systemd sends it. */
class ShutdownIT {
  private static final Duration BOUND = Duration.ofSeconds(90);

  @TempDir Path folder;

  private static boolean refuses(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return !socket.isConnected();
    } catch (ConnectException refused) {
      return true;
    } catch (IOException other) {
      return false;
    }
  }

  @Test
  void copiesAreAbortedDownloadsCompleteAndTheProcessEnds() throws IOException {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    byte[] content = Sample.bytes(1, 40 << 20);
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        HeldSource source = new HeldSource(authority, 1 << 20, true);
        StorageProcess process =
            StorageProcess.start(folder.resolve("element"), authority, issuer, Map.of());
        RawClient copying = RawClient.to(process.port(), authority);
        RawClient reading = RawClient.to(process.port(), authority)) {
      String token =
          issuer.token().scope("storage.modify:/").audience(RunningStorage.AUDIENCE).sign();
      Files.write(folder.resolve("element/open/large"), content);
      copying.send(
          "COPY /data/copied HTTP/1.1\r\nHost: localhost\r\nCredential: none\r\nSource: "
              + source.url("/file")
              + "\r\nAuthorization: Bearer "
              + token
              + "\r\n\r\n");
      assertThat(copying.readHead()).startsWith("HTTP/1.1 202 ");
      Eventually.holds("the copy is in its middle", () -> source.begun() == 1);
      reading.send("GET /open/large HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(reading.readHead()).startsWith("HTTP/1.1 200 ");
      byte[] first = reading.read(1 << 20);

      ProcessHandle.of(process.process().pid()).orElseThrow().destroy();

      String stream = new String(copying.readToEnd(), StandardCharsets.UTF_8);
      assertThat(stream).contains("aborted: server shutting down\n").endsWith("0\r\n\r\n");
      Eventually.holds("no new connections", () -> refuses(process.port()));
      pause();
      byte[] second = reading.read(content.length - first.length);
      assertThat(first).isEqualTo(Arrays.copyOf(content, first.length));
      assertThat(second).isEqualTo(Arrays.copyOfRange(content, first.length, content.length));
      // 128 + 15: ended by the signal, in order.
      assertThat(process.process().awaitEnd(BOUND)).isIn(0, 143);
      assertThat(process.process().output()).doesNotContain(" ERROR ");
    }
    assertThat(folder.resolve("element/data/copied")).doesNotExist();
    try (Stream<Path> left = Files.walk(folder.resolve("element/data/.staithe/stage"))) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
  }

  /** What a wide-area link does now and then: Jetty gives a connection one second at a stop. */
  private static void pause() {
    try {
      Thread.sleep(Duration.ofSeconds(3)); // the very pause that is tried
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void idleConnectionsDoNotDelayTheEnd() throws IOException {
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    try (TokenIssuer issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
        StorageProcess process =
            StorageProcess.start(
                folder.resolve("element"),
                authority,
                issuer,
                Map.of("staithe.limits.idle-timeout", "1h"));
        RawClient idle = RawClient.to(process.port(), authority)) {
      assertThat(Curl.to(process.url("/open/")).trusting(authority).run().status()).isEqualTo(200);
      idle.send("HEAD /open/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(idle.readHead()).startsWith("HTTP/1.1 200 ");

      ProcessHandle.of(process.process().pid()).orElseThrow().destroy();

      assertThat(process.process().awaitEnd(BOUND)).isIn(0, 143);
    }
  }
}
