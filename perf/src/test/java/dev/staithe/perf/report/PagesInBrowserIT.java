package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.result.Results;
import dev.staithe.testkit.clients.Browser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What charts.js draws, in a real Chromium. */
final class PagesInBrowserIT {
  @TempDir static Path folder;

  private static Browser browser;

  @BeforeAll
  static void start() {
    browser = Browser.in(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    browser.close();
  }

  static Stream<Path> kept() throws Exception {
    try (var files = Files.list(Path.of("results"))) {
      return files.filter(file -> file.toString().endsWith(".json")).toList().stream();
    }
  }

  private static void open(List<Results> runs) throws Exception {
    Path page = folder.resolve("page.html");
    Page.write(runs, page);
    browser.open(page.toUri().toString());
  }

  private static void assertEverythingIsDrawn() {
    browser.assertNoScriptFailedAndNothingWasBlocked();
    assertThat(browser.strings("return performance.getEntriesByType('resource').map(e => e.name)"))
        .as("loaded")
        .isEmpty();
    assertThat(
            browser.strings(
                "return [...document.querySelectorAll('figure, svg.range')]"
                    + ".filter(it => !it.querySelector('path.marks, rect, circle'))"
                    + ".map(it => it.outerHTML.slice(0, 200))"))
        .as("without a drawing")
        .isEmpty();
    assertThat(
            browser.strings(
                "return [...document.querySelectorAll('figure.plot')].filter(it =>"
                    + " JSON.parse(it.querySelector('script').textContent).lines.length"
                    + " !== it.querySelectorAll('path.marks').length).map(it => it.innerText)"))
        .as("without one of their lines")
        .isEmpty();
    assertThat(
            browser.strings("return document.body.outerHTML.match(/\"[^\"]*NaN[^\"]*\"/g) || []"))
        .as("places that are not numbers")
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("kept")
  void everythingInResultsThatAreKeptIsDrawn(Path results) throws Exception {
    open(ResultFile.read(results));

    assertEverythingIsDrawn();
    // Short forms may have no axis, and so no curve; whoever has figures has their ranges.
    assertThat(browser.has("figure.plot, svg.range")).isTrue();
  }

  private static List<String> written(String css) {
    return browser.strings(
        "return [...document.querySelectorAll(arguments[0])].map(it => it.textContent)", css);
  }

  @Test
  void linesHaveMarksCurvesAndNames() throws Exception {
    open(List.of(SampleRun.results()));

    assertEverythingIsDrawn();
    assertThat(written("#e-small-get text title"))
        .containsExactly("staithe", "staithe (model)", "nginx", "nginx (model)");
    assertThat(written("#e-small-get figure text")).contains("clients", "requests/s");
  }

  @Test
  void aWideRangeIsInDecadesAndANarrowOneBeginsAtZero() throws Exception {
    open(List.of(SampleRun.results()));

    assertThat(written("#e-small-get figure text")).contains("1", "10", "50", "10,000");
    assertThat(written("#e-https-get .plot text")).contains("0", "20", "80", "seconds");
    assertThat(
            browser.strings(
                "const [a, b, c] = ['1', '10', '2'].map(t => [...document.querySelectorAll("
                    + "'#e-small-get figure text')].find(it => it.textContent === t).getAttribute('x'));"
                    + " return [Math.round((b - a) / (c - a) * 100)]"))
        .as("the distances of ten and of two from one: logarithms")
        .containsExactly("332");
  }

  @Test
  void framesAreAsWideAsTheirShareAndNamed() throws Exception {
    open(List.of(SampleRun.results()));

    assertThat(
            browser.strings(
                "return [...document.querySelectorAll('.flame rect')].map(it =>"
                    + " `${it.textContent}: ${Math.round(it.getAttribute('width'))}`)"))
        .contains(
            "sun.nio.ch.SocketDispatcher.write0, 24.0 %: 239",
            "dev.staithe.storage.files.FileStore.<init>, 6.0 %: 59");
  }

  @Test
  void theBarOfATargetReachesFromTheLowerEndOfItsSpreadToTheUpper() throws Exception {
    open(List.of(SampleRun.results()));

    // On a scale of a quarter to four, 168 wide from 6 on.
    assertThat(
            browser.strings(
                """
                const bar = document.querySelector('.targets svg.range');
                const place = ratio => 6 + Math.log(ratio / 0.25) / Math.log(16) * 168;
                const [low, median, high, limit] = bar.dataset.range.split(' ').map(place);
                const rect = bar.querySelector('rect');
                const off = [rect.getAttribute('x') - low,
                  +rect.getAttribute('x') + +rect.getAttribute('width') - high,
                  bar.querySelector('circle').getAttribute('cx') - median,
                  bar.querySelector('path').getAttribute('d').match(/M([0-9.]+)/)[1] - limit];
                return off.filter(it => !(Math.abs(it) < 0.11))
                """))
        .isEmpty();
  }
}
