package dev.staithe.perf.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ResultFileTests {
  @TempDir Path folder;

  @Test
  void whatIsReadEqualsWhatWasWritten() throws IOException {
    var results = SampleRun.results();
    ResultFile.write(results, folder.resolve("run.json"));
    assertThat(ResultFile.read(folder.resolve("run.json"))).isEqualTo(results);
  }

  @Test
  void instantsAreIsoTextAndEverySampleIsThere() throws IOException {
    ResultFile.write(SampleRun.results(), folder.resolve("run.json"));
    String json = Files.readString(folder.resolve("run.json"));
    assertThat(json).contains("\"2026-03-01T12:30:00.123456Z\"");
    assertThat(json.split("\"serverCpu\"", -1)).hasSize(SampleRun.results().samples().size() + 1);
  }

  @Test
  void writingReplacesAnOlderFileAndLeavesNothingElse() throws IOException {
    Path file = folder.resolve("run.json");
    Files.writeString(file, "old");
    ResultFile.write(SampleRun.results(), file);
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
    ResultFile.write(SampleRun.results(), file);
    String json = Files.readString(file);
    Files.writeString(file, json.substring(0, json.length() / 2));
    assertThatThrownBy(() -> ResultFile.read(file)).hasMessageContaining("is not a result file");
  }

  @Test
  void missingFileIsNamed() {
    assertThatThrownBy(() -> ResultFile.read(folder.resolve("none.json")))
        .hasMessage(folder.resolve("none.json") + " does not exist");
  }
}
