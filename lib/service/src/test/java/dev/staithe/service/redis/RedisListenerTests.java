package dev.staithe.service.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.service.PasswordFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listeners of a server that answers everything with OK, as often as somebody connects. */
class RedisListenerTests {
  @Test
  void listenerThatIsClosedBetweenTwoQuestionsAsksNoMore() throws Exception {
    try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> accept(server));
      var address =
          new RedisAddress(
              "127.0.0.1",
              server.getLocalPort(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty());
      var asked = new CountDownLatch(1);
      var closed = new CountDownLatch(1);
      var ended = new CountDownLatch(1);
      var listener =
          new RedisListener(
              "listener-under-test",
              Duration.ofMillis(1),
              () -> RedisConnection.open(address, Duration.ofSeconds(10)),
              open -> {
                try {
                  while (true) {
                    open.run("PING");
                    asked.countDown();
                    await(closed);
                  }
                } finally {
                  ended.countDown();
                }
              });
      await(asked);

      listener.close();
      closed.countDown();

      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void listenerWhosePasswordCannotBeReadGoesOnOnceItCan(@TempDir Path folder) throws Exception {
    Path password = Files.write(folder.resolve("password"), new byte[] {(byte) 0xe4});
    try (var server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> accept(server));
      var address =
          new RedisAddress(
              "127.0.0.1",
              server.getLocalPort(),
              Optional.empty(),
              Optional.of(password),
              Optional.empty());
      var triedAgain = new CountDownLatch(2);
      var asked = new CountDownLatch(1);
      try (var _ =
          new RedisListener(
              "listener-under-test",
              Duration.ofMillis(1),
              () -> {
                triedAgain.countDown();
                return RedisConnection.open(address, Duration.ofSeconds(10));
              },
              open -> {
                open.run("PING");
                asked.countDown();
              })) {
        await(triedAgain);
        Files.writeString(password, "secret\n");
        await(asked);
      }
    }
  }

  @Test
  void listenerBeginsAnewAfterMemoryRanOut() {
    var tried = new CountDownLatch(3);
    try (var _ =
        new RedisListener(
            "listener-under-test",
            Duration.ofMillis(1),
            () -> {
              tried.countDown();
              throw new OutOfMemoryError("for a moment");
            },
            open -> {})) {
      await(tried);
    }
  }

  @Test
  void passwordThatIsNoTextIsAFailureLikeAnyOther(@TempDir Path folder) throws Exception {
    Path password = Files.write(folder.resolve("password"), new byte[] {(byte) 0xe4});

    assertThatThrownBy(() -> PasswordFile.read(Optional.of(password)))
        .isInstanceOf(IOException.class)
        .hasMessage(password + " cannot be read as UTF-8");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void accept(ServerSocket server) {
    try {
      while (true) {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> answer(client));
      }
    } catch (IOException over) {
      // The test has ended.
    }
  }

  /** A command is a line with the number of its words, and each word's length and text. */
  private static void answer(Socket client) {
    try (client) {
      var in =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        for (int lines = 2 * Integer.parseInt(line.substring(1)); lines > 0; lines--) {
          in.readLine();
        }
        client.getOutputStream().write("+OK\r\n".getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException over) {
      // The client has left.
    }
  }
}
