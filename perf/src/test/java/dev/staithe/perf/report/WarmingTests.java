package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.result.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A figure whose rounds still fall is no figure. */
class WarmingTests {
  private static final Target TARGET =
      new Target(
          "CPU of a small request",
          Measure.CPU_PER_REQUEST,
          "small-get",
          "staithe",
          Map.of(),
          "nginx",
          Map.of(),
          Target.Bound.AT_MOST,
          3);

  private static Sample sample(String who, int round, double micros) {
    return new Sample(
        "small-get",
        who,
        round,
        Map.of(),
        1_024_000,
        1000,
        0,
        1,
        micros / 1e3,
        0.5,
        0,
        null,
        null,
        null,
        0,
        Map.of());
  }

  private static Results run(double... micros) {
    var samples = new ArrayList<Sample>();
    for (int i = 0; i < micros.length; i++) {
      samples.add(sample("staithe", i + 1, micros[i]));
      samples.add(sample("nginx", i + 1, i % 2 == 0 ? 80 : 81));
    }
    return new Results(
        "storage",
        "short",
        Instant.parse("2026-03-01T12:30:00Z"),
        60,
        true,
        Map.of("processor", "one"),
        List.of(),
        List.of(
            new Experiment(
                "small-get",
                "GET of 1 KiB",
                "",
                Measure.CPU_PER_REQUEST,
                "",
                List.of("staithe", "nginx"),
                List.of())),
        List.of(TARGET),
        samples,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  @Test
  void aFigureWhoseRoundsStillFallIsMarkedAndNotJudged() {
    Results cold = run(503, 340, 215);

    assertThat(TargetOutcome.of(cold))
        .containsExactly(
            new TargetOutcome.NotMeasured(
                TARGET,
                "staithe was not warm, its rounds still got better: 0.503, 0.340, 0.215 server CPU"
                    + " ms/request"));
    assertThat(Page.html(List.of(cold)))
        .contains("not warm", "still better by each round: 0.503, 0.340, 0.215")
        .doesNotContain(">0.340<");
    assertThat(Figure.of(cold)).extracting(Figure::who).containsExactly("nginx");
  }

  @Test
  void oneThatHasSettledIsAFigureWhateverItsFirstRound() {
    for (double[] rounds : new double[][] {{503, 215, 214}, {215, 220, 214}, {215, 240, 300}}) {
      assertThat(TargetOutcome.of(run(rounds))).hasOnlyElementsOfType(TargetOutcome.Judged.class);
      assertThat(Page.html(List.of(run(rounds)))).doesNotContain("not warm");
    }
  }
}
