package dev.staithe.storage.posix;

import static dev.staithe.storage.files.StoreFixture.done;
import static dev.staithe.storage.files.StoreFixture.path;
import static dev.staithe.storage.files.StoreFixture.put;
import static dev.staithe.storage.files.StoreFixture.refusal;
import static dev.staithe.storage.files.StoreFixture.text;
import static dev.staithe.storage.files.StoreFixture.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.storage.files.FileStore;
import dev.staithe.storage.files.FileStore.Replace;
import dev.staithe.storage.files.Outcome;
import dev.staithe.storage.files.Refusal;
import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.linux.Descriptors;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Links and strange files in an area: nothing leads out of it, nothing of ours is shown. */
class FileStoreConfinementTests {
  @TempDir private Path folder;
  private Path area;
  private Path outside;
  private FileStore store;

  @BeforeEach
  void open() throws IOException {
    area = Files.createDirectory(folder.resolve("area"));
    outside = Files.createDirectory(folder.resolve("area-outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    store = open(area);
  }

  FileStore open(Path root) throws IOException {
    return PosixStore.open(root, PosixStore.Settings.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  private void isUntouched() throws IOException {
    try (var files = Files.list(outside)) {
      assertThat(files).containsExactly(outside.resolve("secret"));
    }
    assertThat(outside.resolve("secret")).hasContent("secret");
  }

  /** To try once more is of no use: not for what is immutable, and not for what is mounted. */
  @Test
  void whatTheSystemNeverPermitsIsARefusalAndNoFailure() throws IOException {
    Map<String, Refusal> told =
        Map.of(
            "Operation not permitted",
            Refusal.ACCESS_DENIED,
            "Device or resource busy",
            Refusal.CONFLICT);
    for (Map.Entry<String, Refusal> each : told.entrySet()) {
      FileSystemException failure = new FileSystemException("/file", null, each.getKey());
      Outcome.Refused<Boolean> refused = Confinement.refusal(failure);
      assertThat(refused.why()).as(each.getKey()).isEqualTo(each.getValue());
    }
  }

  @Test
  void linkToAFolderOutsideLeadsNowhereOnEveryOperation() throws IOException {
    Files.createSymbolicLink(area.resolve("out"), outside);
    put(store, "/mine", "mine");
    for (String below : List.of("/out", "/out/secret", "/out/new", "/out/sub/new")) {
      StoragePath path = path(below);
      assertThat(store.find(path)).as(below).isEmpty();
      assertThat(refusal(store.list(path))).isEqualTo(Refusal.NOT_FOUND);
      assertThat(refusal(store.open(path))).isEqualTo(Refusal.NOT_FOUND);
      assertThat(refusal(store.delete(path, Replace.ALLOWED))).isEqualTo(Refusal.NOT_FOUND);
      assertThat(refusal(put(store, below, "x", Replace.ALLOWED)))
          .isIn(Refusal.PARENT_MISSING, Refusal.ACCESS_DENIED);
      assertThat(refusal(put(store, below, "x", Replace.NEVER)))
          .isIn(Refusal.PARENT_MISSING, Refusal.ACCESS_DENIED);
      assertThat(refusal(store.makeCollection(path, Replace.NEVER)))
          .isIn(Refusal.PARENT_MISSING, Refusal.ACCESS_DENIED);
      assertThat(refusal(store.move(path, path("/taken"), Replace.ALLOWED)))
          .isEqualTo(Refusal.NOT_FOUND);
      assertThat(refusal(store.copy("tester", path, path("/taken"), true, Replace.ALLOWED)))
          .isEqualTo(Refusal.NOT_FOUND);
      assertThat(refusal(store.move(path("/mine"), path, Replace.ALLOWED)))
          .isIn(Refusal.PARENT_MISSING, Refusal.ACCESS_DENIED);
      assertThat(refusal(store.copy("tester", path("/mine"), path, true, Replace.ALLOWED)))
          .isIn(Refusal.PARENT_MISSING, Refusal.ACCESS_DENIED);
    }
    assertThat(tree(store)).containsOnlyKeys("/mine");
    isUntouched();
  }

  @Test
  void linkToAFileOutsideIsNeitherReadNorWritten() throws IOException {
    Files.createSymbolicLink(area.resolve("file"), outside.resolve("secret"));
    Files.createSymbolicLink(area.resolve("relative"), Path.of("../area-outside/secret"));
    Files.createSymbolicLink(area.resolve("new"), outside.resolve("new"));
    for (String name : List.of("/file", "/relative", "/new")) {
      assertThat(store.find(path(name))).isEmpty();
      assertThat(refusal(store.open(path(name)))).isEqualTo(Refusal.NOT_FOUND);
      assertThat(refusal(put(store, name, "x", Replace.ALLOWED))).isEqualTo(Refusal.ACCESS_DENIED);
      assertThat(refusal(store.delete(path(name), Replace.ALLOWED))).isEqualTo(Refusal.NOT_FOUND);
    }
    isUntouched();
  }

  @Test
  void chainOfLinksIsFollowedToItsEnd() throws IOException {
    Files.createSymbolicLink(outside.resolve("back"), area);
    Files.createSymbolicLink(area.resolve("one"), area.resolve("two"));
    Files.createSymbolicLink(area.resolve("two"), outside);
    assertThat(store.find(path("/one/secret"))).isEmpty();
    put(store, "/file", "x");
    assertThat(store.find(path("/one/back/file"))).as("through outside and back").isPresent();
    Files.delete(outside.resolve("back"));
  }

  @Test
  void linkWithinTheAreaIsAFileLikeOthers() throws IOException {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    put(store, "/a/file", "one");
    Files.createSymbolicLink(area.resolve("link"), area.resolve("a/file"));
    Files.createSymbolicLink(area.resolve("to-a"), Path.of("a"));
    assertThat(text(store, "/link")).isEqualTo("one");
    put(store, "/link", "two");
    assertThat(text(store, "/a/file")).isEqualTo("two");
    put(store, "/to-a/new", "three");
    assertThat(text(store, "/a/new")).isEqualTo("three");
    done(store.delete(path("/link"), Replace.ALLOWED));
    done(store.delete(path("/to-a"), Replace.ALLOWED));
    assertThat(tree(store))
        .as("what the links led to has stayed")
        .isEqualTo(Map.of("/a/", "", "/a/file", "two", "/a/new", "three"));
  }

  @Test
  void linkThatIsMovedGoesItself() throws IOException {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    put(store, "/a/file", "content");
    Files.createSymbolicLink(area.resolve("link"), Path.of("a/file"));
    done(store.move(path("/link"), path("/a/moved"), Replace.NEVER));
    assertThat(area.resolve("link")).doesNotExist();
    assertThat(area.resolve("a/moved")).isSymbolicLink();
    assertThat(text(store, "/a/moved")).isEqualTo("content");
    assertThat(text(store, "/a/file")).isEqualTo("content");
  }

  @Test
  void nothingIsLostWhereALinkMakesTwoNamesTheSame() throws IOException {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    put(store, "/a/file", "content");
    Files.createSymbolicLink(area.resolve("link"), Path.of("a/file"));
    Files.createSymbolicLink(area.resolve("to-a"), Path.of("a"));
    String[][] pairs = {
      {"/link", "/a/file"},
      {"/a/file", "/link"},
      {"/a", "/to-a"},
      {"/to-a", "/a"},
      {"/a", "/to-a/sub"},
      {"/to-a/file", "/a"},
    };
    for (String[] pair : pairs) {
      assertThat(refusal(store.move(path(pair[0]), path(pair[1]), Replace.ALLOWED)))
          .as(pair[0] + " to " + pair[1])
          .isEqualTo(Refusal.ACCESS_DENIED);
      assertThat(refusal(store.copy("tester", path(pair[0]), path(pair[1]), true, Replace.ALLOWED)))
          .isEqualTo(Refusal.ACCESS_DENIED);
    }
    assertThat(text(store, "/link")).isEqualTo("content");
    assertThat(text(store, "/to-a/file")).isEqualTo("content");
  }

  @Test
  void linkIntoTheReservedFolderLeadsNowhere() throws IOException {
    Files.createSymbolicLink(area.resolve("stage"), area.resolve(".staithe/stage"));
    Files.createSymbolicLink(area.resolve("ours"), area.resolve(".staithe"));
    assertThat(store.find(path("/stage"))).isEmpty();
    assertThat(refusal(store.list(path("/ours")))).isEqualTo(Refusal.NOT_FOUND);
    assertThat(refusal(put(store, "/ours/x", "x", Replace.ALLOWED)))
        .isEqualTo(Refusal.PARENT_MISSING);
    assertThat(tree(store)).isEmpty();
  }

  @Test
  void danglingAndCircularLinksAreNotThere() throws IOException {
    Files.createSymbolicLink(area.resolve("dangling"), area.resolve("none"));
    Files.createSymbolicLink(area.resolve("circle"), area.resolve("circle"));
    for (String name : List.of("/dangling", "/circle")) {
      assertThat(store.find(path(name))).isEmpty();
      assertThat(put(store, name, "x", Replace.ALLOWED)).isInstanceOf(Outcome.Refused.class);
      assertThat(store.find(path(name + "/below"))).isEmpty();
    }
    assertThat(area.resolve("none")).doesNotExist();
    assertThat(tree(store)).isEmpty();
  }

  @Test
  void rootThatIsALinkItselfIsTheFolderItLeadsTo() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), area);
    put(store, "/file", "x");
    try (FileStore other = open(link)) {
      assertThat(text(other, "/file")).isEqualTo("x");
    }
  }

  @Test
  void pipesAreNeitherListedNorOpenedNorReplaced() throws Exception {
    Path pipe = area.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    put(store, "/file", "x");
    assertThat(tree(store)).containsOnlyKeys("/file");
    assertThat(store.find(path("/pipe"))).isEmpty();
    assertThat(refusal(store.open(path("/pipe")))).isEqualTo(Refusal.NOT_FOUND);
    assertThat(refusal(store.delete(path("/pipe"), Replace.ALLOWED))).isEqualTo(Refusal.NOT_FOUND);
    assertThat(refusal(put(store, "/pipe", "x", Replace.ALLOWED))).isEqualTo(Refusal.ACCESS_DENIED);
    assertThat(refusal(store.move(path("/file"), path("/pipe"), Replace.ALLOWED)))
        .isEqualTo(Refusal.ACCESS_DENIED);
    assertThat(pipe).exists();
  }

  /** Who may write in the area can put it there when it has been looked at. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void pipeThatComesIntoThePlaceOfAFileIsNotWaitedFor() throws Exception {
    assumeTrue(Descriptors.AVAILABLE);
    Path pipe = area.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> Folder.open(pipe)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void copyOfATreeLeavesLinksAndPipesOut() throws Exception {
    done(store.makeCollection(path("/a"), Replace.NEVER));
    put(store, "/a/file", "x");
    Files.createSymbolicLink(area.resolve("a/out"), outside);
    assertThat(new ProcessBuilder("mkfifo", area.resolve("a/pipe").toString()).start().waitFor())
        .isZero();
    done(store.copy("tester", path("/a"), path("/b"), true, Replace.NEVER));
    try (var members = Files.list(area.resolve("b"))) {
      assertThat(members).containsExactly(area.resolve("b/file"));
    }
  }

  @Test
  void namesThatNoRequestCanNameAreHidden() throws Exception {
    put(store, "/good", "x");
    Files.createFile(area.resolve("line\nbreak"));
    Files.createFile(area.resolve(".staithe-else"));
    // Java cannot make a name of bytes that are no UTF-8; a shell can.
    assertThat(
            new ProcessBuilder("sh", "-c", "touch \"$(printf 'bad\\377name')\"")
                .directory(area.toFile())
                .start()
                .waitFor())
        .isZero();
    assertThat(area.toFile().list()).hasSize(5);
    assertThat(tree(store)).containsOnlyKeys("/good");
  }

  @Test
  void nameThatTheFileSystemCannotHoldIsABadName() throws IOException {
    assertThat(refusal(put(store, "/" + "n".repeat(255) + "/x", "x", Replace.ALLOWED)))
        .isEqualTo(Refusal.PARENT_MISSING);
    String deep = "/d".repeat(1400);
    assertThat(store.find(path(deep))).isEmpty();
    assertThat(refusal(put(store, deep, "x", Replace.ALLOWED)))
        .isIn(Refusal.PARENT_MISSING, Refusal.BAD_NAME);
  }
}
