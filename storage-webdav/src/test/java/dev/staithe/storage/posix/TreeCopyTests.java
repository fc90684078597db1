package dev.staithe.storage.posix;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.checksum.ChecksumAlgorithm;
import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Residence;
import dev.staithe.storage.state.AreaUsage;
import dev.staithe.storage.state.StagedBytes;
import dev.staithe.storage.state.Sync;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A copy of a file that somebody else changes while it is made. */
class TreeCopyTests {
  private static final String BEFORE = "0bcb02fc";

  @TempDir private Path area;
  private final AreaUsage usage = new AreaUsage(Long.MAX_VALUE, new AreaUsage.Count(0, 0));
  private FileStore store;

  @BeforeEach
  void open() throws IOException {
    store = PosixStore.open(area, PosixStore.Settings.DEFAULT);
    put(store, "/file", "content");
    done(store.keepProperties(entry("/file"), "before"));
    put(store, "/next", "CONTENT");
    done(store.keepProperties(entry("/next"), "after"));
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  /** What somebody else does. */
  @FunctionalInterface
  private interface Change {
    void run() throws IOException;
  }

  private Space room() throws IOException {
    return new Space(area, 0, new StagedBytes(100), usage);
  }

  /** Has the change come when the writer asks for room: between its look and its bytes. */
  private void whileRoomIsAskedFor(Callable<?> writer, Change change) throws Exception {
    FutureTask<?> task = new FutureTask<>(writer);
    Thread thread = Thread.ofPlatform().daemon().unstarted(task);
    synchronized (usage) {
      thread.start();
      Eventually.holds("it asks for room", () -> asks(thread));
      change.run();
    }
    task.get(Eventually.LONGEST.toSeconds(), TimeUnit.SECONDS);
  }

  private static boolean asks(Thread writer) {
    return writer.getState() == Thread.State.BLOCKED
        && Stream.of(writer.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(AreaUsage.class.getName()));
  }

  private FileEntry entry(String path) throws IOException {
    return store.find(path(path)).orElseThrow();
  }

  private void replace() throws IOException {
    Files.move(area.resolve("next"), area.resolve("file"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Copies {@code file} to {@code copy}; it is changed when its bytes are about to be copied. */
  private FileEntry copied(boolean byDescriptor, Change change) throws Exception {
    try (Confinement confinement = new Confinement(area, byDescriptor);
        Confinement.Location location = confinement.locate(path("/file"));
        Space.Reservation reserved = done(room().reserve(null, 0))) {
      Confinement.Location.Inside file = (Confinement.Location.Inside) location;
      TreeCopy copy = new TreeCopy(Sync.NONE, reserved, Residence.DISK);
      whileRoomIsAskedFor(() -> copied(copy, file), change);
    }
    return entry("/copy");
  }

  private boolean copied(TreeCopy copy, Confinement.Location.Inside file) throws IOException {
    copy.copy(file.folder(), file.name(), file.attributes(), area.resolve("copy"), true);
    return true;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fileThatIsReplacedWhileItIsCopiedIsCopiedAsItWas(boolean byDescriptor) throws Exception {
    FileEntry copy = copied(byDescriptor, this::replace);
    assertThat(area.resolve("file")).hasContent("CONTENT");
    assertThat(area.resolve("copy")).hasContent("content");
    assertThat(store.kept(copy, ChecksumAlgorithm.ADLER32)).isEmpty();
    assertThat(store.checksum(copy, ChecksumAlgorithm.ADLER32).hex()).isEqualTo(BEFORE);
    assertThat(store.properties(copy)).contains("before");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fileThatIsRemovedWhileItIsCopiedIsCopiedAsItWas(boolean byDescriptor) throws Exception {
    FileEntry copy = copied(byDescriptor, () -> Files.delete(area.resolve("file")));
    assertThat(area.resolve("copy")).hasContent("content");
    assertThat(store.properties(copy)).contains("before");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memberThatIsRemovedWhileItsCollectionIsCopiedIsLeftOut(boolean byDescriptor)
      throws Exception {
    done(store.makeCollection(path("/tree"), FileStore.Replace.NEVER));
    List<Path> members = List.of(area.resolve("tree/one"), area.resolve("tree/other"));
    for (Path each : members) {
      Files.writeString(each, "content");
    }
    try (Confinement confinement = new Confinement(area, byDescriptor);
        Confinement.Location location = confinement.locate(path("/tree"));
        Space.Reservation reserved = done(room().reserve(null, 0))) {
      Confinement.Location.Inside tree = (Confinement.Location.Inside) location;
      TreeCopy copy = new TreeCopy(Sync.NONE, reserved, Residence.DISK);
      whileRoomIsAskedFor(
          () -> copied(copy, tree),
          () -> {
            for (Path each : members) {
              Files.delete(each);
            }
          });
    }
    try (Stream<Path> copies = Files.list(area.resolve("copy"))) {
      assertThat(copies).singleElement().satisfies(each -> assertThat(each).hasContent("content"));
    }
  }

  /** StoRM's own attribute says nothing of the version that it is of. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fileThatIsWrittenIntoWhileItIsCopiedHasACopyWithoutChecksums(boolean byDescriptor)
      throws Exception {
    Path file = Files.writeString(area.resolve("file"), "content");
    UserDefinedFileAttributeView attributes =
        Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
    attributes.delete("staithe.checksums");
    attributes.write(
        "storm.checksum.adler32", ByteBuffer.wrap(BEFORE.getBytes(StandardCharsets.US_ASCII)));
    FileEntry copy = copied(byDescriptor, () -> Files.writeString(file, "CONTENT"));
    assertThat(area.resolve("copy")).hasContent("CONTENT");
    assertThat(store.kept(copy, ChecksumAlgorithm.ADLER32)).isEmpty();
  }

  @Test
  void fileThatIsReplacedBeforeItIsOpenedIsCopiedAsItIsNow() throws Exception {
    try (Confinement confinement = new Confinement(area, true);
        Confinement.Location location = confinement.locate(path("/file"));
        Space.Reservation reserved = done(room().reserve(null, 0))) {
      Confinement.Location.Inside file = (Confinement.Location.Inside) location;
      replace();
      copied(new TreeCopy(Sync.NONE, reserved, Residence.DISK), file);
    }
    FileEntry copy = entry("/copy");
    assertThat(area.resolve("copy")).hasContent("CONTENT");
    assertThat(store.kept(copy, ChecksumAlgorithm.ADLER32))
        .isPresent()
        .isEqualTo(store.kept(entry("/file"), ChecksumAlgorithm.ADLER32));
    assertThat(store.properties(copy)).contains("after");
  }
}
