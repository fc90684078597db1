package dev.staithe.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SmokeCommandTests {
  private static final List<Sample> ALL =
      List.of(
          sample("echo", "staithe", 10, 0),
          sample("flow", "floor", 10, 0),
          sample("flow", "staithe-ecp", 10, 0),
          sample("flow", "staithe-flow", 10, 0),
          sample("issue", "signing", 10, 0),
          sample("issue", "staithe-rsa", 10, 0));

  @Test
  void whatWasPromisedAndMeasuredIsNoComplaint() {
    assertThat(SmokeCommand.complaints("slcs", ALL)).isEmpty();
  }

  @Test
  void whoIsMissingIsNamed() {
    assertThat(SmokeCommand.complaints("slcs", ALL.subList(1, ALL.size())))
        .containsExactly("slcs: not measured: echo of staithe");
    assertThat(SmokeCommand.complaints("slcs", List.of())).hasSize(ALL.size());
  }

  @Test
  void failuresAndWarmUpsAreNoMeasurement() {
    for (Sample useless :
        List.of(
            sample("echo", "staithe", 10, 1),
            sample("echo", "staithe", 0, 0),
            sample(0, "echo", "staithe", 10, 0))) {
      var samples = new ArrayList<>(ALL.subList(1, ALL.size()));
      samples.add(useless);
      assertThat(SmokeCommand.complaints("slcs", samples))
          .containsExactly("slcs: not measured: echo of staithe");
    }
  }

  @Test
  void whoWasNotPromisedIsNamed() {
    var samples = new ArrayList<>(ALL);
    samples.add(sample("issue", "myproxy", 10, 0));
    assertThat(SmokeCommand.complaints("slcs", samples))
        .containsExactly("slcs: unexpected: issue of myproxy");
  }

  private static Sample sample(String experiment, String contestant, long requests, long errors) {
    return sample(1, experiment, contestant, requests, errors);
  }

  private static Sample sample(
      int round, String experiment, String contestant, long requests, long errors) {
    return new Sample(
        experiment,
        contestant,
        round,
        Map.of(),
        0,
        requests,
        errors,
        1,
        1,
        1,
        0,
        null,
        null,
        null,
        0,
        Map.of());
  }
}
