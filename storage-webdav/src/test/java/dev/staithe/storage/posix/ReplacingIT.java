package dev.staithe.storage.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.BoundFileSystem;
import dev.staithe.storage.RunningStorage;
import dev.staithe.storage.linux.LinuxFiles;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collections that are replaced while a second client writes to their name: where the file system
 * exchanges two names in one step, and where it cannot, as FUSE file systems (this is bindfs).
 */
final class ReplacingIT {
  private static final int ROUNDS = 10;
  private static final int MEMBERS = 20;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void secondClientThatWritesMeanwhileLosesNothingAndNothingOfTheCollectionIsLost(String method)
      throws Exception {
    replacedWhileAnotherWrites(method);
  }

  @ParameterizedTest
  @ValueSource(strings = {"COPY", "MOVE"})
  void sameWhereTheFileSystemCannotExchangeNames(String method) throws Exception {
    assumeTrue(BoundFileSystem.obstacle().isEmpty(), BoundFileSystem.obstacle());
    try (BoundFileSystem open =
        BoundFileSystem.mount(folder.resolve("behind"), folder.resolve("storage/open"))) {
      Path one = Files.createDirectory(open.at().resolve("one"));
      Path other = Files.createDirectory(open.at().resolve("other"));
      assertThat(LinuxFiles.rename(one, other, LinuxFiles.Naming.EXCHANGE)).isFalse();
      replacedWhileAnotherWrites(method);
    }
  }

  private void replacedWhileAnotherWrites(String method) throws Exception {
    try (RunningStorage storage = RunningStorage.start(folder.resolve("storage"), Map.of());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicBoolean done = new AtomicBoolean();
      AtomicInteger written = new AtomicInteger();
      Future<?> writer =
          threads.submit(
              () -> {
                while (!done.get()) {
                  assertThat(storage.curl("/open/target/").method("MKCOL").run().status())
                      .isIn(201, 405);
                  assertThat(put(storage, "target/own" + written.get() % 5)).isIn(201, 204);
                  written.incrementAndGet();
                }
              });
      try {
        for (int round = 0; round < ROUNDS; round++) {
          String source = "source" + round;
          Path tree = Files.createDirectory(storage.open().resolve(source));
          for (int i = 0; i < MEMBERS; i++) {
            Files.writeString(tree.resolve("m" + i), source);
          }
          assertThat(
                  storage
                      .curl("/open/" + source + "/")
                      .method(method)
                      .header("Destination", storage.url("/open/target/"))
                      .run()
                      .status())
              .isIn(201, 204);
          for (int i = 0; i < MEMBERS; i++) {
            assertThat(storage.open().resolve("target/m" + i)).hasContent(source);
          }
          assertThat(tree.toFile().exists()).isEqualTo(method.equals("COPY"));
          // What is written to the name after it was replaced is there.
          assertThat(put(storage, "target/after")).isEqualTo(201);
          assertThat(storage.open().resolve("target/after")).hasContent("another's");
        }
      } finally {
        done.set(true);
      }
      writer.get();
      assertThat(written.get()).isPositive();
      Eventually.holds("nothing is left of what was replaced", () -> staged(storage).isEmpty());
      Trials.held(ROUNDS + written.get());
    }
  }

  private static int put(RunningStorage storage, String name) {
    return storage.curl("/open/" + name).method("PUT").body("another's").run().status();
  }

  /** What is left of trees on their way. */
  private static List<Path> staged(RunningStorage storage) {
    try (Stream<Path> all = Files.walk(storage.open().resolve(".staithe/stage"))) {
      return all.filter(Files::isRegularFile).filter(file -> !file.endsWith("lock")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nobody is held off a folder by this server's locks who writes to it on the machine. */
  @Test
  void nameThatALocalUserTakesMeanwhileLeavesTheOldCollectionToBePutBack() throws Exception {
    assumeTrue(BoundFileSystem.obstacle().isEmpty(), BoundFileSystem.obstacle());
    try (BoundFileSystem _ =
        BoundFileSystem.mount(folder.resolve("behind"), folder.resolve("storage/open"))) {
      AtomicInteger refused = new AtomicInteger();
      AtomicBoolean done = new AtomicBoolean();
      try (RunningStorage storage = RunningStorage.start(folder.resolve("storage"), Map.of());
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Path target = Files.createDirectory(storage.open().resolve("target"));
        Path source = Files.createDirectory(storage.open().resolve("source"));
        Files.writeString(source.resolve("new"), "new");
        Future<?> local = threads.submit(() -> takeAgainAndAgain(target, done));
        try {
          for (int round = 0; round < 50; round++) {
            int status =
                storage
                    .curl("/open/source/")
                    .method("COPY")
                    .header("Destination", storage.url("/open/target/"))
                    .run()
                    .status();
            assertThat(status).isIn(204, 409, 412);
            // Either the new tree or one that the local user makes: never none.
            String member = status < 300 ? "new" : "local";
            Eventually.holds(member + " is there", () -> Files.exists(target.resolve(member)));
            if (status >= 300) {
              refused.incrementAndGet();
            }
            Trials.held();
          }
        } finally {
          done.set(true);
        }
        local.get();
        try (Stream<Path> all = Files.walk(storage.open().resolve(".staithe/stage"))) {
          assertThat(all.filter(path -> path.endsWith("tree")).count())
              .as("collections that lost their names are kept")
              .isEqualTo(refused.get());
        }
      }
    }
  }

  private static void takeAgainAndAgain(Path name, AtomicBoolean done) {
    while (!done.get()) {
      try {
        Files.createDirectory(name);
        Files.writeString(name.resolve("local"), "local");
      } catch (IOException there) {
        Thread.onSpinWait();
      }
    }
  }
}
