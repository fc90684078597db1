package dev.staithe.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressTests {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final Progress progress = progress(false);

  @Test
  void beforeAnythingIsDoneTheTimeLeftIsWhatWasForeseen() {
    progress.expect("a", 60);
    progress.expect("b", 30);

    assertThat(progress.left()).isEqualTo(90);
  }

  @Test
  void eachPieceOfWorkMakesTheTimeLeftShorter() {
    progress.expect("a", 60);
    progress.expect("b", 60);
    progress.begin(trial("a"), 4);
    double before = progress.left();
    for (int i = 0; i < 4; i++) {
      progress.pieceDone("x");
      assertThat(progress.left()).isLessThan(before);
      before = progress.left();
    }
    // Half of it is done, in no time: the rest is expected to be faster than foreseen.
    assertThat(before).isPositive().isLessThan(60);
  }

  @Test
  void whatARunBeforeHasMeasuredIsNotWaitedFor() {
    progress.expect("a", 60);
    progress.begin(trial("a"), 1);

    assertThat(progress.left()).isEqualTo(15);
    assertThat(said()).contains("Title of a (0:15 left)");
  }

  @Test
  void whatIsSkippedIsNotWaitedFor() {
    progress.expect("a", 60);
    progress.skip("a", "its servers do not run");

    assertThat(progress.left()).isZero();
    assertThat(said()).contains("a is not measured: its servers do not run");
  }

  @Test
  void withoutATerminalThereIsALineForEachTrialAndNoControlCharacters() {
    progress.expect("a", 60);
    progress.begin(trial("a"), 4);
    progress.warmUp("x");
    progress.pieceDone("x");

    assertThat(said()).contains("Title of a (1:00 left)").doesNotContain("\r", "\033");
    assertThat(said().lines()).hasSize(1);
  }

  @Test
  void howLongItWillTakeIsForetold() {
    progress.expect("a", 3600);
    progress.expect("b", 9 * 3600);
    progress.foretell();

    assertThat(said()).contains("this should take about 10.0 hours");
    assertThat(Progress.inWords(580)).isEqualTo("10 minutes");
    assertThat(Progress.inWords(5)).isEqualTo("1 minute");
  }

  @Test
  void aTerminalShowsABarAndTheTimeLeft() {
    Progress terminal = progress(true);
    terminal.expect("a", 60);
    terminal.begin(trial("a"), 4);
    terminal.warmUp("x");

    assertThat(said()).contains("[" + "-".repeat(30) + "] 1:00 left  Title of a: warming up x");
  }

  @Test
  void timesAreMinutesAndSeconds() {
    assertThat(Progress.time(0)).isEqualTo("0:00");
    assertThat(Progress.time(59.6)).isEqualTo("1:00");
    assertThat(Progress.time(3725)).isEqualTo("62:05");
    assertThat(Progress.time(-3)).isEqualTo("0:00");
  }

  private Progress progress(boolean terminal) {
    return new Progress(new PrintStream(shown, true, StandardCharsets.UTF_8), terminal);
  }

  private String said() {
    return shown.toString(StandardCharsets.UTF_8);
  }

  private static Trial trial(String id) {
    var contestant =
        new Contestant("x", () -> 0, () -> 0, _ -> new Outcome(1, 0, 0, 1, "", "", ""), () -> {});
    return new Trial(
        new Experiment(id, "Title of " + id, "", Measure.RATE, "", List.of(), List.of()),
        List.of(Map.of(), Map.of("size", "2")),
        List.of(contestant),
        2,
        1,
        0);
  }
}
