package dev.staithe.storage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere Java's own way is taken")
class LinuxFilesTests {
  @TempDir Path folder;

  @Test
  void theCallsAreThere() {
    assertThat(LinuxFiles.AVAILABLE).isTrue();
  }

  @Test
  void spaceIsSetAsideWithoutChangingTheLength() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(LinuxFiles.allocate(file, 64L << 20)).isEqualTo(LinuxFiles.Room.SET_ASIDE);
    assertThat(file).hasSize(0);
    assertThat(blocksOf512Bytes(file)).isGreaterThanOrEqualTo((64L << 20) / 512);
  }

  @Test
  void moreThanTheFileSystemHasIsFull() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    long tooMuch = Files.getFileStore(file).getTotalSpace() * 2;
    assertThat(LinuxFiles.allocate(file, tooMuch)).isNotEqualTo(LinuxFiles.Room.SET_ASIDE);
    assertThat(file).hasSize(0);
  }

  @Test
  void aFileThatIsNotThereOrIsALinkGetsNoSpace() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertThat(LinuxFiles.allocate(folder.resolve("none"), 1)).isEqualTo(LinuxFiles.Room.UNKNOWN);
    assertThat(LinuxFiles.allocate(link, 1)).isEqualTo(LinuxFiles.Room.UNKNOWN);
  }

  @Test
  void attributesAreReadAsJavaWroteThem() throws IOException {
    Path file = Files.createFile(folder.resolve("mit Umlaut ä"));
    String longer = "x".repeat(1000);
    write(file, "short", "ä value");
    write(file, "long", longer);
    assertThat(read(file, "short", 512)).isEqualTo("ä value");
    assertThat(read(file, "long", 4096)).isEqualTo(longer);
  }

  @Test
  void attributesThatAreAbsentOrTooLongOrOfALinkAreNone() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    write(file, "long", "x".repeat(1000));
    assertThat(LinuxFiles.attribute(file, "none", 512)).isNull();
    assertThat(LinuxFiles.attribute(file, "long", 999)).isNull();
    assertThat(LinuxFiles.attribute(link, "long", 4096)).isNull();
    assertThat(LinuxFiles.attribute(folder.resolve("none"), "long", 4096)).isNull();
  }

  /** Who takes one that cannot be read for none writes over it. */
  @Test
  void attributeThatCannotBeReadIsNotSaidToBeNone() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(LinuxFiles.knownAttribute(file, "none", 512)).isNull();
    for (Path each : List.of(folder.resolve("none"), file.resolve("below"))) {
      assertThatThrownBy(() -> LinuxFiles.knownAttribute(each, "none", 512))
          .isInstanceOf(FileSystemException.class);
    }
  }

  /** Java does not tell how much of a file is on the disk. */
  private static long blocksOf512Bytes(Path file) throws IOException {
    Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
    return Long.parseLong(
        new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
  }

  private static void write(Path file, String name, String value) throws IOException {
    Files.getFileAttributeView(file, UserDefinedFileAttributeView.class)
        .write(name, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
  }

  private static String read(Path file, String name, int longest) {
    byte[] value = LinuxFiles.attribute(file, name, longest);
    assertThat(value).isNotNull();
    return new String(value, StandardCharsets.UTF_8);
  }
}
