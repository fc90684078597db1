package dev.staithe.perf.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DelegationStudyTests {
  @Test
  void everyTargetOfThePlanIsThereAndCanBeMissed() {
    List<Target> targets = DelegationStudy.targets();

    assertThat(targets.stream().map(Target::experiment))
        .containsExactly("sustained", "burst", "sustained", "gridsite", "echo-session");
    assertThat(targets)
        .allSatisfy(
            target ->
                assertThat(target.keptBy(target.limit() / 2))
                    .isNotEqualTo(target.keptBy(target.limit() * 2)));
  }

  @Test
  void theAxisOfClientsIsThatOfThePlan() {
    List<Map<String, String>> points = ActingTrials.points(Form.FULL);

    assertThat(points).startsWith(Map.of("clients", "1")).endsWith(Map.of("clients", "30"));
    assertThat(ActingTrials.points(Form.SHORT)).contains(points.getFirst(), points.getLast());
  }

  @Test
  void theBurstIsThatOfThePlanWhereverFiguresCount() {
    assertThat(DelegationTrials.burst(Form.FULL)).isEqualTo(200);
    assertThat(DelegationTrials.burst(Form.SHORT)).isEqualTo(200);
  }
}
