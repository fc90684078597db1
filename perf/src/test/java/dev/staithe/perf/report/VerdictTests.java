package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Target;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;

/** A target is kept where two kinds of processor keep it. */
class VerdictTests {
  private static Results run(String processor, String started, double ours) {
    Results run = SampleRun.of(ours, true);
    var machine = new LinkedHashMap<>(run.machine());
    machine.put("processor", processor);
    return new Results(
        run.study(),
        run.form(),
        Instant.parse(started),
        run.seconds(),
        run.complete(),
        machine,
        run.parties(),
        run.experiments(),
        run.targets(),
        run.samples(),
        run.profiles(),
        run.series(),
        run.remarks(),
        run.times());
  }

  private static Results asking(double limit, Results run) {
    return new Results(
        run.study(),
        run.form(),
        run.started(),
        run.seconds(),
        run.complete(),
        run.machine(),
        run.parties(),
        run.experiments(),
        run.targets().stream()
            .map(
                target ->
                    new Target(
                        target.text(),
                        target.measure(),
                        target.experiment(),
                        target.ours(),
                        target.oursAt(),
                        target.peer(),
                        target.peerAt(),
                        target.bound(),
                        limit))
            .toList(),
        run.samples(),
        run.profiles(),
        run.series(),
        run.remarks(),
        run.times());
  }

  private static List<String> outcomes(Results... runs) {
    return Verdict.of(List.of(runs)).stream()
        .filter(verdict -> !verdict.css().equals("absent"))
        .map(Verdict::css)
        .distinct()
        .toList();
  }

  private static final Results FAST = run("one", "2026-03-01T12:00:00Z", 0.01);
  private static final Results ALSO_FAST = run("two", "2026-03-02T12:00:00Z", 0.01);
  private static final Results SLOW = run("two", "2026-03-03T12:00:00Z", 100);

  @Test
  void whatOneKindKeepsIsNotKeptUntilAnotherConfirmsIt() {
    var cpu =
        Verdict.of(List.of(FAST)).stream()
            .filter(verdict -> verdict.css().equals("unconfirmed"))
            .map(verdict -> verdict.target().text())
            .toList();

    assertThat(cpu).isNotEmpty();
    assertThat(outcomes(FAST)).doesNotContain("kept");
    assertThat(Verdict.of(List.of(FAST, run("one", "2026-03-05T12:00:00Z", 0.01))))
        .as("the same kind twice")
        .noneMatch(verdict -> verdict.css().equals("kept"));
    assertThat(Verdict.of(List.of(FAST, ALSO_FAST)))
        .filteredOn(verdict -> cpu.contains(verdict.target().text()))
        .extracting(Verdict::css)
        .containsOnly("kept");
    assertThat(Verdict.of(List.of(FAST, ALSO_FAST, SLOW)))
        .as("the last run on a kind counts")
        .filteredOn(verdict -> cpu.contains(verdict.target().text()))
        .extracting(Verdict::css)
        .contains("missed");
  }

  @Test
  void allKindsAreJudgedByTheLimitThatIsTold() {
    Results before = asking(0.001, run("one", "2026-03-01T12:00:00Z", 1));
    Results now = asking(1000, run("two", "2026-03-02T12:00:00Z", 1));

    assertThat(Verdict.of(List.of(before, now)))
        .filteredOn(verdict -> verdict.target().text().equals("HTTPS GET: CPU s/GiB, ours / nginx"))
        .singleElement()
        .satisfies(
            verdict -> {
              assertThat(verdict.target().limit()).isEqualTo(1000);
              assertThat(verdict.css()).isEqualTo("kept");
            });
  }

  @Test
  void whatALaterRunBeganAndDidNotMeasureStaysAsItWas() {
    Results begun =
        new Results(
            FAST.study(),
            FAST.form(),
            Instant.parse("2026-03-06T12:00:00Z"),
            1,
            false,
            FAST.machine(),
            FAST.parties(),
            FAST.experiments(),
            FAST.targets(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());

    assertThat(outcomes(FAST)).isNotEmpty();
    assertThat(outcomes(FAST, begun)).isEqualTo(outcomes(FAST));
  }

  @Test
  void thePageHasBothKindsBesideEachOtherAndTheRange() {
    String html = Page.htmlOfAll(List.of(List.of(FAST, SLOW)), List.of());
    var page = Jsoup.parse(html);

    var row = page.select("table.targets tr.missed").first();
    assertThat(row).isNotNull();
    assertThat(page.select("table.targets").first().select("th").eachText())
        .contains("one", "two", "Range");
    assertThat(row.select("td.strong").text()).contains(" … ");
    assertThat(row.select(".outcome").text()).isEqualTo("✗ missed");
    assertThat(page.select("h3").eachText()).contains("Coverage, on one", "Coverage, on two");
    assertThat(page.select("[src], link")).as("loads nothing").isEmpty();
    assertThat(page.select("h1").text())
        .startsWith("1 of 5 targets kept on two kinds of processor, ");
    assertThat(Page.htmlOfAll(List.of(List.of(FAST)), List.of()))
        .containsPattern(
            "<h1>0 of 5 targets kept on two kinds of processor, [1-5] on one kind only</h1>");
  }
}
