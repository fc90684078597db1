package dev.staithe.service.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.service.RunningSample;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRoomTests {
  @Test
  void eachThatDoesNotFitIsNamedWithBothNumbers() {
    assertThat(new ProcessRoom(1024, 100 << 20, 64 << 20).lacking(2000, 128 << 10))
        .containsExactly(
            "8000 descriptors (ulimit -n is 1024)",
            "250 MiB of heap (-Xmx is 100 MiB)",
            "500 MiB of direct memory (-XX:MaxDirectMemorySize is 64 MiB)");
  }

  @Test
  void whatFitsIsNotSpokenOf() {
    assertThat(new ProcessRoom(8000, 250 << 20, 500 << 20).lacking(2000, 128 << 10)).isEmpty();
    assertThat(new ProcessRoom(8000, 250 << 20, 125 << 20).lacking(2000, 0)).isEmpty();
  }

  @Test
  void everyServiceSaysInOneLineAtItsStartWhatItsLimitOfConnectionsMayTake(@TempDir Path folder) {
    PrintStream before = System.out;
    var told = new ByteArrayOutputStream();
    // Spring's log begins anew, on what is standard output at that moment.
    System.setOut(new PrintStream(told, true, StandardCharsets.UTF_8));
    try (RunningSample sample =
        new RunningSample(folder, Map.of("staithe.limits.connections", 100_000))) {
      assertThat(sample.port()).isPositive();
    } finally {
      System.setOut(before);
    }
    assertThat(told.toString(StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.contains("staithe.limits.connections is 100000, which may take "))
        .hasSize(1)
        .first()
        .asString()
        .contains(" WARN ", "12500 MiB of heap (-Xmx is ");
  }
}
