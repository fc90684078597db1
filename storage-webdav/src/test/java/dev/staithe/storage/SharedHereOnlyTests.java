package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Printed;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shared area whose file system was not mounted, so that it is in a folder of this machine. */
class SharedHereOnlyTests {
  @TempDir private Path folder;

  @Test
  void isSaidAtTheStart() {
    RunningStorage first = RunningStorage.shared();
    String printed;
    try (Printed output = Printed.listen()) {
      RunningStorage.beside(first, folder, Map.of("staithe.areas[0].shared", true)).close();
      printed = output.text();
    }
    assertThat(printed)
        .containsPattern("area data is shared, and on [a-z0-9]+, which no other machine has")
        .doesNotContain("area open is shared");
  }
}
