package dev.staithe.storage.posix;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static dev.staithe.storage.files.StoreFixture.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.staithe.storage.checksum.Checksum;
import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.AccessRefusedException;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Listing;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTests {
  @TempDir private Path area;
  private FileStore store;

  @BeforeEach
  void open() throws IOException {
    store = open(area);
  }

  FileStore open(Path root) throws IOException {
    return PosixStore.open(root, PosixStore.Settings.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private static Optional<String> attribute(Path file, String name) throws IOException {
    var view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
    if (!view.list().contains(name)) {
      return Optional.empty();
    }
    ByteBuffer value = ByteBuffer.allocate(view.size(name));
    view.read(name, value);
    return Optional.of(StandardCharsets.UTF_8.decode(value.flip()).toString());
  }

  private static void attribute(Path file, String name, String value) throws IOException {
    Files.getFileAttributeView(file, UserDefinedFileAttributeView.class)
        .write(name, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
  }

  private FileEntry entry(String path) throws IOException {
    return store.find(path(path)).orElseThrow();
  }

  @Test
  void uploadIsInvisibleUntilItIsCommittedAndGoneWhenItIsClosed() throws IOException {
    Upload upload = done(store.stage(null, path("/file"), -1, Set.of()));
    upload.append(ByteBuffer.wrap(new byte[1000]));
    assertThat(store.find(path("/file"))).isEmpty();
    assertThat(tree(store)).isEmpty();
    upload.close();
    assertThat(tree(store)).isEmpty();
    try (var staged = Files.walk(area.resolve(".staithe/stage"))) {
      assertThat(staged.filter(Files::isRegularFile)).allMatch(f -> f.endsWith("lock"));
    }
  }

  @Test
  void everyChangeOfContentChangesTheTag() throws IOException {
    List<String> tags = new ArrayList<>();
    tags.add(put(store, "/file", "aaaa").etag());
    tags.add(put(store, "/file", "bbbb").etag());
    done(store.delete(path("/file"), Replace.ALLOWED));
    tags.add(put(store, "/file", "cccc").etag());
    try (Upload upload = done(store.stage(null, path("/file"), 1, Set.of()))) {
      upload.append(ByteBuffer.wrap(new byte[] {'X'}));
      tags.add(done(upload.commitRange(0, Replace.ALLOWED)).etag());
    }
    Files.writeString(area.resolve("file"), "eeee");
    Files.setLastModifiedTime(area.resolve("file"), FileTime.from(Instant.ofEpochSecond(7)));
    tags.add(entry("/file").etag());
    put(store, "/other", "ffff");
    done(store.move(path("/other"), path("/file"), Replace.ALLOWED));
    tags.add(entry("/file").etag());
    put(store, "/other", "gggg");
    done(store.copy("tester", path("/other"), path("/file"), true, Replace.ALLOWED));
    tags.add(entry("/file").etag());
    assertThat(tags).doesNotHaveDuplicates().allMatch(t -> t.matches("\"[0-9a-f]{32}\""));
    assertThat(entry("/file").etag()).as("and nothing else does").isEqualTo(tags.getLast());
  }

  @Test
  void partOfAFileThatOthersMakeShorterMeanwhileComesToAnEnd() throws IOException {
    try (FileStore quick =
        PosixStore.open(area, new PosixStore.Settings(Sync.NONE, false, 0, 100, false))) {
      CompletableFuture<Void> parts =
          CompletableFuture.runAsync(() -> bringParts(quick, 1000, 300));
      long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
      for (int i = 0; !parts.isDone() && System.nanoTime() - end < 0; i++) {
        Path other = Files.write(area.resolve("other"), new byte[i % 2 * 1000]);
        Files.move(other, area.resolve("file"), StandardCopyOption.ATOMIC_MOVE);
      }
      assertThat(parts).isCompleted();
    }
  }

  private static void bringParts(FileStore to, long offset, int times) {
    try {
      for (int i = 0; i < times; i++) {
        try (Upload upload = done(to.stage(null, path("/file"), 1, Set.of()))) {
          upload.append(ByteBuffer.wrap(new byte[] {'X'}));
          upload.commitRange(offset, Replace.ALLOWED);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void filesOfOneSizeMadeAndRemovedInTurnNeverShareATag() throws IOException {
    List<String> tags = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      tags.add(put(store, "/file", "%04d".formatted(i)).etag());
      done(store.delete(path("/file"), Replace.ALLOWED));
    }
    assertThat(tags).doesNotHaveDuplicates();
  }

  @Test
  void checksumIsKeptUntilTheFileChangesBehindOurBack() throws IOException {
    put(store, "/file", "content");
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32))
        .hasValueSatisfying(c -> assertThat(c.hex()).isEqualTo("0bcb02fc"));
    FileTime time = Files.getLastModifiedTime(area.resolve("file"));
    Files.writeString(area.resolve("file"), "another length");
    Files.setLastModifiedTime(area.resolve("file"), time);
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32)).as("size").isEmpty();
    put(store, "/file", "content");
    Files.writeString(area.resolve("file"), "CONTENT");
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32)).as("time").isEmpty();
    Checksum fresh = store.checksum(entry("/file"), ChecksumAlgorithm.ADLER32);
    assertThat(fresh.hex()).isNotEqualTo("0bcb02fc");
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32)).contains(fresh);
  }

  @Test
  void checksumThatStormLeftIsReadAndBrokenOnesAreNot() throws IOException {
    Files.writeString(area.resolve("file"), "content");
    attribute(area.resolve("file"), "storm.checksum.adler32", "bcb02fc");
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32))
        .hasValueSatisfying(c -> assertThat(c.hex()).isEqualTo("0bcb02fc"));
    attribute(area.resolve("file"), "storm.checksum.adler32", "not hex");
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32)).isEmpty();
    attribute(area.resolve("file"), "staithe.checksums", "garbage of another kind");
    assertThat(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32)).isEmpty();
    assertThat(store.checksum(entry("/file"), ChecksumAlgorithm.ADLER32).hex())
        .isEqualTo("0bcb02fc");
  }

  @Test
  void checksumIsLeftForStormWhereTheAreaSaysSoAndFollowsTheBytes() throws IOException {
    Path file = area.resolve("file");
    put(store, "/file", "content");
    assertThat(attribute(file, "storm.checksum.adler32")).isEmpty();
    store.close();
    store =
        PosixStore.open(
            area,
            new PosixStore.Settings(
                Sync.NONE, true, 0, 100, false, Long.MAX_VALUE, Residence.DISK, true, 0));

    put(store, "/file", "content");
    assertThat(attribute(file, "storm.checksum.adler32")).contains("0bcb02fc");
    assertThat(attribute(file, "staithe.checksums")).isPresent();

    put(store, "/file", "other content");
    String other = store.kept(entry("/file"), ChecksumAlgorithm.ADLER32).orElseThrow().hex();
    assertThat(attribute(file, "storm.checksum.adler32")).contains(other);

    // What somebody else wrote gets both when somebody asks for the checksum.
    Files.writeString(file, "content");
    store.checksum(entry("/file"), ChecksumAlgorithm.ADLER32);
    assertThat(attribute(file, "storm.checksum.adler32")).contains("0bcb02fc");
  }

  @Test
  void collectionThatIsDeletedVanishesWhileItIsRead() throws Exception {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    for (int i = 0; i < 200; i++) {
      put(store, "/a/" + i, "x");
    }
    try (Listing listing = done(store.list(path("/a")));
        OpenFile open = done(store.open(path("/a/7")))) {
      assertThat(listing.next()).isNotNull();
      done(store.delete(path("/a"), Replace.ALLOWED));
      assertThat(store.find(path("/a"))).isEmpty();
      assertThat(store.find(path("/a/7"))).isEmpty();
      while (listing.next() != null) {
        // To its end, without a failure.
      }
      assertThat(open.read(ByteBuffer.allocate(1), 0)).isEqualTo(1);
    }
    try (var left = Files.walk(area.resolve(".staithe/stage"))) {
      assertThat(left.filter(f -> f.getFileName().toString().equals("7"))).isEmpty();
    }
  }

  @Test
  void syncAndMissingParentsFollowTheSettings() throws IOException {
    try (FileStore careful =
        PosixStore.open(area, new PosixStore.Settings(Sync.ALL, true, 0, 100, false))) {
      put(careful, "/a/b/c", "x");
      done(careful.move(path("/a/b/c"), path("/a/d"), Replace.NEVER));
      done(careful.delete(path("/a/b"), Replace.ALLOWED));
      assertThat(tree(careful)).containsOnlyKeys("/a/", "/a/d");
      assertThat(refusal(put(careful, "/a/d/e/f", "x", Replace.ALLOWED)))
          .isEqualTo(Refusal.PARENT_MISSING);
    }
  }

  @Test
  void membersThatAreLookedAtSideBySideComeInTheSameOrderWithTheirProperties() throws IOException {
    try (FileStore shared =
        PosixStore.open(area, new PosixStore.Settings(Sync.NONE, true, 0, 100, true))) {
      for (int i = 0; i < 700; i++) {
        Files.createFile(area.resolve("file" + i));
        if (i % 3 == 0) {
          done(store.keepProperties(store.find(path("/file" + i)).orElseThrow(), "of " + i));
        }
      }
      Files.createSymbolicLink(area.resolve("outside"), Path.of("/"));
      Files.createSymbolicLink(area.resolve("inside"), area.resolve("file0"));
      List<String> oneByOne = members(store);
      assertThat(oneByOne).hasSize(701).contains("file3 of 3");
      assertThat(members(shared)).isEqualTo(oneByOne);
    }
  }

  /** An inode may be used again, for a copy of another file of that size and time. */
  @Test
  void copiesHaveTheSecondOfTheirSourceAndAFractionOfTheirOwn() throws IOException {
    put(store, "/file", "content");
    Files.setLastModifiedTime(area.resolve("file"), FileTime.from(Instant.ofEpochSecond(7)));
    Checksum checksum = store.checksum(entry("/file"), ChecksumAlgorithm.ADLER32);
    List<Instant> times = new ArrayList<>();
    for (String each : List.of("/one", "/other")) {
      done(store.copy("tester", path("/file"), path(each), true, Replace.NEVER));
      times.add(entry(each).modified());
      assertThat(store.kept(entry(each), ChecksumAlgorithm.ADLER32)).contains(checksum);
    }
    assertThat(times).doesNotHaveDuplicates().allMatch(time -> time.getEpochSecond() == 7);
  }

  @Test
  void propertiesThatMayNotBeReadAreRefusedAndNoFailure() throws IOException {
    Path file = Files.createFile(area.resolve("file"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-w-------"));
    assumeFalse(Files.isReadable(file), "root reads all");
    FileEntry entry = entry("/file");
    assertThatThrownBy(() -> store.properties(entry)).isInstanceOf(AccessRefusedException.class);
  }

  /** These two had one lock of sixty-four. */
  @Test
  void partOfAFileDoesNotWaitForThatOfAnother() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Meanwhile waits =
        () -> {
          begun.countDown();
          end.await();
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> slow = threads.submit(() -> putPart("/one", waits));
      try {
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        threads.submit(() -> putPart("/f22", () -> {})).get(1, TimeUnit.MINUTES);
      } finally {
        end.countDown();
      }
      slow.get();
    }
    assertThat(tree(store)).containsOnlyKeys("/f22", "/one");
  }

  /** What happens when it is asked for the last time whether it may be done. */
  @FunctionalInterface
  private interface Meanwhile {
    void happens() throws InterruptedException;
  }

  private void putPart(String name, Meanwhile meanwhile) {
    try (Upload upload = done(store.stage(null, path(name), 1, Set.of()))) {
      upload.append(ByteBuffer.wrap(new byte[1]));
      done(
          upload.commitRange(
              0,
              () -> {
                try {
                  meanwhile.happens();
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
                return Replace.ALLOWED.ask();
              }));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void partOfAFileThatMayNotBeReadIsRefusedAndNoFailure() throws IOException {
    Path file = Files.writeString(area.resolve("file"), "x");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-w-------"));
    assumeFalse(Files.isReadable(file), "root reads all");
    try (Upload upload = done(store.stage(null, path("/file"), 1, Set.of()))) {
      upload.append(ByteBuffer.wrap(new byte[1]));
      assertThat(refusal(upload.commitRange(1, Replace.ALLOWED))).isEqualTo(Refusal.ACCESS_DENIED);
    }
  }

  /** A client that heard nothing asks again, and moves what was replaced over what it moved. */
  @Test
  void collectionThatAMoveReplacesIsNotLeftAtTheOldNameByAKillInBetween(@TempDir Path other)
      throws IOException {
    Path from = Files.createDirectory(other.resolve("from"));
    Path to = Files.createDirectory(other.resolve("to"));
    Files.createFile(from.resolve("new"));
    Files.createFile(to.resolve("old"));
    for (boolean exchanged : new boolean[] {false, true}) {
      var exchange = new StageFolder.Exchange(path("/from"), inode(from), path("/to"), inode(to));
      StageFolder killed =
          StageFolder.open(
              Files.createDirectories(other.resolve(".staithe")), (name, tree) -> false, false);
      killed.remember(exchange, Sync.NONE);
      if (exchanged) {
        Path between = Files.move(to, other.resolve("between"));
        Files.move(from, to);
        Files.move(between, from);
      }
      killed.close();
      try (FileStore next = open(other)) {
        assertThat(tree(next)).containsOnlyKeys("/from/", "/from/new", "/to/", "/to/old");
      }
      assertThat(other.resolve(".staithe/stage")).isEmptyDirectory();
    }
  }

  private static String inode(Path file) throws IOException {
    return EntityTag.inode(Files.readAttributes(file, BasicFileAttributes.class));
  }

  /** Of two hard links rename(2) moves none, and says that all is well. */
  @Test
  void moveToAnotherNameOfTheSameFileLeavesThatName() throws IOException {
    put(store, "/one", "content");
    Files.createLink(area.resolve("other"), area.resolve("one"));
    assertThat(done(store.move(path("/one"), path("/other"), Replace.ALLOWED))).isTrue();
    assertThat(tree(store)).containsOnlyKeys("/other");
    assertThat(area.resolve("other")).hasContent("content");
  }

  /** Who mirrors a folder removes elsewhere what its listing leaves out. */
  @Test
  void memberThatCannotBeLookedAtIsNotLeftOut() throws IOException {
    Files.createFile(area.resolve("file"));
    Folder failing = Folder.held(Integer.MAX_VALUE, Path.of(""));
    try (Confinement confinement = new Confinement(area, true);
        Folder folder = Folder.named(area, Path.of(""))) {
      assertThat(member(confinement, folder, "file")).isPresent();
      assertThat(member(confinement, folder, "none")).isEmpty();
      assertThatThrownBy(() -> member(confinement, failing, "file"))
          .isInstanceOf(FileSystemException.class);
    }
  }

  private static Optional<FileEntry> member(Confinement confinement, Folder folder, String name)
      throws IOException {
    return PosixListing.member(confinement, StoragePath.root(), folder, Path.of(name));
  }

  private static List<String> members(FileStore of) throws IOException {
    List<String> members = new ArrayList<>();
    try (Listing listing = done(of.list(StoragePath.root(), true))) {
      FileEntry member;
      while ((member = listing.next()) != null) {
        members.add((member.path().name() + " " + of.properties(member).orElse("")).strip());
      }
    }
    return members;
  }
}
