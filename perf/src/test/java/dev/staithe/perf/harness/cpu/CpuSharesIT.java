package dev.staithe.perf.harness.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The kernel holds a busy process to its share, or it is said in a line that this may not ask. */
class CpuSharesIT {
  private static final String NAME = "staithe-test-" + ProcessHandle.current().pid();

  @Test
  void whoIsBusyIsHeldToItsShare() throws Exception {
    CpuShares opened;
    try {
      opened = CpuShares.open();
    } catch (IOException e) {
      assertThat(e).hasMessageStartingWith("no CPU shares: ").hasMessageContaining("run it");
      return;
    }
    Process busy = new ProcessBuilder(List.of("bash", "-c", "while :; do :; done")).start();
    try (CpuShares shares = opened) {
      shares.give(NAME, Set.of(busy.pid()), 0.1);
      Eventually.holds("it is made to wait", () -> throttled() > 0);
    } finally {
      busy.destroyForcibly().waitFor();
    }
    assertThat(group()).isEmpty();
  }

  private static List<Path> group() {
    try (Stream<Path> found =
        Files.find(Path.of("/sys/fs/cgroup"), 9, (path, about) -> path.endsWith(NAME))) {
      return found.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long throttled() {
    try {
      for (Path each : group()) {
        for (String line : Files.readAllLines(each.resolve("cpu.stat"))) {
          if (line.startsWith("nr_throttled ")) {
            return Long.parseLong(line.substring("nr_throttled ".length()));
          }
        }
      }
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
