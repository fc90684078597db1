package dev.staithe.storage.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledIf(
    value = "isAvailable",
    disabledReason = "this kernel has no openat2: Java's own way is taken")
class LookTests {
  @TempDir Path folder;
  private int area;

  static boolean isAvailable() {
    return Descriptors.AVAILABLE;
  }

  @BeforeEach
  void hold() throws IOException {
    Files.createDirectories(folder.resolve("area/sub/empty"));
    Files.writeString(folder.resolve("area/sub/ä file"), "these bytes");
    Files.writeString(folder.resolve("outside"), "secret");
    Files.createSymbolicLink(folder.resolve("area/to-file"), Path.of("sub/ä file"));
    Files.createSymbolicLink(folder.resolve("area/to-folder"), Path.of("sub"));
    Files.createSymbolicLink(folder.resolve("area/to-nothing"), Path.of("none"));
    Files.createSymbolicLink(folder.resolve("area/to-outside"), Path.of("../outside"));
    area = Descriptors.folder(folder.resolve("area"));
  }

  @AfterEach
  void release() {
    Descriptors.close(area);
  }

  private FileStatus found(String way) {
    assertThat(Descriptors.look(area, way)).isInstanceOf(Look.Found.class);
    return ((Look.Found) Descriptors.look(area, way)).status();
  }

  @Test
  void tellsOfAFileAndAFolderWhatALookByNameTells() throws IOException {
    FileStatus file = found("sub/ä file");
    assertThat(file).isEqualTo(Descriptors.status(area, "sub/ä file"));
    assertThat(file.size()).isEqualTo(11);
    assertThat(found("sub/empty").isDirectory()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "sub/none", "none/none", "sub/empty/none/none"})
  void nothingIsThere(String way) {
    assertThat(Descriptors.look(area, way)).isEqualTo(Look.Other.NOTHING);
  }

  /** Nor is a link that leads nowhere nothing: what would be written there lies elsewhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "to-file",
        "to-nothing",
        "to-outside",
        "to-folder",
        "to-folder/ä file",
        "to-folder/none",
        "to-nothing/none",
        "sub/ä file/none",
        "../outside",
        "/etc/passwd"
      })
  void whereALinkOrAFileIsInTheWayOrTheWayLeavesTheFolderItSaysNothing(String way) {
    assertThat(Descriptors.look(area, way)).isEqualTo(Look.Other.UNCLEAR);
  }

  @Test
  void holdsNothingAfterwards() throws IOException {
    long before = open();
    for (int i = 0; i < 100; i++) {
      Descriptors.look(area, "sub/ä file");
      Descriptors.look(area, "none");
      Descriptors.look(area, "to-file");
    }
    assertThat(open()).isLessThan(before + 50); // other threads of this process have some too
  }

  private static long open() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }
}
