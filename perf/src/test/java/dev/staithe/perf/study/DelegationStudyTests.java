package dev.staithe.perf.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.harness.StudyTable;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelegationStudyTests {
  @Test
  void everyTargetOfThePlanIsThereAndCanBeMissed() {
    List<Target> targets = StudyTable.of("delegation").promised(false);

    assertThat(targets.stream().map(Target::experiment))
        .containsExactly("sustained", "burst", "sustained", "gridsite", "echo-session");
    assertThat(targets)
        .allSatisfy(
            target ->
                assertThat(target.keptBy(target.limit() / 2))
                    .isNotEqualTo(target.keptBy(target.limit() * 2)));
  }

  @Test
  void theBurstIsThatOfThePlanWhereverFiguresCount() {
    assertThat(DelegationTrials.burst(Form.FULL)).isEqualTo(200);
    assertThat(DelegationTrials.burst(Form.SHORT)).isEqualTo(200);
  }
}
