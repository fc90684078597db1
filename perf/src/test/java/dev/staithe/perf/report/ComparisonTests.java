package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.staithe.perf.fit.Spread;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComparisonTests {
  private final Results before = SampleRun.results();

  private static Comparison.Change of(Comparison comparison, String experiment, String contestant) {
    return comparison.changes().stream()
        .filter(c -> c.experiment().equals(experiment) && c.contestant().equals(contestant))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void runComparedWithItselfHasNoChange() {
    var comparison = Comparison.of(before, before);
    assertThat(comparison.warnings()).isEmpty();
    assertThat(comparison.changes())
        .isNotEmpty()
        .allSatisfy(c -> assertThat(c.share()).isZero())
        .allSatisfy(c -> assertThat(c.mark()).isEmpty());
  }

  @Test
  void halfOfTheCpuIsAClearChangeForTheBetterAndOnlyOurs() {
    var comparison = Comparison.of(before, SampleRun.of(0.5, true));
    var change = of(comparison, "HTTPS GET, one stream", "staithe");
    assertThat(change.share()).isCloseTo(-0.5, within(1e-9));
    assertThat(change.mark()).isEqualTo("better");
    assertThat(of(comparison, "HTTPS GET, one stream", "nginx").mark()).isEmpty();
    assertThat(comparison.text()).containsPattern("staithe .*−50\\.0 %  better");
  }

  @Test
  void moreCpuIsWorse() {
    var comparison = Comparison.of(before, SampleRun.of(3, true));
    assertThat(of(comparison, "HTTPS GET, one stream", "staithe").mark()).isEqualTo("worse");
  }

  @Test
  void oneValueOnASideShowsNoClearChange() {
    assertThat(change(Spread.of(1.0), Spread.of(1.1)).mark()).isEmpty();
    assertThat(change(Spread.of(1.0, 1.01), Spread.of(1.1)).mark()).isEmpty();
    assertThat(change(Spread.of(1.0, 1.01), Spread.of(1.1, 1.11)).mark()).isEqualTo("worse");
  }

  private static Comparison.Change change(Optional<Spread> before, Optional<Spread> after) {
    return new Comparison.Change(
        "start", "staithe", Map.of(), Measure.SECONDS, before.orElseThrow(), after.orElseThrow());
  }

  @Test
  void differentMachinesAndFormsAreSaidFirst() {
    var other =
        new Results(
            "storage",
            "full",
            before.started(),
            1,
            false,
            Map.of("processor", "Other CPU", "kernel", "Linux 6.1", "java", "25.0.1"),
            before.parties(),
            before.experiments().subList(0, 2),
            List.of(),
            before.samples(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    assertThat(Comparison.of(before, other).warnings())
        .contains(
            "different forms: short, then full",
            "different machine, processor: Example CPU @ 2.60GHz, 2 cores, then Other CPU",
            "the second run is incomplete",
            "only in the first run: GET by size");
    assertThat(Comparison.of(other, before).warnings())
        .contains("only in the second run: GET by size");
    assertThat(Comparison.of(before, other).text()).startsWith("! different forms");
  }

  @Test
  void pageLoadsNothingAndHasTheTable(@TempDir Path folder) throws Exception {
    Comparison.of(before, SampleRun.of(0.5, true)).write(folder.resolve("compare.html"));
    assertThat(Files.readString(folder.resolve("compare.html")))
        .contains("▲ better")
        .doesNotContain("://")
        .doesNotContain("src=");
  }
}
