package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are slow, silent, or gone by half: they hurt nobody but themselves. */
class FaultsIT {
  @TempDir static Path folder;
  private static RunningStorage storage;

  @BeforeAll
  static void start() {
    storage = RunningStorage.start(folder, Map.of("staithe.limits.idle-timeout", "4s"));
  }

  @AfterAll
  static void stop() {
    storage.close();
  }

  private static RawClient connect() throws IOException {
    return RawClient.to(storage.port(), storage.authority());
  }

  private static String put(String name, long length) {
    return "PUT /open/"
        + name
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  private static long staged(Path area) {
    try (Stream<Path> all = Files.walk(area.resolve(".staithe/stage"))) {
      return all.filter(Files::isRegularFile).filter(p -> !p.endsWith("lock")).count();
    } catch (IOException | java.io.UncheckedIOException changing) {
      return -1;
    }
  }

  private static void othersAreServed(int times) throws IOException {
    othersAreServed(storage, times);
  }

  private static void othersAreServed(RunningStorage storage, int times) throws IOException {
    Path file = folder.resolve("little");
    Files.write(file, Sample.bytes(1, 1000));
    for (int i = 0; i < times; i++) {
      int status = storage.curl("/open/others").upload(file).run().status();
      assertThat(status).isIn(201, 204);
      assertThat(storage.curl("/open/others").run().body()).hasSize(1000);
    }
  }

  /** Whether the server ends the connection; what it sends before does not matter. */
  private static boolean isEnded(RawClient client) {
    try {
      client.readToEnd();
      return true;
    } catch (java.net.SocketTimeoutException stillOpen) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void clientsInTheMiddleOfTheirUploadsDelayNobodyAndSucceedInTheEnd() throws IOException {
    List<RawClient> slow = new ArrayList<>();
    try (RunningStorage patient =
        RunningStorage.start(
            folder.resolve("patient"), Map.of("staithe.limits.idle-timeout", "10m"))) {
      for (int i = 0; i < 50; i++) {
        RawClient client = RawClient.to(patient.port(), patient.authority());
        slow.add(client);
        client.send(put("slow-" + i, 5) + "x");
      }
      Eventually.holds("all have begun", () -> staged(patient.open()) == 50);
      othersAreServed(patient, 3);
      for (String part : List.of("x", "x", "xx")) {
        for (RawClient client : slow) {
          client.send(part);
        }
      }
      for (RawClient client : slow) {
        assertThat(client.readHead()).startsWith("HTTP/1.1 201 ");
      }
      assertThat(patient.open().resolve("slow-0")).hasContent("xxxxx");
    } finally {
      for (RawClient client : slow) {
        client.close();
      }
    }
    Trials.held(slow.size());
  }

  @Test
  void uploadThatFallsSilentIsEndedAndLeavesNothing() throws IOException {
    try (RawClient client = connect()) {
      client.send(put("silent", 1000));
      client.send("the beginning");
      Eventually.holds("it is staged", () -> staged(storage.open()) == 1);

      assertThat(isEnded(client)).isTrue();
      Eventually.holds("nothing is left", () -> staged(storage.open()) == 0);
      assertThat(storage.open().resolve("silent")).doesNotExist();
    }
    othersAreServed(1);
  }

  @Test
  void uploadThatIsHalfClosedIsNoWholeFile() throws IOException {
    for (String head :
        List.of(
            put("half", 1000),
            "PUT /open/half HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "100\r\n")) {
      try (RawClient client = connect()) {
        client.send(head);
        client.send("the beginning");
        Eventually.holds("it is staged", () -> staged(storage.open()) == 1);
        client.socket().shutdownOutput();

        assertThat(isEnded(client)).isTrue();
        Eventually.holds("nothing is left", () -> staged(storage.open()) == 0);
        assertThat(storage.open().resolve("half")).doesNotExist();
      }
    }
  }

  @Test
  void copyWhoseClientHalfClosesIsCancelled() throws IOException {
    try (HeldSource source = new HeldSource(storage.authority(), 1 << 20, true);
        RawClient client = connect()) {
      client.send(
          "COPY /data/half HTTP/1.1\r\nHost: localhost\r\nCredential: none\r\nSource: "
              + source.url("/file")
              + "\r\nAuthorization: Bearer "
              + storage.token()
              + "\r\n\r\n");
      assertThat(client.readHead()).startsWith("HTTP/1.1 202 ");
      Eventually.holds("bytes are staged", () -> staged(storage.data()) == 1);
      client.socket().shutdownOutput();

      Eventually.holds("it is cleaned up", () -> staged(storage.data()) == 0);
      Eventually.holds("it is over", () -> metric("staithe_copies_running ").equals("0.0"));
      assertThat(storage.data().resolve("half")).doesNotExist();
    }
  }

  @Test
  void downloadThatIsNeverReadIsEndedAndDelaysNobody() throws IOException {
    long size = 64 << 20;
    Sample.write(storage.open().resolve("unread"), 2, size);
    try (RawClient client = connect()) {
      client.send("GET /open/unread HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.readHead()).startsWith("HTTP/1.1 200 ");
      othersAreServed(2);
      Eventually.holds("the server gives up", () -> ended("/open/unread"));

      long[] got = new long[1];
      Throwable broken = catchThrowable(() -> got[0] = client.readToEnd().length);
      assertThat(broken != null || got[0] < size).isTrue();
    }
  }

  /** Whether the server holds the file open no more; the server is this process. */
  private static boolean ended(String path) {
    Path file = storage.open().resolve(path.substring("/open/".length()));
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.noneMatch(
          fd -> {
            try {
              return Files.readSymbolicLink(fd).equals(file.toRealPath());
            } catch (IOException closed) {
              return false;
            }
          });
    } catch (IOException e) {
      return false;
    }
  }

  private static String metric(String name) {
    return storage
        .curl("/.staithe/metrics")
        .run()
        .text()
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()))
        .findFirst()
        .orElse("");
  }

  @Test
  void headsThatNeverEndAreEndedAndDelayNobody() throws IOException {
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        RawClient client = connect();
        clients.add(client);
        try {
          client.send("GET /open/others HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
        } catch (IOException endedBefore) {
          // this machine was slower than the limit
        }
      }
      othersAreServed(2);
      for (RawClient client : clients) {
        assertThat(isEnded(client)).isTrue();
      }
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
    Trials.held(clients.size());
  }

  @Test
  void connectionsBeyondTheLimitWaitUntilOneIsFree() throws IOException {
    try (RunningStorage narrow =
        RunningStorage.start(
            folder.resolve("narrow"),
            Map.of("staithe.limits.connections", 5, "staithe.limits.idle-timeout", "3s"))) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        clients.add(RawClient.to(narrow.port(), narrow.authority()));
      }
      // Waits, is not refused: the idle ones are ended by their time limit.
      assertThat(narrow.curl("/open/").run().status()).isEqualTo(200);
      for (RawClient client : clients) {
        client.close();
      }
    }
  }
}
