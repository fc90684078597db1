package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class FlameGraphTests {
  @Test
  void framesThatAreTooNarrowEndAtTheirCallers() {
    Map<String, Long> stacks =
        Map.of("main;wide", 970L, "main;narrow;a", 20L, "main;narrow;b", 3L, "other", 7L);
    Map<String, Long> drawn = FlameGraph.drawn(stacks);

    assertThat(drawn)
        .containsExactlyInAnyOrderEntriesOf(Map.of("main", 23L, "main;wide", 970L, "other", 7L));
    assertThat(FlameGraph.drawn(drawn)).isEqualTo(drawn);
  }
}
