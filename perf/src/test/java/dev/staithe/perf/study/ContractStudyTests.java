package dev.staithe.perf.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.harness.StudyTable;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.result.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContractStudyTests {
  @Test
  void everyRowOfThePlanIsThere() {
    List<Target> targets = StudyTable.of("contracts").promised(false);

    assertThat(targets.stream().map(Target::experiment))
        .containsExactly("small", "small", "small", "pull", "affinity", "log", "log", "log", "log");
    assertThat(targets.stream().map(Target::limit))
        .containsExactly(1.0, 1.0, 0.5, 1.05, 0.9, 1.0, 1.0, 1.0, 1.0);
  }

  @Test
  void bothServersAreInAFigureOfBoth() {
    var sample =
        new Sample(
            "pull", "staithe", 1, Map.of(), 1L << 30, 10, 0, 2, 0.75, 0, 0, null, null, null, 0.25,
            Map.of());

    assertThat(Measure.CPU_OF_BOTH_PER_GIB.of(sample)).isEqualTo(1);
    assertThat(Measure.TRANSFERS_PER_CPU.of(sample)).isEqualTo(10);
    assertThat(Measure.SENDER_CPU.of(sample)).isEqualTo(25);
    assertThat(Measure.MILLISECONDS_EACH.of(sample)).isEqualTo(200);
  }
}
