package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.XrootdServer;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The other end of a copy is killed in its middle: no partial file here, and a clear last line. */
class RemoteDiesIT {
  /** More than is copied in the time that a kill takes; XRootD reads it before for its checksum. */
  private static final long LONG = 3L << 29;

  @TempDir Path folder;

  private static void sparse(Path file) throws IOException {
    try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
      made.setLength(LONG);
    }
  }

  /** Bytes of the files that are not finished. */
  private static long staged(Path area) {
    try (Stream<Path> all = Files.walk(area.resolve(".staithe/stage"))) {
      long bytes = 0;
      for (Path file : all.filter(Files::isRegularFile).filter(p -> !p.endsWith("lock")).toList()) {
        bytes += 1 + Files.size(file);
      }
      return bytes;
    } catch (IOException | java.io.UncheckedIOException changing) {
      return -1;
    }
  }

  private static void failed(Client.Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(202);
    assertThat(answer.text().lines().toList().getLast())
        .startsWith("failure: ")
        .doesNotContain("Exception");
  }

  /** What the client has of an answer that was perhaps broken off. */
  private static String textOf(Future<Client.Answer> copy) throws InterruptedException {
    try {
      return copy.get().text();
    } catch (ExecutionException brokenOff) {
      return "";
    }
  }

  @Test
  void sourceOfAPullDies() throws Exception {
    try (RunningStorage ours = RunningStorage.start(folder, Map.of());
        XrootdServer xrootd = XrootdServer.start(ours.authority().server());
        Client client = new Client(ours.authority(), ours.token());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      sparse(xrootd.dataFolder().resolve("long"));
      Future<Client.Answer> copy =
          threads.submit(() -> client.pull(ours.url("/data/pulled"), xrootd.url("/long")));
      Eventually.holds("bytes arrive", () -> staged(ours.data()) > 1 << 20);
      xrootd.kill();

      failed(copy.get());
      assertThat(ours.data().resolve("pulled")).doesNotExist();
      Eventually.holds("nothing is left", () -> staged(ours.data()) == 0);
    }
  }

  @Test
  void destinationOfAPushDies() throws Exception {
    try (RunningStorage ours = RunningStorage.start(folder, Map.of());
        XrootdServer xrootd = XrootdServer.start(ours.authority().server());
        Client client = new Client(ours.authority(), ours.token());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      sparse(ours.data().resolve("long"));
      Future<Client.Answer> copy =
          threads.submit(() -> client.push(ours.url("/data/long"), xrootd.url("/pushed")));
      Path pushed = xrootd.dataFolder().resolve("pushed");
      Eventually.holds("bytes arrive", () -> pushed.toFile().length() > 1 << 20);
      xrootd.kill();

      failed(copy.get());
      assertThat(ours.data().resolve("long")).hasSize(LONG);
    }
  }

  @Test
  void activePartyOfPushesDies() throws Exception {
    try (RunningStorage passive = RunningStorage.start(folder.resolve("passive"), Map.of())) {
      ThrowAwayAuthority authority = passive.authority();
      try (StorageProcess active =
              StorageProcess.start(
                  folder.resolve("active"), authority, passive.issuer(), Map.of());
          Client client = new Client(authority, passive.token());
          ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        sparse(folder.resolve("active/data/long"));
        Files.write(passive.data().resolve("kept-0"), Sample.bytes(1, 1000));
        List<Future<Client.Answer>> copies = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          String name = "kept-" + i;
          copies.add(
              threads.submit(
                  () -> client.push(active.url("/data/long"), passive.url("/data/" + name))));
        }
        Eventually.holds("bytes arrive", () -> staged(passive.data()) > 1 << 20);
        active.process().kill();

        for (Future<Client.Answer> copy : copies) {
          assertThat(textOf(copy)).doesNotContain("success");
        }
        Eventually.holds("nothing is left", () -> staged(passive.data()) == 0);
        assertThat(passive.data().resolve("kept-0")).hasBinaryContent(Sample.bytes(1, 1000));
        assertThat(passive.data().resolve("kept-1")).doesNotExist();
      }
    }
  }
}
