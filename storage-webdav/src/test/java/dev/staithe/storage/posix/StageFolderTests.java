package dev.staithe.storage.posix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.files.StoragePath;
import dev.staithe.storage.state.Sync;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageFolderTests {
  @TempDir private Path reserved;

  private Path leftover(String name) throws IOException {
    Path folder = Files.createDirectories(reserved.resolve("stage").resolve(name));
    Files.createFile(folder.resolve("lock"));
    Files.writeString(folder.resolve("unfinished"), "x");
    Files.createDirectories(folder.resolve("tree/below"));
    Files.writeString(folder.resolve("tree/below/file"), "x");
    return folder;
  }

  private static boolean taken(StoragePath name, Path tree) {
    return false;
  }

  private List<Path> stages() throws IOException {
    try (Stream<Path> stages = Files.list(reserved.resolve("stage"))) {
      return stages.toList();
    }
  }

  @Test
  void whatAnEarlierRunLeftIsRemovedAtTheNextStart() throws IOException {
    Path left = leftover("earlier");
    Path withoutLock = Files.createDirectories(reserved.resolve("stage/never-locked"));
    StageFolder.open(reserved, StageFolderTests::taken, false).close();
    assertThat(left).doesNotExist();
    assertThat(withoutLock).doesNotExist();
  }

  /** Two that start within a millisecond: one finds the other's folder before it is locked. */
  @Test
  void folderThatAnotherStartSweepsIsNotTaken() throws IOException {
    Path swept = Files.createDirectories(reserved.resolve("stage/swept"));
    Files.createFile(swept.resolve("lock"));
    assertThat(StageFolder.take(swept, false, false)).isNull();
    assertThat(StageFolder.take(reserved.resolve("stage/gone"), false, true)).isNull();
    Path free = Files.createDirectory(reserved.resolve("stage/free"));
    try (StageFolder own = StageFolder.take(free, false, true)) {
      assertThat(own).isNotNull();
    }
  }

  /** Or another user of the machine would keep what a killed process left. */
  @Test
  void lockIsForItsOwnerOnly() throws IOException {
    try (StageFolder _ = StageFolder.open(reserved, StageFolderTests::taken, false)) {
      assertThat(Files.getPosixFilePermissions(stages().getFirst().resolve("lock")))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
  }

  @Test
  void sweepingFollowsNoLinks() throws IOException {
    Path precious = Files.createDirectories(reserved.resolve("precious"));
    Files.writeString(precious.resolve("file"), "x");
    Files.createSymbolicLink(leftover("earlier").resolve("tree/link"), precious);
    Files.createSymbolicLink(reserved.resolve("stage/link"), precious);
    StageFolder.open(reserved, StageFolderTests::taken, false).close();
    assertThat(precious.resolve("file")).hasContent("x");
  }

  @Test
  void treeThatIsDeeperThanAnyPathIsRemoved() throws Exception {
    Path tree = Files.createDirectory(reserved.resolve("tree0"));
    for (int i = 1; i <= 6; i++) {
      Path around = reserved.resolve("tree" + i);
      Path bottom = Files.createDirectories(around.resolve("d/".repeat(1000)));
      Files.createFile(bottom.resolve("file"));
      Files.move(tree, bottom.resolve("d"));
      tree = around;
    }
    try (StageFolder stage = StageFolder.open(reserved, StageFolderTests::taken, false)) {
      Path gone = Files.move(tree, stage.fresh());
      Thread removing = new Thread(null, () -> stage.discard(gone), "removing", 256 << 10);
      removing.start();
      removing.join();
      assertThat(gone).doesNotExist();
    }
    assertThat(stages()).isEmpty();
  }

  @Test
  void folderOfAnotherStoreInThisProcessIsLeftAlone() throws IOException {
    StageFolder first = StageFolder.open(reserved, StageFolderTests::taken, false);
    Path unfinished = Files.writeString(first.fresh(), "x");
    StageFolder second = StageFolder.open(reserved, StageFolderTests::taken, false);
    assertThat(first.sharedUnawares()).isFalse();
    assertThat(second.sharedUnawares()).as("a second one says so").isTrue();
    assertThat(unfinished).exists();
    second.close();
    assertThat(unfinished).exists();
    first.close();
    assertThat(stages()).isEmpty();
  }

  @Test
  void whoTakesTurnsSpeaksOnlyOfThoseWhoDoNot() throws IOException {
    try (StageFolder one = StageFolder.open(reserved, StageFolderTests::taken, true);
        StageFolder other = StageFolder.open(reserved, StageFolderTests::taken, true)) {
      assertThat(one.sharedUnawares()).isFalse();
      assertThat(other.sharedUnawares()).isFalse();
      try (StageFolder alone = StageFolder.open(reserved, StageFolderTests::taken, false);
          StageFolder third = StageFolder.open(reserved, StageFolderTests::taken, true)) {
        assertThat(alone.sharedUnawares()).isTrue();
        assertThat(third.sharedUnawares()).isTrue();
      }
    }
    assertThat(stages()).isEmpty();
  }

  @Test
  void folderOfAnotherProcessIsLeftAloneUntilThatProcessDies() throws Exception {
    Path theirs = leftover("theirs");
    Path program = reserved.resolve("Hold.java");
    Files.writeString(
        program,
        """
        import java.nio.channels.FileChannel;
        import java.nio.file.*;

        class Hold {
          public static void main(String[] args) throws Exception {
            var channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
            channel.lock();
            Files.createFile(Path.of(args[1]));
            System.in.read();
          }
        }
        """);
    Path held = reserved.resolve("held");
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                program.toString(),
                theirs.resolve("lock").toString(),
                held.toString())
            .inheritIO()
            .redirectInput(ProcessBuilder.Redirect.PIPE)
            .start();
    try {
      Eventually.holds("the other process holds its lock", () -> Files.exists(held));
      try (StageFolder second = StageFolder.open(reserved, StageFolderTests::taken, false)) {
        assertThat(second.sharedUnawares()).isTrue();
      }
      assertThat(theirs.resolve("unfinished")).exists();
    } finally {
      other.destroyForcibly().waitFor();
    }
    StageFolder.open(reserved, StageFolderTests::taken, false).close();
    assertThat(theirs).doesNotExist();
  }

  @Test
  void whatWasBeingReplacedIsPutBackAtTheNextStart() throws IOException {
    Path area = Files.createDirectories(reserved.resolve("area"));
    Files.createDirectories(area.resolve("tree"));
    Files.writeString(area.resolve("tree/file"), "precious");
    StageFolder killed = StageFolder.open(reserved, StageFolderTests::taken, false);
    killed.replace(StoragePath.of("/tree"), area.resolve("tree"), Sync.DATA);
    assertThat(area.resolve("tree")).doesNotExist();
    killed.close();
    StageFolder.open(
            reserved,
            (name, tree) -> {
              Files.move(tree, area.resolve(name.href().substring(1)));
              return true;
            },
            false)
        .close();
    assertThat(area.resolve("tree/file")).hasContent("precious");
    assertThat(stages()).isEmpty();
  }

  @Test
  void whatWasBeingReplacedStaysWhereItsPlaceIsTaken() throws IOException {
    Path tree = Files.createDirectories(reserved.resolve("tree/replaced"));
    Files.writeString(tree.resolve("file"), "precious");
    StageFolder killed = StageFolder.open(reserved, StageFolderTests::taken, false);
    killed.replace(StoragePath.of("/tree"), tree.getParent(), Sync.DATA);
    Files.writeString(killed.fresh(), "x");
    killed.close();
    StageFolder.open(reserved, StageFolderTests::taken, false).close();
    assertThat(stages()).hasSize(1);
    try (Stream<Path> left = Files.walk(stages().getFirst())) {
      assertThat(left.filter(Files::isRegularFile).map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder("name", "file");
    }
  }

  @Test
  void whatHasBeenReplacedIsRemovedWholeOrPutBackAtOnce() throws IOException {
    Path tree = Files.createDirectories(reserved.resolve("tree/replaced"));
    StageFolder stage = StageFolder.open(reserved, StageFolderTests::taken, false);
    stage.replace(StoragePath.of("/tree"), tree.getParent(), Sync.NONE).putBack();
    assertThat(tree).exists();
    stage.replace(StoragePath.of("/tree"), tree.getParent(), Sync.NONE).discard();
    assertThat(tree.getParent()).doesNotExist();
    stage.close();
    assertThat(stages()).isEmpty();
  }
}
