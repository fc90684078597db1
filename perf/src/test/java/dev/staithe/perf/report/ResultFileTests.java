package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.perf.result.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ResultFileTests {
  @TempDir Path folder;

  @Test
  void rawSamplesAreReadAsTheyWereWritten() throws IOException {
    var results = SampleRun.results();
    ResultFile.writeSamples(results, folder.resolve("run.samples.json.gz"));
    assertThat(ResultFile.read(folder.resolve("run.samples.json.gz"))).containsExactly(results);
  }

  @Test
  void aSummaryIsReadAsItWasWritten() throws IOException {
    var summary = Summary.of(SampleRun.results());
    ResultFile.write(List.of(summary), folder.resolve("run.json"));
    assertThat(ResultFile.read(folder.resolve("run.json"))).containsExactly(summary);
  }

  @Test
  void runsOfASummaryComeByTheirTime() throws IOException {
    var first = SampleRun.results();
    var second = SampleRun.at(1, Instant.parse("2026-03-02T08:00:00Z"), "sizes");
    ResultFile.write(List.of(second, first), folder.resolve("run.json"));
    assertThat(ResultFile.read(folder.resolve("run.json")))
        .extracting(Results::started)
        .containsExactly(first.started(), second.started());
  }

  @Test
  void aSummaryTellsItsFiguresALineEach() throws IOException {
    ResultFile.write(List.of(SampleRun.results()), folder.resolve("run.json"));
    assertThat(Files.readAllLines(folder.resolve("run.json")))
        .anyMatch(
            line -> line.contains("HTTPS GET: rate, ours / nginx") && line.contains("\"ratio\""))
        .anyMatch(line -> line.contains("\"sizes\",\"nginx\",\"size 1 KiB\",\"s\""));
    assertThat(Files.readString(folder.resolve("run.json")))
        .contains("\"2026-03-01T12:30:00.123456Z\"");
  }

  @Test
  void filesOfOneRunAreBesideEachOther() {
    Path summary = folder.resolve("a.b.json");
    Path samples = ResultFile.samplesBeside(summary);
    assertThat(samples).isEqualTo(folder.resolve("a.b.samples.json.gz"));
    assertThat(ResultFile.pageBeside(summary)).isEqualTo(folder.resolve("a.b.html"));
    assertThat(ResultFile.pageBeside(samples)).isEqualTo(folder.resolve("a.b.html"));
    assertThat(ResultFile.summaryBeside(folder.resolve("a.b.html"))).isEqualTo(summary);
  }

  @Test
  void writingReplacesAnOlderFileAndLeavesNothingElse() throws IOException {
    Path file = folder.resolve("run.json");
    Files.writeString(file, "old");
    ResultFile.write(List.of(SampleRun.results()), file);
    assertThat(folder.toFile().list()).containsExactly("run.json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not JSON",
        "null",
        "[]",
        "{}",
        "{\"format\":\"staithe-perf-results-1\"}",
        "{\"format\":\"staithe-perf-results-1\",\"results\":null}",
        "{\"format\":\"staithe-perf-results-1\",\"results\":{\"study\":\"storage\"}}",
        "{\"format\":\"staithe-perf-summary-1\"}",
        "{\"format\":\"staithe-perf-summary-1\",\"figures\":[],\"runs\":[]}",
        "{\"format\":\"staithe-perf-summary-1\",\"figures\":[],\"runs\":[null]}",
        "{\"format\":\"other\",\"results\":null}"
      })
  void fileThatIsNoResultIsRefusedByOneLine(String content) throws IOException {
    Path file = folder.resolve("other.json");
    Files.writeString(file, content);
    assertThatThrownBy(() -> ResultFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(file + " is not a result file: ")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void fileThatIsCutShortIsRefused() throws IOException {
    Path file = folder.resolve("run.json");
    ResultFile.write(List.of(SampleRun.results()), file);
    Path samples = folder.resolve("run.samples.json.gz");
    ResultFile.writeSamples(SampleRun.results(), samples);
    for (Path each : List.of(file, samples)) {
      byte[] whole = Files.readAllBytes(each);
      Files.write(each, Arrays.copyOf(whole, whole.length / 2));
      assertThatThrownBy(() -> ResultFile.read(each))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is not a result file");
    }
  }

  @Test
  void missingFileIsNamed() {
    assertThatThrownBy(() -> ResultFile.read(folder.resolve("none.json")))
        .hasMessage(folder.resolve("none.json") + " does not exist");
  }
}
