package dev.staithe.perf.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.harness.StudyTable;
import dev.staithe.perf.result.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlcsStudyTests {
  @Test
  void everyTargetOfThePlanIsThereAndCanBeMissed() {
    List<Target> targets = StudyTable.of("slcs").promised(false);

    assertThat(targets.stream().map(Target::experiment))
        .containsExactly("flow", "echo-session", "issue", "issue", "issue-peers");
    assertThat(targets)
        .allSatisfy(
            target ->
                assertThat(target.keptBy(target.limit() / 2))
                    .isNotEqualTo(target.keptBy(target.limit() * 2)));
  }
}
