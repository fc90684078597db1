package dev.staithe.storage.accounts;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.process.LoopedFileSystem;
import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoreContract;
import dev.staithe.storage.files.Upload;
import dev.staithe.storage.state.Sync;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store holds, with files of a local account; what this one refuses is said. */
final class AccountStoreIT extends StoreContract {
  @TempDir static Path folder;
  private static LocalAccounts accounts;

  private final String name = UUID.randomUUID().toString();
  private Path tree;

  @BeforeAll
  static void make() throws IOException {
    assumeTrue(LocalAccounts.obstacle().isEmpty(), LocalAccounts.obstacle());
    accounts = LocalAccounts.make(folder.resolve("accounts"));
  }

  @AfterAll
  static void end() {
    if (accounts != null) {
      accounts.close();
    }
  }

  @Override
  protected FileStore open() throws IOException {
    return open(false);
  }

  private FileStore open(boolean createParents) throws IOException {
    if (tree == null) {
      tree = accounts.folder(folder.resolve(name), "ada", "rwxr-x---");
      accounts.start("root", tree);
    }
    return AccountStore.open(
            new AccountStore.Settings(
                accounts.socket(),
                "files",
                Files.createDirectories(folder.resolve(name + "-state")),
                Sync.ALL,
                createParents,
                100))
        .as(accounts.name("ada"));
  }

  /** The helper tells some 1,400 by one packet. */
  @Override
  protected int severalPages() {
    return 3_000;
  }

  @Override
  protected Optional<Refusal> refusesRanges() {
    return Optional.of(Refusal.UNSUPPORTED);
  }

  @Override
  protected boolean keepsProperties() {
    return false;
  }

  @Override
  protected boolean takesUploadsInParts() {
    return false;
  }

  @Override
  protected boolean replacesCollections() {
    return false;
  }

  @Override
  protected boolean takesTrees() {
    return false;
  }

  @Override
  protected boolean countsFiles() {
    return false;
  }

  @Test
  void fileBelongsToTheAccountFromItsFirstByteOn() throws IOException {
    FileStore store = open();
    try (Upload upload = done(store.stage(null, path("/mine"), 4, Set.of()))) {
      upload.append(ByteBuffer.wrap(new byte[4]));
      assertThat(tree).isEmptyDirectory();
      done(upload.commit(FileStore.Replace.NEVER));
    }
    assertThat(LocalAccounts.owner(tree.resolve("mine"))).isEqualTo(accounts.id("ada"));
    store.close();
  }

  /** Homes may be file systems of their own, larger or smaller than that of the folder above. */
  @Test
  void roomIsThatOfTheFileSystemThatTheFileWillBeOn() throws IOException {
    assumeTrue(LoopedFileSystem.obstacle().isEmpty(), LoopedFileSystem.obstacle());
    FileStore store = open();
    Path small = tree.resolve("small");
    try (LoopedFileSystem _ = LoopedFileSystem.make(folder.resolve(name + "-image"), small, 32)) {
      accounts.folder(small, "ada", "rwxr-x---");
      assertThat(refusal(store.stage(null, path("/small/file"), 64 << 20, Set.of())))
          .isEqualTo(Refusal.NO_SPACE);
      try (Upload upload = done(store.stage(null, path("/file"), 64 << 20, Set.of()))) {
        assertThat(upload.written()).isZero();
      }
    }
    store.close();
  }

  /** RFC 4918 section 9.8.5, whatever the area says of uploads. */
  @Test
  void copyMakesNoCollectionOnTheWay() throws IOException {
    FileStore store = open(true);
    accounts.file(tree.resolve("one"), "ada", "content", "rw-r-----");
    assertThat(
            refusal(
                store.copy(
                    "tester", path("/one"), path("/no/such"), true, FileStore.Replace.ALLOWED)))
        .isEqualTo(Refusal.PARENT_MISSING);
    assertThat(tree.toFile().list()).containsExactly("one");
    store.close();
  }

  /** Of two hard links rename(2) moves none, and says that all is well. */
  @Test
  void moveToAnotherNameOfTheSameFileLeavesThatName() throws IOException {
    FileStore store = open();
    Path one = accounts.file(tree.resolve("one"), "ada", "content", "rw-r-----");
    Files.createLink(tree.resolve("other"), one);
    assertThat(done(store.move(path("/one"), path("/other"), FileStore.Replace.ALLOWED))).isTrue();
    assertThat(tree.toFile().list()).containsExactly("other");
    assertThat(tree.resolve("other")).hasContent("content");
    store.close();
  }
}
