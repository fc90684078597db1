package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class FlameGraphTests {
  @Test
  void framesThatAreTooNarrowEndAtTheirCallers() {
    Map<String, Long> stacks =
        Map.of("main;wide", 400L, "main;narrow;a", 20L, "main;narrow;b", 3L, "other", 577L);
    Map<String, Long> drawn = FlameGraph.drawn(stacks);

    assertThat(drawn)
        .containsExactlyInAnyOrderEntriesOf(Map.of("main", 23L, "main;wide", 400L, "other", 577L));
    assertThat(FlameGraph.drawn(drawn)).isEqualTo(drawn);
  }

  @Test
  void framesThatOnlyPassACallOnAreLeftOutButOurs() {
    String filters = "filter;".repeat(300);
    Map<String, Long> stacks =
        Map.of(
            filters + "dev.staithe.Door.handle;servlet;parse", 600L,
            filters + "dev.staithe.Door.handle;servlet;sign", 390L,
            filters + "log", 10L);
    Map<String, Long> drawn = FlameGraph.drawn(stacks);

    assertThat(drawn)
        .containsOnlyKeys(
            "filter",
            "dev.staithe.Door.handle;servlet;parse",
            "dev.staithe.Door.handle;servlet;sign")
        .containsEntry("filter", 10L);
    assertThat(FlameGraph.drawn(drawn)).isEqualTo(drawn);
  }
}
