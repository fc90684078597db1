package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class FlameGraphTests {
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
}
