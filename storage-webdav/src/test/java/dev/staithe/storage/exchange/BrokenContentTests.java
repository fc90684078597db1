package dev.staithe.storage.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that do not send what they announced: their failure, not the server's. */
class BrokenContentTests {
  @TempDir Path folder;

  private static String sendShort(RunningStorage storage, boolean end) throws IOException {
    try (Socket socket =
        storage
            .authority()
            .clientContext()
            .getSocketFactory()
            .createSocket("localhost", storage.port())) {
      socket.setSoTimeout(180_000);
      socket
          .getOutputStream()
          .write(
              "PUT /open/short HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc"
                  .getBytes(StandardCharsets.US_ASCII));
      if (end) {
        socket.shutdownOutput();
      }
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void contentThatEndsEarlyIsABadRequestAndLeavesNothing() throws IOException {
    RunningStorage storage = RunningStorage.shared();
    assertThat(sendShort(storage, true)).doesNotContain(" 500 ");
    assertThat(Files.exists(storage.open().resolve("short"))).isFalse();
  }

  @Test
  void silentClientIsToldThatItsTimeIsUp() throws IOException {
    try (RunningStorage storage =
        RunningStorage.start(folder, Map.of("staithe.limits.idle-timeout", "3s"))) {
      assertThat(sendShort(storage, false))
          .startsWith("HTTP/1.1 408 ")
          .contains("no content came for too long");
      assertThat(Files.exists(storage.open().resolve("short"))).isFalse();
    }
  }
}
