package dev.staithe.storage.dav;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.RunningStorage;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without TLS, where the kernel sends what is large. */
class PlainGetTests {
  private static final byte[] CONTENT = new byte[16 << 20];

  @TempDir private static Path folder;
  private static RunningStorage storage;

  @BeforeAll
  static void start() throws IOException {
    storage = RunningStorage.start(folder, Map.of("staithe.tls.enabled", false));
    new Random(2).nextBytes(CONTENT);
    Files.write(storage.open().resolve("large"), CONTENT);
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static Curl get() {
    return Curl.to("http://localhost:" + storage.port() + "/open/large");
  }

  @Test
  void wholeFileAndItsRangesAreTheBytesOfTheFile() {
    assertThat(Arrays.equals(get().run().body(), CONTENT)).isTrue();
    Curl.Response range = get().header("Range", "bytes=1000000-9999999").run();
    assertThat(range.status()).isEqualTo(206);
    assertThat(Arrays.equals(range.body(), Arrays.copyOfRange(CONTENT, 1_000_000, 10_000_000)))
        .isTrue();
    assertThat(get().header("Range", "bytes=-9").run().body())
        .isEqualTo(Arrays.copyOfRange(CONTENT, CONTENT.length - 9, CONTENT.length));
  }

  /** What was announced cannot come: the connection ends before it, which a client notices. */
  @Test
  void fileThatIsCutMeanwhileIsNotFilledUp() throws Exception {
    Path file = Files.write(storage.open().resolve("cut"), CONTENT);
    try (Socket client = new Socket()) {
      client.setReceiveBufferSize(64 << 10); // Or all of it could be on its way by then.
      client.connect(new InetSocketAddress("localhost", storage.port()));
      client
          .getOutputStream()
          .write(
              "GET /open/cut HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      InputStream in = client.getInputStream();
      assertThat(in.read()).isEqualTo('H');
      try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
        channel.truncate(15 << 20);
      }
      byte[] rest = in.readAllBytes();
      assertThat(rest.length).isLessThan(CONTENT.length);
      int from = rest.length - 100_000;
      int at = placeOf(rest, from);
      assertThat(Arrays.copyOfRange(rest, from, rest.length))
          .isEqualTo(Arrays.copyOfRange(CONTENT, at, at + 100_000));
    }
    Eventually.holds("others are served", () -> get().run().status() == 200);
  }

  /** Where in the content the bytes of an answer from that place on are: its head is before. */
  private static int placeOf(byte[] answer, int from) {
    String start =
        new String(answer, 0, Math.min(answer.length, 4096), StandardCharsets.ISO_8859_1);
    return from - (start.indexOf("\r\n\r\n") + 4);
  }
}
