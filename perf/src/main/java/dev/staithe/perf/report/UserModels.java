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
import org.jspecify.annotations.Nullable;

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
    ToDoubleFunction<Sample> users = sample -> Cell.position(sample.point(), experiment.axis());
    var byUsers = fits(cells -> ScalabilityFit.of(observations(cells, users)));
    var byBusy = fits(cells -> ScalabilityFit.of(observations(cells, UserModels::busy)));
    var amdahl = fits(cells -> ScalabilityFit.amdahl(observations(cells, users)));
    var charts =
        List.of(
            throughput(experiment.axis(), users, byUsers),
            residuals(users, byUsers, amdahl),
            throughput("busy users N = X·R", UserModels::busy, byBusy));
    return List.of(new Block("", charts, List.of(table(byUsers, byBusy, amdahl))));
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

  private <T> Map<String, T> fits(Function<List<Cell>, T> fit) {
    var fits = new LinkedHashMap<String, T>();
    lines.forEach((name, cells) -> fits.put(name, fit.apply(cells)));
    return fits;
  }

  private Chart throughput(
      String axis, ToDoubleFunction<Sample> x, Map<String, ScalabilityFit> fits) {
    var drawn = new ArrayList<Chart.Line>();
    lines.forEach(
        (name, cells) -> {
          var points = ExperimentModels.points(cells, Measure.REQUESTS, c -> c.median(x));
          var fit = fits.get(name);
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

  private Chart residuals(
      ToDoubleFunction<Sample> users,
      Map<String, ScalabilityFit> law,
      Map<String, ScalabilityFit> amdahl) {
    var drawn = new ArrayList<Chart.Line>();
    lines.forEach(
        (name, cells) -> {
          if (law.get(name) instanceof ScalabilityFit.Fitted fitted) {
            drawn.add(residuals(name + ", USL", cells, users, fitted.curve()));
          }
          if (amdahl.get(name) instanceof ScalabilityFit.Fitted fitted) {
            drawn.add(residuals(name + ", Amdahl", cells, users, fitted.curve()));
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

  private static Chart.Line residuals(
      String name, List<Cell> cells, ToDoubleFunction<Sample> users, UniversalScalability curve) {
    var points = new ArrayList<Chart.Point>();
    for (Cell cell : cells) {
      var left =
          cell.counting().stream()
              .mapToDouble(
                  s -> (Measure.REQUESTS.of(s) / curve.at(users.applyAsDouble(s)) - 1) * 100)
              .summaryStatistics();
      points.add(
          new Chart.Point(cell.median(users), left.getAverage(), left.getMin(), left.getMax()));
    }
    return new Chart.Line(name, points);
  }

  private Table table(
      Map<String, ScalabilityFit> byUsers,
      Map<String, ScalabilityFit> byBusy,
      Map<String, ScalabilityFit> amdahl) {
    var rows = new ArrayList<List<Entry>>();
    for (String name : lines.keySet()) {
      rows.add(row(name, "USL, users", told(byUsers.get(name), UserModels::universal)));
      rows.add(row(name, "USL, busy users", told(byBusy.get(name), UserModels::universal)));
      rows.add(row(name, "Amdahl, users", told(amdahl.get(name), UserModels::amdahl)));
    }
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

  private static List<Entry> row(String name, String law, List<Entry> fit) {
    var row = new ArrayList<>(List.of(Entry.contestant(name), Entry.text(law)));
    row.addAll(fit);
    return row;
  }

  private static List<Entry> told(
      @Nullable ScalabilityFit fit, Function<ScalabilityFit.Fitted, List<Entry>> law) {
    return switch (fit) {
      case ScalabilityFit.Fitted fitted -> law.apply(fitted);
      case ScalabilityFit.Unfit(String reason) -> unfit(reason);
      case null -> unfit("nothing was measured");
    };
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

  private static List<Entry> unfit(String reason) {
    return List.of(Entry.reason("not fitted: " + reason, 6));
  }
}
