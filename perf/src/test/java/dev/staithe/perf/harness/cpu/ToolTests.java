package dev.staithe.perf.harness.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.staithe.peers.process.Core;
import dev.staithe.perf.lean.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolTests {
  private static final String BUSY = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";

  private final Tool tool = new Tool(Core.ANY);

  @TempDir Path folder;

  /** The child's own word for it, to the millisecond, is the known truth. */
  @Test
  void theCpuSecondsOfABusyChildAreCounted() throws IOException {
    Outcome outcome = shell(BUSY + "; times > told");
    double told = 0;
    String[] words = Files.readAllLines(folder.resolve("told")).getFirst().split(" ");
    for (String word : words) {
      told += Double.parseDouble(word.replaceAll("^0m|s$", ""));
    }

    assertThat(told).isGreaterThan(0.05);
    assertThat(tool.getAsDouble() / told).isCloseTo(1, within(0.2));
    assertThat(outcome.requests()).isEqualTo(1);
    assertThat(outcome.bytes()).isEqualTo(42);
    assertThat(outcome.seconds()).isGreaterThan(told * 0.5);
  }

  @Test
  void theShellMayWriteTheDecimalCommaOfTheUsersLanguage() {
    assertThat(Tool.cpuSeconds("done\n0m9,000s 0m9,000s\n1m1,250s 0m0,500s\n"))
        .isCloseTo(61.75, within(1e-9));
    assertThat(Tool.cpuSeconds("0m9.000s 0m9.000s\n0m1.250s 0m0.500s\n"))
        .isCloseTo(1.75, within(1e-9));
  }

  @Test
  void theCpuSecondsOfAllRunsAddUp() throws IOException {
    shell(BUSY);
    double once = tool.getAsDouble();
    shell(BUSY);

    assertThat(tool.getAsDouble()).isGreaterThan(once * 1.3);
  }

  @Test
  void aToolThatFailsIsAnErrorWithItsLastWordsInOneLine() throws IOException {
    Outcome outcome = shell("echo first; echo 'no such host' >&2; exit 6");

    assertThat(outcome.requests()).isZero();
    assertThat(outcome.errors()).isEqualTo(1);
    assertThat(outcome.bytes()).isZero();
    assertThat(outcome.failure()).isEqualTo("bash ended with 6: no such host");
  }

  @Test
  void aToolThatIsNotThereIsAnErrorInOneLine() throws IOException {
    Outcome outcome = tool.run(List.of("no-such-tool"), "", folder, 1);

    assertThat(outcome.errors()).isEqualTo(1);
    assertThat(outcome.failure()).startsWith("no-such-tool ended with 127: ").doesNotContain("\n");
  }

  @Test
  void aFolderThatIsNotThereIsAnException() {
    assertThatThrownBy(() -> tool.run(List.of("true"), "", folder.resolve("none"), 1))
        .isInstanceOf(IOException.class);
  }

  @Test
  void secretsGoInByStandardInput() throws IOException {
    Outcome outcome =
        tool.run(
            List.of("bash", "-c", "grep -qx 'Authorization: x'"), "Authorization: x\n", folder, 1);

    assertThat(outcome.errors()).isZero();
  }

  @Test
  void aToolThatDoesNotReadItsInputIsNoError() throws IOException {
    Outcome outcome = tool.run(List.of("true"), "x".repeat(1 << 20), folder, 1);

    assertThat(outcome.errors()).isZero();
  }

  private Outcome shell(String script) throws IOException {
    return tool.run(List.of("bash", "-c", script), "", folder, 42);
  }
}
