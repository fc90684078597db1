package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills server or client in the middle of their work. Whatever name a file has, it is whole; what
 * was acknowledged is there; what was not is there whole or not at all. {@code -Dstaithe.long=true}
 * kills more often.
 */
class KillIT {
  private static final int ROUNDS = Boolean.getBoolean("staithe.long") ? 20 : 3;

  @TempDir Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;
  private KilledCrowd crowd;

  @BeforeEach
  void prepare() {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
    crowd = new KilledCrowd(authority, issuer);
  }

  @AfterEach
  void finish() {
    issuer.close();
  }

  private StorageProcess start(String name) throws IOException {
    return start(name, Map.of());
  }

  private StorageProcess start(String name, Map<String, Object> settings) throws IOException {
    return StorageProcess.start(folder.resolve(name), authority, issuer, settings);
  }

  @Test
  void afterKillNineNothingPartialIsVisibleAndAllThatWasAcknowledgedIsWhole()
      throws IOException, InterruptedException {
    Path data = folder.resolve("target/data");
    try (RunningStorage source =
        RunningStorage.start(folder.resolve("source"), authority, issuer, Map.of())) {
      crowd.sources(source);
      int struck = 0;
      for (int round = 0; round < ROUNDS; round++) {
        // The start sweeps what the last round left.
        try (StorageProcess target = start("target")) {
          crowd.onlyWholeFiles(data);
          nothingIsStaged(data);
          crowd.workUntilKilled(source, round, 0, () -> !staged(data).isEmpty(), target);
        }
        struck += staged(data).size();
      }
      try (StorageProcess target = start("target")) {
        crowd.onlyWholeFiles(data);
        nothingIsStaged(data);
        crowd.isServedBy(target);
      }
      assertThat(struck).as("files that were under way when the server was killed").isPositive();
      Trials.held(struck);
    }
  }

  @Test
  void whenBothServersOfOneFolderAreKilledNothingPartialIsVisibleAndNothingStaysBehind()
      throws IOException, InterruptedException {
    Path data = folder.resolve("target/data");
    Map<String, Object> shared =
        Map.of("staithe.areas[0].shared", true, "staithe.areas[1].shared", true);
    try (RunningStorage source =
        RunningStorage.start(folder.resolve("source"), authority, issuer, Map.of())) {
      crowd.sources(source);
      int struck = 0;
      for (int round = 0; round < ROUNDS / 3; round++) {
        try (StorageProcess one = start("target", shared);
            StorageProcess other = start("target", shared)) {
          crowd.workUntilKilled(source, round, 0, () -> staged(data).size() > 1, one, other);
        }
        struck += staged(data).size();
        crowd.onlyWholeFiles(data);
      }
      try (StorageProcess target = start("target", shared)) {
        crowd.onlyWholeFiles(data);
        nothingIsStaged(data);
        crowd.isServedBy(target);
      }
      assertThat(struck).as("files that were under way when both were killed").isPositive();
      Trials.held(struck);
    }
  }

  private static Set<String> staged(Path area) {
    try (Stream<Path> all = Files.walk(area.resolve(".staithe/stage"))) {
      return all.filter(Files::isRegularFile)
          .map(p -> p.getFileName().toString())
          .filter(name -> !name.equals("lock") && !name.equals("shared"))
          .collect(Collectors.toSet());
    } catch (IOException | java.io.UncheckedIOException changing) {
      return Set.of("changing");
    }
  }

  private static void nothingIsStaged(Path area) throws IOException {
    assertThat(staged(area)).isEmpty();
    try (Stream<Path> stages = Files.list(area.resolve(".staithe/stage"))) {
      assertThat(stages).as("stage folders of processes that are gone").hasSize(1);
    }
  }

  @Test
  void whenTheClientIsKilledNothingOfItsUploadsIsLeft() throws IOException {
    Path large = folder.resolve("large");
    Sample.write(large, 1, 30 << 20);
    try (RunningStorage storage = RunningStorage.start(folder.resolve("target"), Map.of())) {
      Files.write(storage.open().resolve("kept-0"), Sample.bytes(2, 1000));
      List<ManagedProcess> clients = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        clients.add(
            ManagedProcess.start(
                List.of(
                    "curl",
                    "-q",
                    "--silent",
                    "--limit-rate",
                    "2M",
                    "--cacert",
                    authority(storage),
                    i % 2 == 0 ? "--upload-file" : "--header",
                    i % 2 == 0 ? large.toString() : "Transfer-Encoding: chunked",
                    i % 2 == 0 ? "--fail" : "--upload-file",
                    i % 2 == 0 ? "--show-error" : large.toString(),
                    storage.url("/open/kept-" + i)),
                Map.of(),
                folder.resolve("client.log")));
      }
      Eventually.holds("all are under way", () -> staged(storage.open()).size() == 10);
      clients.forEach(ManagedProcess::kill);

      Eventually.holds("what they left is removed", () -> staged(storage.open()).isEmpty());
      clients.forEach(ManagedProcess::close);
      assertThat(storage.open().resolve("kept-0")).hasBinaryContent(Sample.bytes(2, 1000));
      try (Stream<Path> files = Files.list(storage.open())) {
        assertThat(files.filter(Files::isRegularFile)).hasSize(1);
      }
    }
  }

  private static String authority(RunningStorage storage) {
    return storage.authority().certificateFile().toString();
  }

  @Test
  void whenTheOrchestratorGoesAwayTheCopyStopsOnBothEnds()
      throws IOException, InterruptedException {
    try (RunningStorage storage = RunningStorage.start(folder.resolve("target"), Map.of());
        HeldSource source = new HeldSource(storage.authority(), 10 << 20, true)) {
      List<Thread> threads = new ArrayList<>();
      try (Client client = new Client(storage.authority(), storage.token())) {
        for (int i = 0; i < 5; i++) {
          String name = "/data/f" + i;
          threads.add(
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          client.pull(storage.url(name), source.url("/f"));
                        } catch (IOException brokenOff) {
                          // as wanted
                        }
                      }));
        }
        Eventually.holds("all are under way", () -> source.begun() == 5);
        Eventually.holds("all are staged", () -> staged(storage.data()).size() == 5);
      }
      for (Thread thread : threads) {
        thread.join();
      }

      Eventually.holds("what was staged is removed", () -> staged(storage.data()).isEmpty());
      try (Stream<Path> files = Files.list(storage.data())) {
        assertThat(files.filter(Files::isRegularFile)).isEmpty();
      }
      assertThat(storage.curl("/.staithe/metrics").run().text())
          .contains("staithe_copies_running 0.0");
    }
  }
}
