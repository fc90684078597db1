package dev.staithe.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.process.ManagedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * That every study still measures and reports, by the command that is typed. A test, so that it has
 * the others of this module beside it: for much of its time it waits. Nothing of it is a figure.
 */
final class SmokeIT {
  @Test
  void everyStudyMeasuresAndReports(@TempDir Path folder) throws Exception {
    List<String> command =
        List.of(
            Path.of("run").toAbsolutePath().toString(),
            "--no-build",
            "smoke",
            "--out=" + folder.resolve("pages"));

    try (ManagedProcess process =
        ManagedProcess.start(command, Map.of(), folder.resolve("smoke.log"))) {
      int code = process.awaitEnd(Duration.ofMinutes(20));

      assertThat(code).as(process.output()).isZero();
      assertThat(process.output()).contains("every study measures and reports");
    }
  }
}
