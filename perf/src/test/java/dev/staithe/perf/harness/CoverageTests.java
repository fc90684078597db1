package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which cells of the grid have how many rounds. */
class CoverageTests {
  private final List<Sample> samples = new ArrayList<>();

  private void sample(String who, int round, String streams, @Nullable String voided) {
    samples.add(
        new Sample(
            "stripes",
            who,
            round,
            Map.of("streams", streams),
            1,
            1,
            0,
            1,
            1,
            1,
            0,
            null,
            null,
            voided,
            0,
            Map.of()));
  }

  @Test
  void pointsAndRoundsAreThoseThatCount() {
    for (int round = 1; round <= 3; round++) {
      sample("staithe", round, "1", null);
    }
    sample("staithe", 1, "2", null);
    sample("xrootd", 1, "4", "something else took the machine");
    var run =
        new Results(
            "storage",
            "full",
            Instant.EPOCH,
            1,
            false,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            samples,
            List.of(),
            List.of(),
            List.of(),
            List.of());

    Map<String, Coverage> all =
        Coverage.of(run).stream().collect(Collectors.toMap(Coverage::experiment, each -> each));

    assertThat(all.get("stripes")).isEqualTo(new Coverage("stripes", 2, 4, 1, 1, 3, 1));
    assertThat(all.get("stripes").pointsOfPlanned()).isEqualTo("2 of 4");
    assertThat(all.get("stripes").rounds()).isEqualTo("1 to 3");
    assertThat(all.get("get").rounds()).isEqualTo("not measured");
    assertThat(all).containsKeys("sizes-get", "open").hasSizeGreaterThan(20);
  }
}
