package dev.staithe.storage.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.ReadAhead;
import dev.staithe.storage.state.Sync;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the kernel's page cache before anybody has read it. */
class ReadAheadTests {
  private static final long MIB = 1 << 20;
  private static final long SIZE = 16 * MIB;

  @TempDir private Path area;
  private Path file;

  @BeforeEach
  void nothingOfTheFileIsInTheCache() throws IOException, InterruptedException {
    file = area.resolve("file");
    byte[] content = new byte[(int) SIZE];
    new Random(1).nextBytes(content);
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap(content));
      out.force(true);
    }
    new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
        .inheritIO()
        .start()
        .waitFor();
    assumeFalse(cached(0), "a file system that keeps all files in memory");
  }

  @Test
  void asMuchAsTheAreaSaysIsFetchedBeforeItIsReadAndMoreOnceHalfOfItWas() throws IOException {
    try (PosixStore store = store(4 * MIB);
        OpenFile open = open(store)) {
      open.expect(0, SIZE);
      Eventually.holds(
          "what is read next is in the cache",
          () -> cached(0) && cached(2 * MIB) && cached(4 * MIB - (128 << 10)));
      assertThat(cached(4 * MIB + (512 << 10))).as("beyond the window").isFalse();

      open.read(ByteBuffer.allocateDirect(4096), 2 * MIB);
      Eventually.holds("what is read next is in the cache", () -> cached(5 * MIB));
      assertThat(cached(12 * MIB)).isFalse();
    }
  }

  @Test
  void nothingIsAskedForBeyondTheEndOfARangeNorWhereTheAreaAsksForNothing() throws IOException {
    try (PosixStore store = store(0);
        OpenFile open = open(store)) {
      open.expect(0, SIZE);
      assertThat(cached(0)).isFalse();
    }
    try (PosixStore store = store(4 * MIB);
        OpenFile open = open(store)) {
      open.expect(8 * MIB, 9 * MIB);
      Eventually.holds(
          "what is read next is in the cache",
          () -> cached(8 * MIB) && cached(9 * MIB - (128 << 10)));
      assertThat(cached(10 * MIB)).isFalse();
      assertThat(cached(0)).isFalse();
    }
  }

  /** What another program puts in the file's place between two looks. */
  @Test
  void linkIsNotFollowedAndAPipeNotWaitedFor() throws Exception {
    Path link = Files.createSymbolicLink(area.resolve("link"), file);
    assertThat(ReadAhead.of(link, 4 * MIB)).isNull();

    Path pipe = area.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    CompletableFuture<Void> opened =
        CompletableFuture.runAsync(
            () -> {
              ReadAhead ahead = ReadAhead.of(pipe, 4 * MIB);
              if (ahead != null) {
                ahead.close();
              }
            },
            task -> Thread.ofPlatform().daemon().start(task));
    Eventually.holds("it is opened though nobody writes", opened::isDone);
  }

  private PosixStore store(long readAhead) throws IOException {
    return PosixStore.open(
        area,
        new PosixStore.Settings(
            Sync.NONE, true, 0, 100, false, Long.MAX_VALUE, Residence.DISK, false, readAhead));
  }

  private static OpenFile open(PosixStore store) throws IOException {
    return ((Outcome.Done<OpenFile>) store.open(StoragePath.root().child("file"))).value();
  }

  /** Whether the page at an offset is, by mincore(2). */
  private boolean cached(long at) {
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, at, 4096).isLoaded();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
