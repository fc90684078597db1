package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StackLinesTests {
  @Test
  void aLineBeginsWithTheFramesOfTheOneBefore() {
    Map<String, Long> stacks = Map.of("main;a;b", 3L, "main;a;c", 4L, "main", 1L, "other", 2L);
    List<String> lines = new StackLines.Written().convert(stacks);

    assertThat(lines).containsExactly("0 main 1", "1 a;b 3", "2 c 4", "0 other 2");
    assertThat(new StackLines.Read().convert(lines)).isEqualTo(stacks);
  }

  @Test
  void namesWithBlanksAreKept() {
    Map<String, Long> stacks = Map.of("all 3 threads;run it", 5L);
    assertThat(new StackLines.Read().convert(new StackLines.Written().convert(stacks)))
        .isEqualTo(stacks);
  }

  @Test
  void whatIsNoStackIsRefused() {
    assertThatThrownBy(() -> new StackLines.Read().convert(List.of("0 5")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
