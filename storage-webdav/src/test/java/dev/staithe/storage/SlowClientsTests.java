package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that never fall silent and never come to an end, against a server of little patience. */
class SlowClientsTests {
  @TempDir static Path folder;
  private static RunningStorage storage;

  @BeforeAll
  static void start() {
    storage =
        RunningStorage.start(
            folder.resolve("storage"),
            Map.of(
                "staithe.limits.head-timeout", "3s",
                "staithe.limits.min-upload-rate", "100KB",
                "staithe.limits.min-download-rate", "100MB",
                "staithe.limits.rate-window", "1s"));
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static RawClient connect() throws IOException {
    return RawClient.to(storage.port(), storage.authority());
  }

  /** One step of a client that trickles. */
  private interface Drop {
    void fall() throws IOException;
  }

  /** Whether the server ends it; false where it bears with it for long. */
  private static boolean endedAtLast(Drop drop) {
    for (int i = 0; i < 600; i++) {
      try {
        drop.fall();
        Thread.sleep(50); // the very slowness that is tried
      } catch (IOException ended) {
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return false;
  }

  /** How many the metrics have. */
  private static double ended(String part) {
    String name = "staithe_connections_slow_total{part=\"" + part + "\"} ";
    return storage
        .curl("/.staithe/metrics")
        .run()
        .text()
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .mapToDouble(Double::parseDouble)
        .findFirst()
        .orElseThrow();
  }

  private static void headThatTrickles(RawClient client) throws IOException {
    client.send("GET /open/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    assertThat(endedAtLast(() -> client.send("x"))).isTrue();
  }

  private static boolean nothingStaged() {
    try (Stream<Path> all = Files.walk(storage.open().resolve(".staithe/stage"))) {
      return all.filter(Files::isRegularFile).allMatch(p -> p.endsWith("lock"));
    } catch (IOException | java.io.UncheckedIOException changing) {
      return false;
    }
  }

  private static String beginningOfPut(String name) {
    return "PUT /open/" + name + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";
  }

  @Test
  void headThatTricklesIsEndedThoughItNeverFallsSilent() throws IOException {
    double before = ended("head");
    try (RawClient client = connect()) {
      headThatTrickles(client);
    }
    assertThat(ended("head")).isEqualTo(before + 1);
  }

  @Test
  void laterHeadThatTricklesIsEndedAndConnectionsThatRestAreNot() throws IOException {
    try (RawClient resting = connect();
        RawClient client = connect()) {
      for (RawClient each : new RawClient[] {resting, client}) {
        each.send("OPTIONS /open/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(each.readHead()).startsWith("HTTP/1.1 200 ");
      }
      headThatTrickles(client);
      resting.send("OPTIONS /open/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(resting.readHead()).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void handshakeThatTricklesIsEnded() throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), storage.port())) {
      // The head of a TLS record of 500 bytes that holds a ClientHello, and then its content.
      client.getOutputStream().write(new byte[] {22, 3, 1, 1, (byte) 0xF4, 1, 0, 1, (byte) 0xF0});
      assertThat(endedAtLast(() -> client.getOutputStream().write(3))).isTrue();
    }
  }

  @Test
  void uploadThatTricklesGets408AndLeavesNothing() throws IOException {
    try (RawClient client = connect()) {
      double before = ended("upload");
      client.send(beginningOfPut("slow"));
      Thread drip = Thread.ofVirtual().start(() -> endedAtLast(() -> client.send("x")));
      String head = client.readHead();
      assertThat(head).startsWith("HTTP/1.1 408 ").containsIgnoringCase("connection: close");
      assertThat(new String(client.read(57), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo("the content came more slowly than 100KB a second for 1s\n");
      Eventually.holds("nothing is left", SlowClientsTests::nothingStaged);
      assertThat(ended("upload")).isEqualTo(before + 1);
      assertThat(storage.open().resolve("slow")).doesNotExist();
      drip.interrupt();
    }
  }

  @Test
  void downloadThatIsTakenInTricklesIsEnded() throws IOException {
    long size = 256 << 20;
    try (RandomAccessFile file =
        new RandomAccessFile(storage.open().resolve("large").toFile(), "rw")) {
      file.setLength(size);
    }
    double before = ended("download");
    try (RawClient client = connect()) {
      client.send("GET /open/large HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
      long[] taken = new long[1];
      assertThat(
              endedAtLast(
                  () -> {
                    taken[0] += client.read(100).length;
                    if (isClosedByServer("large")) {
                      throw new EOFException();
                    }
                  }))
          .isTrue();
      assertThat(taken[0]).isLessThan(size);
      assertThat(ended("download")).isEqualTo(before + 1);
    }
  }

  /** Whether the server, which is this process, holds the file open no more. */
  private static boolean isClosedByServer(String name) throws IOException {
    Path file = storage.open().resolve(name).toRealPath();
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.noneMatch(
          fd -> {
            try {
              return Files.readSymbolicLink(fd).equals(file);
            } catch (IOException closed) {
              return false;
            }
          });
    }
  }

  @Test
  void requestThatWaitsForUsIsNotTakenForSlow() throws IOException {
    try (HeldSource source = new HeldSource(storage.authority(), 1 << 20, true);
        RawClient client = connect();
        RawClient slow = connect()) {
      client.send(
          "COPY /data/waits HTTP/1.1\r\nHost: localhost\r\nCredential: none\r\nSource: "
              + source.url("/file")
              + "\r\nAuthorization: Bearer "
              + storage.token()
              + "\r\n\r\n");
      assertThat(client.readHead()).startsWith("HTTP/1.1 202 ");
      headThatTrickles(slow);
      assertThat(storage.curl("/.staithe/metrics").run().text())
          .contains("staithe_copies_running 1.0");
    }
  }

  private static String head(RawClient client) {
    try {
      return client.readHead();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anyRateWillDoWhereNoneIsSet() throws IOException {
    try (RunningStorage patient =
            RunningStorage.beside(
                storage,
                folder.resolve("patient"),
                Map.of(
                    "staithe.limits.min-upload-rate", "0B",
                    "staithe.limits.rate-window", "1s"));
        RawClient client = RawClient.to(patient.port(), patient.authority());
        RawClient other = connect()) {
      client.send(beginningOfPut("slow"));
      other.send(beginningOfPut("slow"));
      CompletableFuture<String> refusal = CompletableFuture.supplyAsync(() -> head(other));
      int[] sent = new int[1];
      assertThat(
              endedAtLast(
                  () -> {
                    if (refusal.isDone()) {
                      throw new EOFException();
                    }
                    client.send("x");
                    sent[0]++;
                    other.send("x");
                  }))
          .isTrue();
      assertThat(refusal.join()).startsWith("HTTP/1.1 408 ");
      client.send("x".repeat(1000 - sent[0]));
      assertThat(client.readHead()).startsWith("HTTP/1.1 201 ");
    }
  }
}
