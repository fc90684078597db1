package dev.staithe.storage.posix;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static dev.staithe.storage.files.StoreFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.files.FileEntry;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.OpenFile;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.Descriptors;
import dev.staithe.storage.linux.LinuxFiles;
import dev.staithe.storage.linux.LinuxFiles.Naming;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A local user who may write in the area changes folders and files for links that lead out of it,
 * thousands of times a second, while requests use them.
 */
@EnabledIf(
    value = "kernelHoldsFolders",
    disabledReason = "this kernel has no openat2; the threat model tells what that means")
class SwappedLinkTests {
  private static final int TURNS = Integer.getInteger("attack.turns", 3000);

  @TempDir private Path folder;
  private Path area;
  private Path outside;
  private FileStore store;
  private Thread swapper;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicInteger swaps = new AtomicInteger();

  static boolean kernelHoldsFolders() {
    return Descriptors.AVAILABLE;
  }

  @BeforeEach
  void open() throws IOException {
    area = Files.createDirectory(folder.resolve("area"));
    outside = Files.createDirectories(folder.resolve("outside/below")).getParent();
    Files.writeString(outside.resolve("file"), "secret");
    Files.writeString(outside.resolve("below/file"), "secret");
    store = PosixStore.open(area, PosixStore.Settings.DEFAULT);
    done(store.makeCollection(path("/folder"), Replace.NEVER));
    done(store.makeCollection(path("/folder/below"), Replace.NEVER));
    put(store, "/folder/file", "public");
    put(store, "/folder/below/file", "public");
    put(store, "/file", "public");
    Files.createSymbolicLink(area.resolve("to-folder"), outside);
    Files.createSymbolicLink(area.resolve("folder/to-below"), outside.resolve("below"));
    Files.createSymbolicLink(area.resolve("to-file"), outside.resolve("file"));
    swapper = new Thread(this::swap);
    swapper.start();
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    ended.set(true);
    swapper.join();
    store.close();
    assertThat(swaps.get()).as("changes of folder and link").isGreaterThan(100);
    try (var files = Files.walk(outside)) {
      assertThat(files.map(outside::relativize).map(Path::toString))
          .containsExactlyInAnyOrder("", "file", "below", "below/file");
    }
    assertThat(outside.resolve("file")).hasContent("secret");
    assertThat(outside.resolve("below/file")).hasContent("secret");
  }

  private void swap() {
    String[][] pairs = {{"folder", "to-folder"}, {"file", "to-file"}, {"below", "to-below"}};
    while (!ended.get()) {
      for (String[] pair : pairs) {
        Path parent = pair[0].equals("below") ? area.resolve("folder") : area;
        try {
          LinuxFiles.rename(parent.resolve(pair[0]), parent.resolve(pair[1]), Naming.EXCHANGE);
          swaps.incrementAndGet();
        } catch (IOException ownWayIsALinkNow) {
          // The next one.
        }
      }
    }
  }

  @Test
  void nothingOutsideIsEverRead() throws IOException {
    int read = 0;
    for (int i = 0; i < TURNS; i++) {
      for (String name : new String[] {"/folder/file", "/file", "/folder/below/file"}) {
        if (store.open(path(name)) instanceof Outcome.Done<OpenFile> done) {
          try (OpenFile file = done.value()) {
            ByteBuffer bytes = ByteBuffer.allocate(16);
            file.read(bytes, 0);
            assertThat(new String(bytes.array(), 0, bytes.position())).isEqualTo("public");
            read++;
          }
        }
      }
    }
    assertThat(read).isPositive();
    Trials.held(read);
  }

  @Test
  void nothingOutsideIsEverCopiedOrListed() throws IOException {
    int copied = 0;
    for (int i = 0; i < TURNS / 30; i++) {
      StoragePath copy = path("/copy" + i);
      if (store.copy("tester", path("/folder"), copy, true, Replace.NEVER)
          instanceof Outcome.Done) {
        copied++;
        for (String below : new String[] {"/copy" + i + "/file", "/copy" + i + "/below/file"}) {
          if (store.find(path(below)).isPresent()) {
            assertThat(text(store, below)).isEqualTo("public");
          }
        }
      }
    }
    Trials.held(copied);
  }

  @Test
  void nothingIsEverChangedOutside() throws IOException {
    int changed = 0;
    for (int i = 0; i < TURNS / 10; i++) {
      changed +=
          put(store, "/folder/new" + i, "x", Replace.ALLOWED) instanceof Outcome.Done ? 1 : 0;
      put(store, "/folder/below/new" + i, "x", Replace.NEVER);
      put(store, "/file", "public", Replace.ALLOWED);
      store.makeCollection(path("/folder/sub" + i), Replace.NEVER);
      store.delete(path("/folder/below/file"), Replace.ALLOWED);
      store.move(path("/folder/new" + i), path("/folder/below/moved" + i), Replace.ALLOWED);
      store.find(path("/folder/file")).ifPresent(file -> keep(file, "property"));
    }
    assertThat(changed).isPositive();
    Trials.held(changed);
    assertThat(
            Files.getFileAttributeView(outside.resolve("file"), UserDefinedFileAttributeView.class)
                .list())
        .isEmpty();
  }

  @Test
  void nothingOutsideIsRemovedWithATreeThatIsChangedMeanwhile() throws IOException {
    for (int i = 0; i < TURNS / 30; i++) {
      store.delete(path("/folder"), Replace.ALLOWED);
      if (store.makeCollection(path("/folder"), Replace.NEVER) instanceof Outcome.Done) {
        put(store, "/folder/file", "public", Replace.ALLOWED);
      }
    }
  }

  private void keep(FileEntry file, String text) {
    try {
      store.keepProperties(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
