package dev.staithe.storage.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private List<Path> stages() throws IOException {
    try (Stream<Path> stages = Files.list(reserved.resolve("stage"))) {
      return stages.toList();
    }
  }

  @Test
  void whatAnEarlierRunLeftIsRemovedAtTheNextStart() throws IOException {
    Path left = leftover("earlier");
    Path withoutLock = Files.createDirectories(reserved.resolve("stage/never-locked"));
    StageFolder.open(reserved).close();
    assertThat(left).doesNotExist();
    assertThat(withoutLock).doesNotExist();
  }

  @Test
  void sweepingFollowsNoLinks() throws IOException {
    Path precious = Files.createDirectories(reserved.resolve("precious"));
    Files.writeString(precious.resolve("file"), "x");
    Files.createSymbolicLink(leftover("earlier").resolve("tree/link"), precious);
    Files.createSymbolicLink(reserved.resolve("stage/link"), precious);
    StageFolder.open(reserved).close();
    assertThat(precious.resolve("file")).hasContent("x");
  }

  @Test
  void folderOfAnotherStoreInThisProcessIsLeftAlone() throws IOException {
    StageFolder first = StageFolder.open(reserved);
    Path unfinished = Files.writeString(first.fresh(), "x");
    StageFolder second = StageFolder.open(reserved);
    assertThat(unfinished).exists();
    second.close();
    assertThat(unfinished).exists();
    first.close();
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
      StageFolder.open(reserved).close();
      assertThat(theirs.resolve("unfinished")).exists();
    } finally {
      other.destroyForcibly().waitFor();
    }
    StageFolder.open(reserved).close();
    assertThat(theirs).doesNotExist();
  }
}
