package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.LoopedFileSystem;
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
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cuts the power at random moments of a mixed load: uploads, replacements, uploads in parts that go
 * on between other changes, moves, copies of files and trees, removals and locks. What is on the
 * device at that moment is mounted and compared with what had been acknowledged, of uploads that
 * are not complete too. {@code -Dcuts=1000} cuts more often.
 *
 * <p>The server is stopped, not ended, while the device is copied: else the copy would be of many
 * moments. What the kernel has under way at that moment ends before.
 */
class PowerCutIT {
  private static final int CUTS = Integer.getInteger("cuts", 50);
  private static final int WORKERS = 4;
  private static final int MEGABYTES = 96;

  /** A name may take so long to be on the device, where names are not waited for. */
  private static final long JOURNAL_NANOS = 8_000_000_000L;

  @TempDir Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;

  @BeforeEach
  void prepare() {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttps(authority, Clock.systemUTC());
  }

  @AfterEach
  void finish() {
    if (issuer != null) {
      issuer.close();
    }
  }

  /** What is waited for before a change is acknowledged. */
  enum Mode {
    ALL,
    DATA
  }

  @ParameterizedTest
  @EnumSource
  void whatWasAcknowledgedIsThereWholeAfterAPowerCut(Mode mode)
      throws IOException, InterruptedException {
    int cuts = mode == Mode.ALL ? (CUTS + 1) / 2 : CUTS / 2;
    int acknowledged =
        underLoad(
            mode.name(),
            (disk, storage, workers, random) -> {
              for (int cut = 0; cut < cuts; cut++) {
                Thread.sleep(random.nextInt(20, 150)); // a random moment is what is wanted
                cut(disk, storage, workers, mode, cut);
                Trials.held();
              }
            });
    assertThat(acknowledged).as("changes that were acknowledged").isGreaterThan(cuts);
  }

  /** Else this would show nothing. */
  @Test
  void whereNothingIsWaitedForLossesAreSeen() throws IOException, InterruptedException {
    List<String> losses = new ArrayList<>();
    underLoad(
        "none",
        (disk, storage, workers, random) -> {
          for (int cut = 0; cut < 100 && losses.isEmpty(); cut++) {
            Thread.sleep(random.nextInt(20, 150)); // a random moment is what is wanted
            try {
              cut(disk, storage, workers, Mode.DATA, cut);
            } catch (AssertionError loss) {
              // Locks are lost at once; files are what is to be seen.
              if (String.valueOf(loss.getMessage()).contains(" has after ")) {
                losses.add(loss.getMessage());
              }
              Files.deleteIfExists(folder.resolve("image"));
            }
          }
        });
    assertThat(losses).singleElement().asString().contains("sync: DATA");
  }

  /** What is done while clients change files. */
  private interface Attack {
    void run(
        LoopedFileSystem disk, StorageProcess storage, List<PowerCutWorker> workers, Random random)
        throws IOException, InterruptedException;
  }

  /** How many changes were acknowledged meanwhile. */
  private int underLoad(String sync, Attack attack) throws IOException, InterruptedException {
    try (LoopedFileSystem disk =
            LoopedFileSystem.make(folder.resolve("disk"), folder.resolve("s/open"), MEGABYTES);
        StorageProcess storage =
            StorageProcess.start(
                folder.resolve("s"),
                authority,
                issuer,
                Map.of("staithe.areas[1].sync", sync.toLowerCase(Locale.ROOT)))) {
      List<PowerCutWorker> workers = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        workers.add(PowerCutWorker.start(authority, storage.url("/open/"), "w" + i, i));
      }
      try {
        attack.run(disk, storage, workers, new Random(7));
      } finally {
        workers.forEach(PowerCutWorker::stop);
      }
      for (PowerCutWorker worker : workers) {
        worker.join();
        assertThat(worker.unexpected()).isEmpty();
      }
      return workers.stream().mapToInt(PowerCutWorker::acknowledged).sum();
    }
  }

  private void cut(
      LoopedFileSystem disk,
      StorageProcess storage,
      List<PowerCutWorker> workers,
      Mode mode,
      int cut)
      throws IOException, InterruptedException {
    Path image = folder.resolve("image");
    List<PowerCutWorker.Allowed> allowed = new ArrayList<>();
    signal(storage, "-STOP");
    try {
      // The signal is sent when kill ends; on busy cores threads go on for a while.
      Eventually.holds("the server stands", () -> HeldAt.stands(storage.process().pid()));
      for (PowerCutWorker worker : workers) {
        allowed.add(worker.allowed(mode == Mode.ALL ? 0 : JOURNAL_NANOS));
      }
      disk.copy(image);
    } finally {
      signal(storage, "-CONT");
    }
    Path mounted = folder.resolve("mounted");
    try (LoopedFileSystem _ = LoopedFileSystem.mount(image, mounted)) {
      for (PowerCutWorker.Allowed each : allowed) {
        each.check(mounted, "cut " + cut + ", sync: " + mode);
      }
    }
    Files.delete(image);
  }

  private static void signal(StorageProcess storage, String signal)
      throws IOException, InterruptedException {
    assertThat(
            new ProcessBuilder("kill", signal, Long.toString(storage.process().pid()))
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
  }

  @Test
  void areaWhoseFileSystemTakesNoChangeSaysSo() throws IOException {
    try (LoopedFileSystem disk =
            LoopedFileSystem.make(folder.resolve("disk"), folder.resolve("s/open"), MEGABYTES);
        RunningStorage storage = RunningStorage.start(folder.resolve("s"), Map.of())) {
      Files.writeString(storage.open().resolve("kept"), "kept");
      String held =
          storage
              .curl("/open/held")
              .method("LOCK")
              .body(PowerCutWorker.LOCK)
              .run()
              .header("Lock-Token")
              .orElseThrow();
      String begun =
          storage
              .curl("/open/begun")
              .method("PUT")
              .header("Upload-Complete", "?0")
              .body("x")
              .run()
              .header("Location")
              .orElseThrow();
      disk.fail();
      for (var refused :
          List.of(
              storage.curl("/open/little").method("PUT").body("x"),
              storage.curl("/open/folder/").method("MKCOL"),
              storage.curl("/open/kept").method("DELETE"),
              storage
                  .curl("/open/kept")
                  .method("COPY")
                  .header("Destination", storage.url("/open/copy")),
              storage
                  .curl("/open/kept")
                  .method("MOVE")
                  .header("Destination", storage.url("/open/copy")),
              storage.curl("/open/parts").method("PUT").header("Upload-Complete", "?0").body("x"),
              storage.curl("/open/kept").method("LOCK").body(PowerCutWorker.LOCK),
              storage.curl("/open/held").method("UNLOCK").header("Lock-Token", held),
              storage
                  .curl("/open/kept")
                  .method("PROPPATCH")
                  .body(
                      """
                      <D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x xmlns="urn:x">1</x></D:prop>
                      </D:set></D:propertyupdate>"""),
              storage
                  .curl(begun)
                  .method("PATCH")
                  .header("Content-Type", "application/partial-upload")
                  .header("Upload-Offset", "1")
                  .header("Upload-Complete", "?1")
                  .body("yz"))) {
        var answer = refused.run();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
        assertThat(answer.text()).contains("cannot be written").doesNotContain(folder.toString());
        Trials.held();
      }
      assertThat(storage.curl("/open/kept").run().text()).isEqualTo("kept");
      assertThat(storage.curl("/.staithe/health").run().status()).isEqualTo(503);
    }
  }
}
