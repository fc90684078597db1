package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlameGraphTests {
  @TempDir Path folder;

  @Test
  void widthIsTheShareOfSamples() {
    String svg = FlameGraph.draw(Map.of("main;left", 750L, "main;right", 250L));
    assertThat(svg)
        .contains("<title>main, 100.0 %</title>")
        .contains(
            "<title>left, 75.0 %</title>\n<rect class=\"library\" x=\"0.0\" y=\"34.0\" width=\"749.3\"")
        .contains(
            "<title>right, 25.0 %</title>\n<rect class=\"library\" x=\"750.0\" y=\"34.0\" width=\"249.3\"");
  }

  @Test
  void namesOfFramesAreEscaped() {
    assertThat(FlameGraph.draw(SampleRun.stacks()))
        .contains("dev.staithe.storage.files.FileStore.&lt;init&gt;")
        .doesNotContain("<init>");
  }

  @Test
  void noSamplesMakeAnEmptyDrawing() {
    assertThat(FlameGraph.draw(Map.of())).contains("0 samples");
  }

  @Test
  void busyMethodIsFoundInARecording() throws IOException {
    Path file = folder.resolve("busy.jfr");
    try (var recording = new Recording()) {
      recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
      recording.start();
      assertThat(spin(Duration.ofSeconds(1))).isNotZero();
      recording.stop();
      recording.dump(file);
    }
    assertThat(ProfileReader.read(file).keySet())
        .anyMatch(
            stack ->
                stack.contains("FlameGraphTests.busyMethodIsFoundInARecording;")
                    && stack.contains("FlameGraphTests.spin"));
  }

  @Test
  void fileThatIsNoRecordingIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("other.jfr"), "no recording");
    assertThatThrownBy(() -> ProfileReader.read(file)).isInstanceOf(IOException.class);
  }

  private static double spin(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    double sum = 1;
    while (System.nanoTime() < end) {
      sum += Math.sin(sum);
    }
    return sum;
  }
}
