package dev.staithe.storage.posix;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.StagedBytes;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Room is announced, not written, and others use the same disk: the margins are wide. */
class SpaceTests {
  @TempDir private Path area;

  /**
   * What is announced is set aside on the disk, where blocks that were freed are taken again only
   * after some seconds: of more than a few GiB others on this machine would find none.
   */
  private static final long MOST = 4L << 30;

  private FileStore storeWithAPartOfTheDisk() throws IOException {
    long usable = Files.getFileStore(area).getUsableSpace();
    long kept = usable - Math.min(usable / 2, MOST);
    return PosixStore.open(area, new PosixStore.Settings(Sync.DATA, false, kept, 80, false));
  }

  private static Outcome<Upload> stage(FileStore store, String name, long bytes)
      throws IOException {
    return store.stage(null, path(name), bytes, Set.of());
  }

  @Test
  void twoUploadsThatFitAloneButNotTogetherAreNotBothBegun() throws IOException {
    try (FileStore store = storeWithAPartOfTheDisk()) {
      long most = store.room().available() * 3 / 4;
      Upload first = done(stage(store, "/a", most));
      assertThat(refusal(stage(store, "/b", most))).isEqualTo(Refusal.NO_SPACE);
      assertThat(store.room().available()).isLessThan(most);
      first.close();
      done(stage(store, "/b", most)).close();
    }
  }

  @Test
  void ofManyThatBeginAtOnceOnlyOneFits() throws Exception {
    try (FileStore store = storeWithAPartOfTheDisk();
        var threads = Executors.newFixedThreadPool(8)) {
      long most = store.room().available() * 3 / 4;
      var begun =
          threads.invokeAll(
              IntStream.range(0, 32)
                  .<java.util.concurrent.Callable<Outcome<Upload>>>mapToObj(
                      i -> () -> stage(store, "/" + i, most))
                  .toList());
      assertThat(begun.stream().map(Future::resultNow).filter(o -> o instanceof Outcome.Done))
          .hasSize(1);
    }
  }

  @Test
  void whatIsWrittenIsNotCountedTwice() throws IOException {
    try (FileStore store = storeWithAPartOfTheDisk()) {
      long most = store.room().available() / 2;
      try (Upload upload = done(stage(store, "/a", most))) {
        upload.append(ByteBuffer.allocate(1 << 20));
        upload.append(ByteBuffer.allocate(1 << 20));
      }
      // All is given back: three quarters fit again.
      done(stage(store, "/b", most * 3 / 2)).close();
    }
  }

  @Test
  void moreThanThereIsDoesNotOverflowTheAccount() throws IOException {
    try (FileStore store = storeWithAPartOfTheDisk()) {
      assertThat(refusal(stage(store, "/a", Long.MAX_VALUE))).isEqualTo(Refusal.NO_SPACE);
      done(stage(store, "/a", 1)).close();
      done(stage(store, "/a", -1)).close();
      done(stage(store, "/a", 0)).close();
    }
  }

  /** As one of the network does in a fail-over. */
  @Test
  void quotaIsGivenBackWhereTheFileSystemDoesNotTellItsRoom() throws IOException {
    AreaUsage usage = new AreaUsage(1000, new AreaUsage.Count(0, 0));
    Path away = Files.createDirectory(area.resolve("away"));
    Space space = new Space(away, 0, new StagedBytes(100), usage);
    Files.delete(away);
    assertThatThrownBy(() -> space.reserve("ada", 600)).isInstanceOf(IOException.class);
    Files.createDirectory(away);
    done(space.reserve("ada", 600)).close();
    assertThat(usage.left()).isEqualTo(1000);
  }

  @Test
  void areaThatIsFullTakesNothingNotEvenWhatAnnouncesNoLength() throws IOException {
    try (FileStore store =
        PosixStore.open(
            area, new PosixStore.Settings(Sync.DATA, false, Long.MAX_VALUE, 100, false))) {
      assertThat(store.room().available()).isZero();
      assertThat(refusal(stage(store, "/a", -1))).isEqualTo(Refusal.NO_SPACE);
    }
  }
}
