package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Results;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

final class PageTests {
  private static final String HTML = Page.html(List.of(SampleRun.results()));

  @Test
  void headlineCountsKeptTargetsAndNamesTheRest() {
    assertThat(HTML).contains("<h1>2 of 5 targets kept</h1>");
    assertThat(HTML).contains("2 missed, 1 not measured");
  }

  @Test
  void targetsStandBeforeEverythingElse() {
    assertThat(HTML.indexOf("id=\"targets\""))
        .isPositive()
        .isLessThan(HTML.indexOf("id=\"peer-wins\""))
        .isLessThan(HTML.indexOf("id=\"e-https-get\""));
  }

  @Test
  void targetOfMissingPeerIsNotMeasuredWithItsReason() {
    assertThat(HTML)
        .contains("xrootd did not take part: xrootd is not installed: apt-get install xrootd")
        .contains("– not measured");
  }

  @Test
  void peerThatWinsIsNamed() {
    String section = HTML.substring(HTML.indexOf("id=\"peer-wins\""), HTML.indexOf("<nav"));
    assertThat(section).contains("<b>nginx</b> over staithe").contains("1 KiB GET, kept alive");
  }

  @Test
  void valuesOfTheResultFileCannotBecomeMarkup() {
    assertThat(HTML)
        .doesNotContain("<script>alert")
        .contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; no network.")
        .contains("--area=&lt;area&gt;")
        .contains("41 % of the core &lt;cron&gt;");
  }

  @Test
  void nothingIsLoadedFromAnywhere() {
    assertThat(HTML)
        .doesNotContain("http://")
        .doesNotContain("https://")
        .doesNotContain("src=")
        .doesNotContain("@import")
        .doesNotContain("xlink")
        .doesNotContainPattern("href=\"[^#]")
        .doesNotContainPattern("url\\((?!#)");
  }

  @Test
  void pageIsWellFormed() throws Exception {
    var page =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(HTML)));
    assertThat(page.getElementsByTagName("section").getLength()).isGreaterThanOrEqualTo(6);
  }

  @Test
  void clientThatWasTheLimitIsMarked() {
    assertThat(HTML).contains("client-bound");
  }

  @Test
  void voidedRoundIsToldWithItsReason() {
    assertThat(HTML).contains("Round 5, staithe-plain: the hypervisor took 12 %");
  }

  @Test
  void latencyPercentilesAreDecoded() {
    // The fixture's median is 200 microseconds.
    assertThat(HTML).containsPattern(">(19\\d|20\\d) µs<").contains("p99.9");
  }

  @Test
  void scalabilityIsFittedOverClients() {
    String section = HTML.substring(HTML.indexOf("id=\"e-small-get\""));
    // The fixture's truth for us: sigma 0.12, kappa 0.001, so a peak at 29.7; nginx has none.
    assertThat(section)
        .contains("Universal scalability law")
        .containsPattern("<td class=\"n\">(29|30|31)\\.\\d<small>")
        .contains("no peak within range");
  }

  @Test
  void transferModelIsFittedOverSizes() {
    String section = HTML.substring(HTML.indexOf("id=\"e-sizes\""));
    assertThat(section).contains("T = T0 + size/rate").containsPattern("(3\\.9|4\\.0)\\d ms ± ");
  }

  @Test
  void encryptionsDegradationIsToldBySize() {
    String section = HTML.substring(HTML.indexOf("What encryption costs"));
    String row = section.substring(section.indexOf("<td>1 GiB</td>"));
    // 1 GB/s with TLS, 2 GB/s without.
    assertThat(row).containsPattern("^<td>1 GiB</td>\\s*<td class=\"n\">(4[789]|5[0123]) %<");
  }

  @Test
  void placesHaveNamesOfTheirOwn() {
    var ids = java.util.regex.Pattern.compile(" id=\"([^\"]+)\"").matcher(HTML);
    assertThat(ids.results().map(r -> r.group(1)).toList()).doesNotHaveDuplicates();
    assertThat(HTML.split("<figure class=\"plot\">", -1).length - 1).isEqualTo(3);
  }

  @Test
  void negotiatedCipherIsTold() {
    assertThat(HTML).contains("nginx " + SampleRun.AES);
  }

  @Test
  void whatIsNoNumberIsADash() {
    assertThat(Figures.ratio(Double.NaN)).isEqualTo("–");
    assertThat(Figures.change(Double.NaN)).isEqualTo("–");
    assertThat(Figures.ratio(0.1)).isEqualTo("0.10");
    assertThat(Figures.ratio(100)).isEqualTo("100");
  }

  @Test
  void noMinuteHasSixtySeconds() {
    assertThat(Figures.seconds(575.5)).isEqualTo("9 min 36 s");
    assertThat(Figures.seconds(179.7)).isEqualTo("3 min 0 s");
  }

  @Test
  void interruptedRunIsMarkedOnTop() {
    String cut = Page.html(List.of(SampleRun.of(1, false)));
    assertThat(cut.indexOf("Incomplete run"))
        .isPositive()
        .isLessThan(cut.indexOf("id=\"targets\""));
    assertThat(HTML).doesNotContain("Incomplete run");
  }

  @Test
  void runWithoutAnythingStillMakesAPage(@TempDir Path folder) throws Exception {
    var nothing =
        new Results(
            "storage",
            "smoke",
            Instant.EPOCH,
            0,
            false,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    Page.write(List.of(nothing), folder.resolve("page.html"));
    assertThat(Files.readString(folder.resolve("page.html"))).contains("No targets in this run");
  }

  @Test
  void severalRunsMakeOnePageWithTheLastWordOnEachTarget() throws Exception {
    Results first = SampleRun.results();
    // Our CPU is doubled: what was kept in the first run is missed in the second.
    Results second = SampleRun.at(2, Instant.parse("2026-03-02T08:00:00Z"), "https-get");
    String page = Page.html(List.of(first, second));

    assertThat(page)
        .contains("2 runs", "Each target by the last run that measured it.")
        .contains("1 March 2026 12:30 UTC", "2 March 2026 08:00 UTC")
        .contains(
            "<h1>" + RunReport.of(LatestRuns.of(List.of(first, second)), "", Set.of()).summary())
        .contains("<h2>2 of 5 targets kept</h2>");
    assertThat(page.split("id=\"run-1-e-", -1)).hasSize(first.experiments().size() + 1);
    assertThat(page.split("id=\"run-2-e-", -1)).hasSize(2);
    var ids = java.util.regex.Pattern.compile(" id=\"([^\"]+)\"").matcher(page);
    assertThat(ids.results().map(r -> r.group(1)).toList()).doesNotHaveDuplicates();
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page)));
  }

  @Test
  void whatALaterRunMeasuredAgainHasNoDrawings() {
    Results later = SampleRun.at(1, Instant.parse("2026-03-02T08:00:00Z"), "sizes");
    String page = Page.html(List.of(SampleRun.results(), later));
    String before =
        page.substring(page.indexOf("id=\"run-1-e-sizes\""), page.indexOf("id=\"run-2-run\""));
    String after = page.substring(page.indexOf("id=\"run-2-e-sizes\""));

    assertThat(before).contains("T = T0 + size/rate").doesNotContain("<figure");
    assertThat(after).contains("T = T0 + size/rate", "<figure class=\"plot\">");
  }

  @Test
  void whatALaterRunBeganAndDidNotMeasureKeepsItsDrawings() {
    Results all = SampleRun.at(1, Instant.parse("2026-03-02T08:00:00Z"), "sizes");
    Results begun =
        new Results(
            all.study(),
            all.form(),
            all.started(),
            1,
            false,
            all.machine(),
            all.parties(),
            all.experiments(),
            all.targets(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    String page = Page.html(List.of(SampleRun.results(), begun));

    assertThat(
            page.substring(page.indexOf("id=\"run-1-e-sizes\""), page.indexOf("id=\"run-2-run\"")))
        .contains("<figure class=\"plot\">");
  }
}
