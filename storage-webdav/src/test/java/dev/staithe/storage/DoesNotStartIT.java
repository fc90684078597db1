package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.RefusedStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Areas with which this service does not start; {@link OneLineFailureTests} has all settings. */
class DoesNotStartIT {
  @TempDir private Path folder;

  private RefusedStart start() {
    return RefusedStart.of("storage-webdav", folder)
        .given("staithe.areas[0].name=data", "staithe.areas[0].root=~/data");
  }

  @Test
  void rootThatIsMissingIsNamed() {
    assertThat(start().line())
        .isEqualTo("staithe.areas[0].root = \"~/data\": must be a folder that this user can write");
  }

  @Test
  void rootThatThisUserCannotWriteIsNamed() throws IOException {
    Files.createDirectory(
        folder.resolve("data"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
    assertThat(start().unprivileged().line())
        .isEqualTo("staithe.areas[0].root = \"~/data\": must be a folder that this user can write");
  }
}
