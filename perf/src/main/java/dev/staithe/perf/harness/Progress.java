package dev.staithe.perf.harness;

import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Shows on a terminal what is measured, how far the run is and how long it will take; without a
 * terminal, a line for each trial. The time left comes from the expected length of each trial,
 * corrected by how long the ones before took. Not thread-safe.
 */
public final class Progress {
  private static final int BAR = 30;

  private final PrintStream out;
  private final boolean terminal;
  private final Map<String, Double> expected = new HashMap<>();
  private final long began = System.nanoTime();
  private double expectedInAll;
  private double expectedDone;
  private double expectedOfPiece;
  private String title = "";

  /** On a terminal a line is written in place. */
  public Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Announces a trial and how long it should take. */
  void expect(String experiment, double seconds) {
    expected.put(experiment, seconds);
    expectedInAll += seconds;
  }

  /** A trial will not be run. */
  void skip(String experiment, String why) {
    expectedDone += expected.getOrDefault(experiment, 0.0);
    line(experiment + " is not measured: " + why);
  }

  /**
   * Begins with it.
   *
   * @param left pieces of work that no run before this one has measured
   */
  void begin(Trial trial, int left) {
    title = trial.about().title();
    expectedOfPiece = expected.getOrDefault(trial.about().id(), 0.0) / Math.max(1, trial.pieces());
    expectedInAll -= expectedOfPiece * (trial.pieces() - left);
    if (!terminal) {
      line("%s (%s left)".formatted(title, time(left())));
    }
  }

  /** Says how long all that was announced should take. */
  void foretell() {
    line("this should take about %s".formatted(inWords(expectedInAll)));
  }

  static String inWords(double seconds) {
    long minutes = Math.max(1, Math.round(seconds / 60));
    return minutes < 120
        ? minutes + (minutes == 1 ? " minute" : " minutes")
        : "%.1f hours".formatted(minutes / 60.0);
  }

  void warmUp(String contestant) {
    draw("warming up " + contestant);
  }

  void pieceDone(String contestant) {
    expectedDone += expectedOfPiece;
    draw(contestant);
  }

  /** Says something that stays on the screen. */
  public void line(String text) {
    clear();
    out.println("%6s  %s".formatted(time(elapsed()), text));
  }

  private double elapsed() {
    return (System.nanoTime() - began) / 1e9;
  }

  /** Seconds still to go, as far as can be said. */
  double left() {
    if (expectedDone <= 0) {
      return expectedInAll;
    }
    // What was foreseen counts less the more of it has been seen.
    double seen = Math.min(1, expectedDone / Math.max(1e-9, expectedInAll));
    double pace = elapsed() / expectedDone * seen + (1 - seen);
    return (expectedInAll - expectedDone) * pace;
  }

  private void draw(String doing) {
    if (!terminal) {
      return;
    }
    int filled = (int) Math.round(BAR * Math.min(1, expectedDone / Math.max(1e-9, expectedInAll)));
    out.printf(
        "\r\033[K[%s%s] %s left  %s: %s",
        "#".repeat(filled), "-".repeat(BAR - filled), time(left()), title, doing);
    out.flush();
  }

  private void clear() {
    if (terminal) {
      out.print("\r\033[K");
    }
  }

  static String time(double seconds) {
    var duration = Duration.ofSeconds(Math.round(Math.max(0, seconds)));
    return "%d:%02d".formatted(duration.toMinutes(), duration.toSecondsPart());
  }
}
