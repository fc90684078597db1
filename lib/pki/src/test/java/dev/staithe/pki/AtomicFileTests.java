package dev.staithe.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTests {
  @TempDir private Path folder;

  @Test
  void aFileIsReplacedByOneWithThePermissionsThatWereNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("a"), "before");

    AtomicFile.write(file, new byte[] {'n', 'o', 'w'}, "rw-------");

    assertThat(file).hasContent("now");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(folder.toFile().list()).containsExactly("a");
  }

  @Test
  void whatIsNoFileStays() throws Exception {
    Path pipe = folder.resolve("pipe"); // As /dev/null, which root could replace.
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path link = Files.createSymbolicLink(folder.resolve("link"), pipe);
    Path taken = Files.createDirectory(folder.resolve("taken"));

    for (Path each : new Path[] {pipe, link}) {
      assertThatThrownBy(() -> AtomicFile.write(each, new byte[1], "rw-------"))
          .isInstanceOf(IOException.class)
          .hasMessage("it is no plain file");
    }
    assertThatThrownBy(() -> AtomicFile.write(taken, new byte[1], "rw-------"))
        .hasMessage("it is a folder");

    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("pipe", "link", "taken");
  }
}
