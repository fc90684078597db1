package dev.staithe.storage.posix;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.NoSpaceException;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.Sync;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the files of an area take, whatever is done to them. */
class AreaUsageTests {
  private static final FileStore.Replace ANY = FileStore.Replace.ALLOWED;

  @TempDir private Path area;

  private FileStore open(long quota) throws IOException {
    return PosixStore.open(area, new PosixStore.Settings(Sync.NONE, true, 0, 100, false, quota));
  }

  private static void takes(FileStore store, long bytes, long files) throws IOException {
    assertThat(store.room().used()).isEqualTo(bytes);
    assertThat(store.room().files()).isEqualTo(files);
  }

  @Test
  void everyChangeOfANameIsCounted() throws IOException {
    try (FileStore store = open(Long.MAX_VALUE)) {
      put(store, "/a/one", "12345");
      takes(store, 5, 1);
      put(store, "/a/one", "123");
      takes(store, 3, 1);
      put(store, "/a/b/two", "1234567");
      takes(store, 10, 2);
      done(store.copy("ada", path("/a"), path("/c"), true, ANY));
      takes(store, 20, 4);
      done(store.copy("ada", path("/c/one"), path("/a/b/two"), true, ANY));
      takes(store, 16, 4);
      done(store.move(path("/a/one"), path("/c/one"), ANY));
      takes(store, 13, 3);
      done(store.move(path("/a"), path("/c"), ANY));
      takes(store, 3, 1);
      try (Upload part = done(store.stage(null, path("/c/b/two"), 4, Set.of()))) {
        part.append(ByteBuffer.wrap(new byte[4]));
        done(part.commitRange(2, ANY));
      }
      takes(store, 6, 1);
      assertThat(store.recount()).isEmpty();
      done(store.delete(path("/c"), ANY));
      takes(store, 0, 0);
    }
  }

  /** The same, a thousand times by lot: what is counted is what is there. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whateverIsDoneTheCountIsThatOfAScan(long seed) throws IOException {
    Random lot = new Random(seed);
    try (FileStore store = open(Long.MAX_VALUE)) {
      for (int i = 0; i < 300; i++) {
        StoragePath one = path("/" + lot.nextInt(3) + "/" + lot.nextInt(3));
        StoragePath other =
            path("/" + lot.nextInt(3) + (lot.nextBoolean() ? "" : "/" + lot.nextInt(3)));
        switch (lot.nextInt(5)) {
          case 0, 1 -> put(store, one.toString(), "x".repeat(lot.nextInt(50)), ANY);
          case 2 -> store.delete(lot.nextInt(4) == 0 ? one.parent() : one, ANY);
          case 3 -> store.move(one, other, ANY);
          default -> store.copy("ada", one, other, true, ANY);
        }
        AreaUsage.Count there = TreeSize.of(area, area.resolve(".staithe")).count();
        takes(store, there.used(), there.files());
        Trials.held();
      }
    }
  }

  /** A server that was killed has not told what it had counted. */
  @Test
  void afterAKillACountPutsItRight() throws IOException {
    try (FileStore store = open(1000)) {
      put(store, "/a", "12345");
    }
    FileStore killed = open(1000);
    put(killed, "/b", "1234567");
    try (FileStore next = open(1000)) {
      takes(next, 5, 1);
      assertThat(next.recount()).contains(7L);
      takes(next, 12, 2);
      assertThat(next.room().available()).isEqualTo(988);
    }
    killed.close();
  }

  /** As collections are that MOVE has put into one another. */
  @Test
  void whatLiesDeeperThanAnyPathStaysCounted() throws IOException {
    try (FileStore store = open(1000)) {
      done(store.makeCollection(path("/tree"), ANY));
      put(store, "/tree/file", "12345");
      Path tree = area.resolve("tree");
      for (int i = 0; i < 3; i++) {
        Path around = area.resolve("around" + i);
        Path bottom = Files.createDirectories(around.resolve("d/".repeat(1000)));
        Files.move(tree, bottom.resolve("d"));
        tree = around;
      }
      assertThat(store.recount()).isEmpty();
      takes(store, 5, 1);
      done(store.delete(path("/around2"), ANY));
      assertThat(store.recount()).contains(-5L);
    }
  }

  @Test
  void ofAnAreaThatHasFilesTheQuotaIsKnownAtTheFirstStart() throws IOException {
    Files.write(area.resolve("there"), new byte[900]);
    try (FileStore store = open(1000)) {
      assertThat(refusal(store.stage("ada", path("/a"), 101, Set.of())))
          .isEqualTo(Refusal.NO_SPACE);
      done(store.stage("ada", path("/a"), 100, Set.of())).close();
    }
  }

  /** A file that has its blocks before its bytes is as large as it was announced, and no larger. */
  @Test
  void uploadOfAKnownLengthIsCountedOnceWhileItsBytesCome() throws IOException {
    ByteBuffer some = ByteBuffer.allocate(1 << 20);
    try (FileStore store = open(12 << 20)) {
      try (Upload upload = done(store.stage("ada", path("/a"), 10 << 20, Set.of()))) {
        for (int i = 0; i < 10; i++) {
          upload.append(some.clear());
          assertThat(store.room().staged()).isEqualTo(10 << 20);
        }
        assertThat(store.room().available()).isEqualTo(2 << 20);
        assertThat(store.room().announced()).isZero();
        done(upload.commit(ANY));
      }
      takes(store, 10 << 20, 1);
      assertThat(store.room().staged()).isZero();
      assertThat(store.room().announced()).isZero();
    }
  }

  @Test
  void stripesOfAKnownLengthAreCountedOnceAndWhatComesBeyondItIsCountedToo() throws Exception {
    ByteBuffer beyond = ByteBuffer.allocate(1 << 20);
    try (FileStore store = open(11 << 20);
        var threads = Executors.newFixedThreadPool(2);
        Upload upload = done(store.stage("ada", path("/a"), 10 << 20, Set.of()))) {
      Upload.Stripe first = upload.stripe(0);
      Upload.Stripe second = upload.stripe(5 << 20);
      var both =
          threads.invokeAll(
              Stream.of(first, second)
                  .<Callable<Long>>map(stripe -> () -> fiveMegabytes(stripe))
                  .toList());
      assertThat(both.stream().map(Future::resultNow)).containsOnly(5L << 20);
      assertThat(store.room().staged()).isEqualTo(10 << 20);
      assertThat(store.room().announced()).isZero();

      second.append(beyond.clear());
      assertThat(store.room().staged()).isEqualTo(11 << 20);
      assertThat(store.room().announced()).isZero();
      assertThatThrownBy(() -> second.append(beyond.clear())).isInstanceOf(NoSpaceException.class);
    }
  }

  private static long fiveMegabytes(Upload.Stripe stripe) throws IOException {
    ByteBuffer some = ByteBuffer.allocate(1 << 18);
    while (stripe.written() < 5 << 20) {
      stripe.append(some.clear());
    }
    return stripe.written();
  }

  /** Announced or not, by many at once: what is there afterwards is no more than the quota. */
  @ParameterizedTest
  @ValueSource(ints = {1000, -1})
  void aHardQuotaIsNotOverrunByManyAtOnce(int announced) throws Exception {
    try (FileStore store = open(10_000);
        var threads = Executors.newFixedThreadPool(16)) {
      var all =
          threads.invokeAll(
              IntStream.range(0, 200)
                  .<Callable<Boolean>>mapToObj(i -> () -> stored(store, "/" + i, announced))
                  .toList());
      assertThat(all.stream().map(Future::resultNow).filter(stored -> stored)).hasSize(10);
      takes(store, 10_000, 10);
      assertThat(store.room().available()).isZero();
      Trials.held();
    }
  }

  /**
   * What is counted for a file beside what the same thread does to store it, which is less than
   * what a PUT takes. Processor time, not that of a clock.
   */
  @Test
  void countingAFileIsASmallPartOfStoringIt() throws IOException {
    ThreadMXBean time = ManagementFactory.getThreadMXBean();
    String content = "x".repeat(1024);
    try (FileStore store = open(1 << 30)) {
      AreaUsage usage = new AreaUsage(1 << 30, new AreaUsage.Count(0, 0));
      long counting = Long.MAX_VALUE;
      long storing = Long.MAX_VALUE;
      boolean kept = true;
      for (int round = 0; round < 10; round++) {
        long before = time.getCurrentThreadCpuTime();
        for (int i = 0; i < 1000; i++) {
          put(store, "/" + round + "-" + i, content);
        }
        long between = time.getCurrentThreadCpuTime();
        // All that Space and Publication ask of it for one, twice.
        for (int i = 0; i < 2000; i++) {
          kept &= usage.left() > 0 && usage.reserve(1024);
          usage.hold(0);
          usage.hold(-1024);
          usage.hold(0);
          usage.add(1024, 1);
        }
        storing = Math.min(storing, between - before);
        counting = Math.min(counting, time.getCurrentThreadCpuTime() - between);
      }
      assertThat(kept).isTrue();
      assertThat(counting).as("ns, where storing took %d", storing).isLessThan(storing / 50);
    }
  }

  private static boolean stored(FileStore store, String name, int announced) throws IOException {
    while (true) {
      if (!(store.stage("c" + name, path(name), announced, Set.of())
          instanceof Outcome.Done<Upload>(Upload upload))) {
        return false;
      }
      try (upload) {
        upload.append(ByteBuffer.wrap(new byte[1000]));
        return upload.commit(ANY) instanceof Outcome.Done;
      } catch (NoSpaceException full) {
        // Another may have had the room for a moment and given it back: until none is left.
        if (store.room().used() + 1000 > 10_000) {
          return false;
        }
      }
    }
  }
}
