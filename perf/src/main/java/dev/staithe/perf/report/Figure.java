package dev.staithe.perf.report;

import dev.staithe.perf.fit.PairedRatio;
import dev.staithe.perf.fit.Spread;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Results;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a run says, one line of a summary: a target's ratio, or the first figure of a contestant in
 * an experiment. It is made of the rest of the summary, for those who read it by other means.
 *
 * @param run when it was made
 * @param what the text of the target, or the id of the experiment
 * @param who {@code ours / peer}, or the contestant
 * @param at the point; empty where there is one only
 * @param unit of the figure
 * @param median of the pairs or rounds that count
 * @param low the lower end of the spread
 * @param high its upper end
 * @param count how many pairs or rounds count
 * @param voided how many do not
 * @param outcome of a target, {@code kept} or {@code missed}; otherwise empty
 */
record Figure(
    Instant run,
    String what,
    String who,
    String at,
    String unit,
    double median,
    double low,
    double high,
    int count,
    int voided,
    String outcome) {

  static List<Figure> of(Results run) {
    var figures = new ArrayList<Figure>();
    for (TargetOutcome outcome : TargetOutcome.of(run)) {
      if (outcome instanceof TargetOutcome.Judged(var target, PairedRatio ratio)) {
        figures.add(
            new Figure(
                run.started(),
                target.text(),
                target.ours() + " / " + target.peer(),
                Figures.point(target.oursAt()),
                "ratio",
                ratio.median(),
                ratio.spread().interval().low(),
                ratio.spread().interval().high(),
                ratio.spread().count(),
                ratio.voided(),
                target.keptBy(ratio.median()) ? "kept" : "missed"));
      }
    }
    for (Experiment experiment : run.experiments()) {
      for (Cell cell : Cell.of(run, experiment)) {
        cell.spread(experiment.measure())
            .ifPresent(spread -> figures.add(of(run, experiment, cell, spread)));
      }
    }
    return figures;
  }

  private static Figure of(Results run, Experiment experiment, Cell cell, Spread spread) {
    return new Figure(
        run.started(),
        experiment.id(),
        cell.contestant(),
        Figures.point(cell.point()),
        experiment.measure().unit(),
        spread.median(),
        spread.min(),
        spread.max(),
        spread.count(),
        cell.voided().size(),
        "");
  }
}
