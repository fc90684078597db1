package dev.staithe.perf.report;

import dev.staithe.perf.fit.Observation;
import dev.staithe.perf.fit.ScalabilityFit;
import dev.staithe.perf.fit.TransferFit;
import dev.staithe.perf.report.Table.Entry;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The charts of an experiment over its axis, with the models that belong to the axis. */
final class ExperimentModels {
  private static final String PLAIN = "-plain";
  private static final double MEGABYTE = 1e6;

  private final Experiment experiment;

  /** By contestant and by what else is in the point besides the axis. */
  private final Map<String, List<Cell>> lines = new LinkedHashMap<>();

  private ExperimentModels(Experiment experiment, List<Cell> cells) {
    this.experiment = experiment;
    for (String contestant : experiment.contestants()) {
      cells.stream()
          .filter(c -> c.contestant().equals(contestant))
          .filter(c -> Double.isFinite(c.position(experiment.axis())))
          .filter(c -> !c.counting().isEmpty())
          .forEach(c -> lines.computeIfAbsent(name(c), n -> new ArrayList<>()).add(c));
    }
  }

  private String name(Cell cell) {
    var rest = new TreeMap<>(cell.point());
    rest.remove(experiment.axis());
    return rest.isEmpty() ? cell.contestant() : cell.contestant() + ", " + Figures.point(rest);
  }

  static List<Block> of(Experiment experiment, List<Cell> cells) {
    return new ExperimentModels(experiment, cells).blocks();
  }

  private List<Block> blocks() {
    if (lines.values().stream().noneMatch(cells -> cells.size() > 1)) {
      return List.of();
    }
    return switch (experiment.axis()) {
      case "clients" -> scalability();
      case "size" -> transfers();
      default -> List.of(new Block("", List.of(chart(experiment.measure(), Map.of())), List.of()));
    };
  }

  private List<Block> scalability() {
    Measure throughput = experiment.measure() == Measure.RATE ? Measure.RATE : Measure.REQUESTS;
    Map<String, ScalabilityFit> fits =
        fits(cells -> ScalabilityFit.of(observations(cells, throughput::of)));
    var curves = new LinkedHashMap<String, DoubleUnaryOperator>();
    var rows = new ArrayList<List<Entry>>();
    fits.forEach(
        (name, fit) -> {
          var row = new ArrayList<>(List.of(Entry.contestant(name)));
          switch (fit) {
            case ScalabilityFit.Fitted fitted -> {
              curves.put(name, fitted.curve()::at);
              row.addAll(Table.scalability(fitted));
              row.add(Entry.figure(fitted.rSquared()));
              row.add(Entry.figure(fitted.amdahlRSquared()));
            }
            case ScalabilityFit.Unfit(String reason) ->
                row.add(Entry.reason("not fitted: " + reason, 7));
          }
          rows.add(row);
        });
    var charts = new ArrayList<>(List.of(chart(throughput, curves)));
    if (experiment.measure() != throughput) {
      charts.add(chart(experiment.measure(), Map.of()));
    }
    var table =
        new Table(
            "Universal scalability law",
            List.of(
                "Contestant",
                "λ, " + throughput.unit(),
                "σ contention",
                "κ coherence",
                "Peak at clients",
                "Peak, " + throughput.unit(),
                "R²",
                "R² with κ = 0"),
            rows,
            "X(p) = λp / (1 + σ(p−1) + κp(p−1)), relative residuals, 95 % intervals by bootstrap"
                + " with a fixed seed. A peak is named only where it lies within what was"
                + " measured.");
    return List.of(new Block("", charts, List.of(table)));
  }

  private List<Block> transfers() {
    // Seconds of one request each: a sample may have many.
    Map<String, TransferFit> fits =
        fits(
            cells ->
                TransferFit.of(observations(cells, s -> s.seconds() / Math.max(1, s.requests()))));
    var curves = new LinkedHashMap<String, DoubleUnaryOperator>();
    var rows = new ArrayList<List<Entry>>();
    fits.forEach(
        (name, fit) ->
            rows.add(
                switch (fit) {
                  case TransferFit.Fitted(var model, var start, var rate, var rSquared) -> {
                    curves.put(name, model::seconds);
                    yield List.of(
                        Entry.contestant(name),
                        Entry.figure(
                            Figures.seconds(model.startSeconds()) + " ± " + Figures.seconds(start)),
                        Entry.figure(
                            Figures.number(model.bytesPerSecond() / MEGABYTE)
                                + " ± "
                                + Figures.number(rate / MEGABYTE)),
                        Entry.figure(Figures.bytes(Math.rint(model.halfRateBytes()))),
                        Entry.figure(rSquared));
                  }
                  case TransferFit.Unfit(String reason) ->
                      List.of(Entry.contestant(name), Entry.reason("not fitted: " + reason, 4));
                }));
    var tables = new ArrayList<Table>();
    tables.add(
        new Table(
            "Transfer model T = T0 + size/rate",
            List.of("Contestant", "T0", "Rate, MB/s", "Half of the rate at", "R²"),
            rows,
            "Least squares weighted by 1/T²; ± is one standard error."));
    degradation(tables);
    boolean timed = experiment.measure() == Measure.SECONDS;
    return List.of(
        new Block("", List.of(chart(experiment.measure(), timed ? curves : Map.of())), tables));
  }

  /** P = 1 − rate with TLS / rate without, for each contestant that was measured both ways. */
  private void degradation(List<Table> tables) {
    var pairs = lines.keySet().stream().filter(n -> lines.containsKey(n + PLAIN)).toList();
    if (pairs.isEmpty()) {
      return;
    }
    var headings = new ArrayList<>(List.of("size"));
    headings.addAll(pairs);
    var rows = new ArrayList<List<Entry>>();
    lines.values().stream()
        .flatMap(List::stream)
        .map(c -> c.position("size"))
        .distinct()
        .sorted()
        .forEach(
            size -> {
              var row = new ArrayList<>(List.of(Entry.text(Figures.bytes(size))));
              for (String name : pairs) {
                double share =
                    1 - rate(lines.get(name), size) / rate(lines.get(name + PLAIN), size);
                row.add(Entry.figure(Figures.percent(share)));
              }
              rows.add(row);
            });
    tables.add(
        new Table(
            "What encryption costs: P = 1 − rate with TLS / rate without", headings, rows, ""));
  }

  private static double rate(@Nullable List<Cell> cells, double size) {
    return cells == null
        ? Double.NaN
        : cells.stream()
            .filter(c -> c.position("size") == size)
            .findFirst()
            .map(c -> c.median(Measure.RATE::of))
            .orElse(Double.NaN);
  }

  private <T> Map<String, T> fits(Function<List<Cell>, T> fit) {
    var fits = new LinkedHashMap<String, T>();
    lines.forEach((name, cells) -> fits.put(name, fit.apply(cells)));
    return fits;
  }

  private List<Observation> observations(List<Cell> cells, ToDoubleFunction<Sample> figure) {
    var observations = new ArrayList<Observation>();
    for (Cell cell : cells) {
      double x = cell.position(experiment.axis());
      cell.counting().forEach(s -> observations.add(new Observation(x, figure.applyAsDouble(s))));
    }
    return observations;
  }

  private Chart chart(Measure measure, Map<String, DoubleUnaryOperator> curves) {
    boolean size = experiment.axis().equals("size");
    double unit = size ? MEGABYTE : 1;
    var drawn = new ArrayList<Chart.Line>();
    lines.forEach(
        (name, cells) -> {
          DoubleUnaryOperator curve = curves.get(name);
          drawn.add(
              Chart.Line.of(
                  name,
                  points(cells, measure, c -> c.position(experiment.axis()) / unit),
                  curve == null ? null : x -> curve.applyAsDouble(x * unit)));
        });
    return new Chart(
        experiment.title() + ": " + measure.unit() + " by " + experiment.axis(),
        size ? "size, MB (1,000,000 bytes)" : experiment.axis(),
        measure.unit(),
        "Marks are medians, upright lines reach from the smallest to the largest value"
            + (curves.isEmpty() ? "." : ", curves are the fitted model."),
        drawn);
  }

  /** Where the samples of each cell lie, of those that have the measure. */
  static List<Chart.Point> points(List<Cell> cells, Measure measure, ToDoubleFunction<Cell> x) {
    return cells.stream()
        .filter(cell -> Double.isFinite(x.applyAsDouble(cell)))
        .flatMap(
            cell ->
                cell.spread(measure).stream()
                    .map(s -> new Chart.Point(x.applyAsDouble(cell), s.median(), s.min(), s.max())))
        .toList();
  }
}
