package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.staithe.perf.result.Distribution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatlingCostTests {
  private static final List<String> HEADINGS = List.of("Total", "OK", "50th pct", "99th pct");

  @TempDir Path folder;

  private static GatlingCost.Measured measured(String half, String most) {
    var report =
        new GatlingReport(
            "download-1",
            "3",
            "today",
            "a minute",
            List.of(),
            HEADINGS,
            List.of(
                new GatlingReport.Requests("All Requests", List.of("1,200", "1,200", "1", "2")),
                new GatlingReport.Requests("prepare file", List.of("1", "1", "90", "90")),
                new GatlingReport.Requests("download [warm]", List.of("199", "199", "7", "8")),
                new GatlingReport.Requests("download", List.of("1,000", "1,000", half, most))));
    return new GatlingCost.Measured(report, 1.2, 10);
  }

  private static GatlingCost cost(String half, String most, String cannedHalf, String cannedMost) {
    var lean = new Distribution(10, 5, new TreeMap<>(Map.of(50.0, 1_500_000L)));
    return GatlingCost.of(
        "download",
        "a processor",
        0.01,
        measured(half, most),
        measured(cannedHalf, cannedMost),
        Map.of("download", lean));
  }

  @Test
  void aFigureIsOfWhoeverMadeMostOfIt() {
    assertThat(cost("8", "1,000", "2", "750").rows())
        .extracting(GatlingCost.Row::figure, GatlingCost.Row::verdict, GatlingCost.Row::lean)
        .containsExactly(tuple("50th", "the server's", 1.5), tuple("99th", "Gatling's own", null));
    assertThat(cost("1", "9", "1", "5").rows())
        .extracting(GatlingCost.Row::verdict)
        .containsExactly("below Gatling's clock", "of both");
  }

  @Test
  void whereNothingWasAnsweredThereIsNoFigure() {
    assertThat(cost("-", "9", "1", "5").rows())
        .extracting(GatlingCost.Row::figure)
        .containsExactly("99th");
  }

  @Test
  void whatARequestCostsIsOfAllOfThem() {
    assertThat(cost("8", "9", "1", "5").server().cpuMillis()).isEqualTo(1.0);
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Path file = folder.resolve("gatling-download.json");
    GatlingCost cost = cost("8", "9", "1", "5");

    cost.write(file);

    assertThat(GatlingCost.read(file)).contains(cost);
    assertThat(GatlingCost.read(folder.resolve("none"))).isEmpty();
    assertThat(Page.htmlOfAll(List.of(), List.of(cost)))
        .contains("Gatling and the lean client", "the server");
  }
}
