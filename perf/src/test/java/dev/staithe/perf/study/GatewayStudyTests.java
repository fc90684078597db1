package dev.staithe.perf.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.harness.StudyTable;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.result.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayStudyTests {
  @Test
  void everyTargetOfThePlanIsThereAndCanBeMissed() {
    List<Target> targets = StudyTable.of("gateway").promised(false);

    assertThat(targets.stream().map(target -> target.experiment() + " " + target.limit()))
        .containsExactly(
            "x509 0.75",
            "policies 6.0",
            "conversation 3.0",
            "x509 0.5",
            "conversation 0.2",
            "policies 0.4",
            "none 4.0",
            "large 3.0",
            "large 3.0");
    assertThat(targets)
        .allSatisfy(
            target ->
                assertThat(target.keptBy(target.limit() / 2))
                    .isNotEqualTo(target.keptBy(target.limit() * 2)));
  }

  @Test
  void aRequestAndItsAnswerAreTwoMessages() {
    var sample =
        new Sample(
            "x509",
            "staithe-x509",
            1,
            Map.of(),
            0,
            300,
            0,
            1,
            0.5,
            0,
            0,
            null,
            null,
            null,
            0,
            Map.of());

    assertThat(Measure.MESSAGES_PER_CPU.of(sample)).isEqualTo(1200);
  }

  @Test
  void whatCollectionsLeaveIsReadFromTheLogOfTheRuntime() {
    assertThat(
            GatewayMemory.left(
                """
                [0.010s][info][gc] Using Serial
                [1.201s][info][gc] GC(3) Pause Young (Allocation Failure) 34M->12M(123M) 5.1ms
                [2.102s][info][gc] GC(4) Pause Full (Diagnostic Command) 40M->11M(123M) 21.442ms
                [2.402s][info][gc] GC(5) Pause Full (Allocation Failure) 122M->71M(123M) 40.1ms
                """))
        .containsExactly(11L << 20, 71L << 20);
  }
}
