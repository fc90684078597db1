package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestFilesTests {
  @TempDir Path folder;

  @Test
  void serversShareOneFileOfRandomBytesThatAllMayRead() throws IOException {
    var files = new TestFiles(folder.resolve("work"));
    Path a = files.newFolder("a");
    Path b = files.newFolder("b");
    long size = (1 << 20) + 5;
    String name = files.give(a, size);

    assertThat(files.give(b, size)).isEqualTo(name);
    assertThat(files.give(b, size)).as("given again").isEqualTo(name);
    assertThat(a.resolve(name)).hasSize(size);
    assertThat(Files.getAttribute(a.resolve(name), "unix:ino"))
        .isEqualTo(Files.getAttribute(b.resolve(name), "unix:ino"));
    assertThat(Files.getPosixFilePermissions(a.resolve(name)))
        .contains(PosixFilePermission.OTHERS_READ);
    assertThat(zeros(Files.readAllBytes(a.resolve(name)))).isLessThan(size / 100);
  }

  @Test
  void deletingUploadsLeavesTheFilesThatAreFetched() throws IOException {
    var files = new TestFiles(folder.resolve("work"));
    Path data = files.newFolder("data");
    String name = files.give(data, 10);
    Files.writeString(data.resolve("put-0"), "x");
    Files.writeString(data.resolve("put-17"), "x");
    files.deleteUploads(data);

    assertThat(data).isDirectoryNotContaining("glob:**/put-*");
    assertThat(data.resolve(name)).exists();
  }

  @Test
  void aFolderIsFilledWithAsManyEntriesAsAskedForAndNotTwice() throws IOException {
    Path many = folder.resolve("many");
    TestFiles.fill(many, 30);
    TestFiles.fill(many, 30);

    assertThat(many.toFile().list()).hasSize(30);
  }

  @Test
  void everythingIsDeletedAtTheEndAndDeletingAgainDoesNoHarm() throws IOException {
    var files = new TestFiles(folder.resolve("work"));
    TestFiles.fill(files.newFolder("data"), 3);
    files.give(files.newFolder("other"), 10);
    files.delete();
    files.delete();

    assertThat(folder).isEmptyDirectory();
  }

  private static long zeros(byte[] bytes) {
    long zeros = 0;
    for (byte each : bytes) {
      zeros += each == 0 ? 1 : 0;
    }
    return zeros;
  }
}
