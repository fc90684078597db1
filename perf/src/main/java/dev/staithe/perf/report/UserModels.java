package dev.staithe.perf.report;

import dev.staithe.perf.fit.Observation;
import dev.staithe.perf.fit.ScalabilityFit;
import dev.staithe.perf.fit.UniversalScalability;
import dev.staithe.perf.report.Table.Entry;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Latencies;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Throughput by users with think time: the universal scalability law against users and against busy
 * users, Amdahl's law, and how far each point lies from them.
 *
 * <p>Users who think follow min(p / (R + Z), Xmax), whose knee is sharper than the law's. So it is
 * fitted a second time against the users that wait for an answer, N = X·R by Little's law.
 */
final class UserModels {
  private final Experiment experiment;
  private final Map<String, List<Cell>> lines = new LinkedHashMap<>();

  private UserModels(Experiment experiment, List<Cell> cells) {
    this.experiment = experiment;
    for (Cell cell : cells) {
      if (Double.isFinite(cell.position(experiment.axis())) && !cell.counting().isEmpty()) {
        lines.computeIfAbsent(cell.contestant(), name -> new ArrayList<>()).add(cell);
      }
    }
  }

  static List<Block> of(Experiment experiment, List<Cell> cells) {
    return new UserModels(experiment, cells).blocks();
  }

  private List<Block> blocks() {
    if (lines.values().stream().noneMatch(cells -> cells.size() > 1)) {
      return List.of();
    }
    var charts =
        List.of(
            throughput(experiment.axis(), this::users),
            residuals(),
            throughput("busy users N = X·R", UserModels::busy));
    return List.of(new Block("", charts, List.of(table())));
  }

  private double users(Sample sample) {
    return Cell.position(sample.point(), experiment.axis());
  }

  /** How many users wait for an answer at a time, by Little's law. */
  private static double busy(Sample sample) {
    return Latencies.of(sample)
        .map(times -> Measure.REQUESTS.of(sample) * times.mean() / 1e9)
        .orElse(Double.NaN);
  }

  private static List<Observation> observations(List<Cell> cells, ToDoubleFunction<Sample> x) {
    return cells.stream()
        .flatMap(cell -> cell.counting().stream())
        .map(sample -> new Observation(x.applyAsDouble(sample), Measure.REQUESTS.of(sample)))
        .filter(each -> Double.isFinite(each.x()))
        .toList();
  }

  private Chart throughput(String axis, ToDoubleFunction<Sample> x) {
    var drawn = new ArrayList<Chart.Line>();
    lines.forEach(
        (name, cells) -> {
          var points = ExperimentModels.points(cells, Measure.REQUESTS, c -> c.median(x));
          var fit = ScalabilityFit.of(observations(cells, x));
          drawn.add(
              Chart.Line.of(
                  name,
                  points,
                  fit instanceof ScalabilityFit.Fitted fitted ? fitted.curve()::at : null));
        });
    return new Chart(
        experiment.title() + ": requests/s by " + axis,
        axis,
        Measure.REQUESTS.unit(),
        "Good answers in the measured phase. Marks are medians, upright lines reach from the"
            + " smallest to the largest value, curves are the universal scalability law.",
        drawn);
  }

  private Chart residuals() {
    var drawn = new ArrayList<Chart.Line>();
    lines.forEach(
        (name, cells) -> {
          var observations = observations(cells, this::users);
          if (ScalabilityFit.of(observations) instanceof ScalabilityFit.Fitted law) {
            drawn.add(residuals(name + ", USL", cells, law.curve()));
          }
          if (ScalabilityFit.amdahl(observations) instanceof ScalabilityFit.Fitted law) {
            drawn.add(residuals(name + ", Amdahl", cells, law.curve()));
          }
        });
    return new Chart(
        experiment.title() + ": residuals",
        experiment.axis(),
        "measured / model − 1, %",
        "What a model leaves over. Points that lie on one side of zero in a row say that it has the"
            + " wrong shape, whatever R² is.",
        drawn);
  }

  private Chart.Line residuals(String name, List<Cell> cells, UniversalScalability curve) {
    var points = new ArrayList<Chart.Point>();
    for (Cell cell : cells) {
      var left =
          cell.counting().stream()
              .mapToDouble(s -> (Measure.REQUESTS.of(s) / curve.at(users(s)) - 1) * 100)
              .summaryStatistics();
      points.add(
          new Chart.Point(
              cell.median(this::users), left.getAverage(), left.getMin(), left.getMax()));
    }
    return new Chart.Line(name, points);
  }

  private Table table() {
    var rows = new ArrayList<List<Entry>>();
    lines.forEach(
        (name, cells) -> {
          var users = observations(cells, this::users);
          var busy = observations(cells, UserModels::busy);
          rows.add(row(name, "USL, users", ScalabilityFit.of(users), UserModels::universal));
          rows.add(row(name, "USL, busy users", ScalabilityFit.of(busy), UserModels::universal));
          rows.add(row(name, "Amdahl, users", ScalabilityFit.amdahl(users), UserModels::amdahl));
        });
    return new Table(
        "Scalability",
        List.of(
            "Contestant",
            "Law",
            "λ, requests/s",
            "σ contention",
            "κ coherence",
            "Peak at",
            "Most, requests/s",
            "R²"),
        rows,
        "USL: X(p) = λp / (1 + σ(p−1) + κp(p−1)); Amdahl: the same with κ = 0, whose most is λ/σ."
            + " Relative residuals, 95 % intervals by bootstrap with a fixed seed. Busy users:"
            + " those that wait for an answer, N = X·R. A peak is named only where it lies within"
            + " what was measured.");
  }

  private static List<Entry> row(
      String name,
      String law,
      ScalabilityFit fit,
      Function<ScalabilityFit.Fitted, List<Entry>> entries) {
    var row = new ArrayList<>(List.of(Entry.contestant(name), Entry.text(law)));
    switch (fit) {
      case ScalabilityFit.Fitted fitted -> row.addAll(entries.apply(fitted));
      case ScalabilityFit.Unfit(String reason) -> row.add(Entry.reason("not fitted: " + reason, 6));
    }
    return row;
  }

  private static List<Entry> universal(ScalabilityFit.Fitted fitted) {
    var entries = Table.scalability(fitted);
    entries.add(Entry.figure(fitted.rSquared()));
    return entries;
  }

  private static List<Entry> amdahl(ScalabilityFit.Fitted fitted) {
    return List.of(
        Entry.figure(fitted.curve().lambda(), fitted.lambda()),
        Entry.figure(fitted.curve().sigma(), fitted.sigma()),
        Entry.figure("0"),
        Entry.figure("–"),
        Entry.figure(fitted.curve().peakThroughput(), fitted.peakThroughput()),
        Entry.figure(fitted.rSquared()));
  }
}
