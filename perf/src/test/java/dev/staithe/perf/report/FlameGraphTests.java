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
        .contains("x=\"0\" y=\"34\" width=\"749.3\"><title>left, 75.0 %</title>")
        .contains("x=\"750\" y=\"34\" width=\"249.3\"><title>right, 25.0 %</title>");
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
  void framesThatAreTooNarrowEndAtTheirCallers() {
    Map<String, Long> stacks =
        Map.of("main;wide", 970L, "main;narrow;a", 20L, "main;narrow;b", 3L, "other", 7L);
    Map<String, Long> drawn = FlameGraph.drawn(stacks);

    assertThat(drawn)
        .containsExactlyInAnyOrderEntriesOf(Map.of("main", 23L, "main;wide", 970L, "other", 7L));
    assertThat(FlameGraph.drawn(drawn)).isEqualTo(drawn);
    assertThat(FlameGraph.draw(drawn)).contains("<title>wide, 97.0 %</title>");
  }
}
