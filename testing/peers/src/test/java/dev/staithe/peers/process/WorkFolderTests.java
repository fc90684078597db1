package dev.staithe.peers.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkFolderTests {
  @TempDir private Path folder;
  private Path home;
  private Path usual;

  @BeforeEach
  void makeCheckout() throws IOException {
    home = Files.createDirectory(folder.resolve("root"));
    usual = home.resolve("staithe/perf/target"); // not built yet
    rights(folder, "rwxr-xr-x");
  }

  @Test
  void rootsServersWorkElsewhereWhereTheyMayNotEnterTheCheckout() throws IOException {
    rights(home, "rwx------");

    assertThat(WorkFolder.barrier(usual)).contains(home);
    assertThat(WorkFolder.named("work-7", usual, true))
        .isEqualTo(Path.of("/var/tmp/staithe-work-7"));
  }

  @Test
  void serversOfAPersonWorkInThePersonsCheckout() throws IOException {
    rights(home, "rwx------");

    assertThat(WorkFolder.named("work-7", usual, false)).isEqualTo(usual.resolve("work-7"));
  }

  @Test
  void checkoutThatAllMayEnterIsGoodForRoot() throws IOException {
    rights(home, "rwx--x--x");

    assertThat(WorkFolder.barrier(usual)).isEmpty();
    assertThat(WorkFolder.named("work-7", usual, true)).isEqualTo(usual.resolve("work-7"));
  }

  private static void rights(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }
}
