package dev.staithe.perf.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlcsStudyTests {
  @Test
  void everyTargetOfThePlanIsThereAndCanBeMissed() {
    List<Target> targets = SlcsStudy.targets();

    assertThat(targets.stream().map(Target::experiment))
        .containsExactly("flow", "echo-session", "issue", "issue", "issue-peers");
    assertThat(targets)
        .allSatisfy(
            target ->
                assertThat(target.keptBy(target.limit() / 2))
                    .isNotEqualTo(target.keptBy(target.limit() * 2)));
  }

  @Test
  void theAxisOfClientsIsThatOfThePlan() {
    List<Map<String, String>> points = EchoTrials.clients(Form.FULL);

    assertThat(points).startsWith(Map.of("clients", "1")).endsWith(Map.of("clients", "50"));
    assertThat(EchoTrials.clients(Form.SHORT)).contains(points.getFirst(), points.getLast());
  }
}
