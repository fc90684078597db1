package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeterTests {
  @TempDir private Path folder;

  @Test
  void anotherProcessOfThatNumberIsNotTheKernel() throws IOException {
    Path name = Files.writeString(folder.resolve("comm"), "bash\n");

    assertThat(Meter.kernel(name)).isEmpty();
    assertThat(Meter.kernel(folder.resolve("none"))).isEmpty();
    assertThat(Meter.kernel(Files.writeString(name, "kthreadd\n"))).containsExactly(2L);
  }
}
