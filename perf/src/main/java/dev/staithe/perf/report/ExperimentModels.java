package dev.staithe.perf.report;

import dev.staithe.perf.fit.Interval;
import dev.staithe.perf.fit.Observation;
import dev.staithe.perf.fit.ScalabilityFit;
import dev.staithe.perf.fit.TransferFit;
import dev.staithe.perf.study.Experiment;
import dev.staithe.perf.study.Measure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The plot of an experiment over its axis, with the models that belong to the axis. */
final class ExperimentModels {
  private static final String PLAIN = "-plain";
  private static final int CURVE_POINTS = 60;

  private final Experiment experiment;

  /** By contestant and by what else is in the point besides the axis. */
  private final Map<String, List<Cell>> lines = new LinkedHashMap<>();

  ExperimentModels(Experiment experiment, List<Cell> cells) {
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

  void write(Markup page) {
    if (lines.values().stream().noneMatch(cells -> cells.size() > 1)) {
      return;
    }
    switch (experiment.axis()) {
      case "clients" -> scalability(page);
      case "size" -> {
        transfers(page);
        degradation(page);
      }
      default -> plot(page, experiment.measure(), Map.of(), "");
    }
  }

  private void scalability(Markup page) {
    Measure throughput = experiment.measure() == Measure.RATE ? Measure.RATE : Measure.REQUESTS;
    var fits = new LinkedHashMap<String, ScalabilityFit>();
    lines.forEach((name, cells) -> fits.put(name, ScalabilityFit.of(all(cells, throughput))));
    var curves = new LinkedHashMap<String, DoubleUnaryOperator>();
    fits.forEach(
        (name, fit) -> {
          if (fit instanceof ScalabilityFit.Fitted fitted) {
            curves.put(name, fitted.curve()::at);
          }
        });
    plot(page, throughput, curves, "-throughput");
    if (experiment.measure() != throughput) {
      plot(page, experiment.measure(), Map.of(), "");
    }
    page.element("h3", "Universal scalability law");
    page.open("div", "class", "wide").open("table");
    Tables.head(
        page,
        "Contestant",
        "λ, " + throughput.unit(),
        "σ contention",
        "κ coherence",
        "Peak at clients",
        "Peak, " + throughput.unit(),
        "R²",
        "R² with κ = 0");
    page.open("tbody");
    fits.forEach(
        (name, fit) -> {
          page.open("tr").element("td", name, "class", "contestant");
          switch (fit) {
            case ScalabilityFit.Fitted fitted -> fitted(page, fitted);
            case ScalabilityFit.Unfit(String reason) ->
                page.element("td", "not fitted: " + reason, "colspan", "7", "class", "reason");
          }
          page.close();
        });
    page.close().close().close();
    page.element(
        "p",
        "X(p) = λp / (1 + σ(p−1) + κp(p−1)), relative residuals, 95 % intervals by bootstrap with a"
            + " fixed seed. A peak is named only where it lies within what was measured.",
        "class",
        "note");
  }

  private static void fitted(Markup page, ScalabilityFit.Fitted fit) {
    with(page, fit.curve().lambda(), fit.lambda());
    with(page, fit.curve().sigma(), fit.sigma());
    with(page, fit.curve().kappa(), fit.kappa());
    if (fit.peak().isPresent()) {
      with(page, fit.curve().peakClients(), fit.peakClients());
      with(page, fit.curve().peakThroughput(), fit.peakThroughput());
    } else {
      page.element("td", "no peak within range", "colspan", "2", "class", "reason");
    }
    page.element("td", Figures.number(fit.rSquared()), "class", "n");
    page.element("td", Figures.number(fit.amdahlRSquared()), "class", "n");
  }

  private static void with(Markup page, double value, Interval interval) {
    page.open("td", "class", "n").text(Figures.number(value));
    page.element("small", Figures.range(interval.low(), interval.high())).close();
  }

  private void transfers(Markup page) {
    var fits = new LinkedHashMap<String, TransferFit>();
    lines.forEach((name, cells) -> fits.put(name, TransferFit.of(transfers(cells))));
    var curves = new LinkedHashMap<String, DoubleUnaryOperator>();
    if (experiment.measure() == Measure.SECONDS) {
      fits.forEach(
          (name, fit) -> {
            if (fit instanceof TransferFit.Fitted fitted) {
              curves.put(name, fitted.model()::seconds);
            }
          });
    }
    plot(page, experiment.measure(), curves, "");
    page.element("h3", "Transfer model T = T0 + size/rate");
    page.open("table");
    Tables.head(page, "Contestant", "T0", "Rate, MB/s", "Half of the rate at", "R²");
    page.open("tbody");
    fits.forEach(
        (name, fit) -> {
          page.open("tr").element("td", name, "class", "contestant");
          switch (fit) {
            case TransferFit.Fitted(var model, var startError, var rateError, var rSquared) -> {
              page.element(
                  "td",
                  Figures.seconds(model.startSeconds()) + " ± " + Figures.seconds(startError),
                  "class",
                  "n");
              page.element(
                  "td",
                  Figures.number(model.bytesPerSecond() / 1e6)
                      + " ± "
                      + Figures.number(rateError / 1e6),
                  "class",
                  "n");
              page.element("td", Figures.bytes(Math.rint(model.halfRateBytes())), "class", "n");
              page.element("td", Figures.number(rSquared), "class", "n");
            }
            case TransferFit.Unfit(String reason) ->
                page.element("td", "not fitted: " + reason, "colspan", "4", "class", "reason");
          }
          page.close();
        });
    page.close().close();
    page.element("p", "Least squares weighted by 1/T²; ± is one standard error.", "class", "note");
  }

  /** P = 1 − rate with TLS / rate without, for each contestant that was measured both ways. */
  private void degradation(Markup page) {
    var pairs = lines.keySet().stream().filter(n -> lines.containsKey(n + PLAIN)).toList();
    if (pairs.isEmpty()) {
      return;
    }
    page.element("h3", "What encryption costs: P = 1 − rate with TLS / rate without");
    page.open("table");
    var headings = new ArrayList<>(List.of("size"));
    headings.addAll(pairs);
    Tables.head(page, headings.toArray(String[]::new));
    page.open("tbody");
    var sizes =
        lines.values().stream()
            .flatMap(List::stream)
            .mapToDouble(c -> c.position("size"))
            .distinct()
            .sorted()
            .toArray();
    for (double size : sizes) {
      page.open("tr").element("td", Figures.bytes(size));
      for (String name : pairs) {
        double share = 1 - rate(lines.get(name), size) / rate(lines.get(name + PLAIN), size);
        page.element("td", Figures.percent(share), "class", "n");
      }
      page.close();
    }
    page.close().close();
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

  /** Seconds of one request each: a sample may have many. */
  private List<Observation> transfers(List<Cell> cells) {
    return cells.stream()
        .flatMap(
            c ->
                c.counting().stream()
                    .map(
                        s ->
                            new Observation(
                                c.position(experiment.axis()),
                                s.seconds() / Math.max(1, s.requests()))))
        .toList();
  }

  private List<Observation> all(List<Cell> cells, Measure measure) {
    return cells.stream()
        .flatMap(
            c ->
                c.counting().stream()
                    .map(s -> new Observation(c.position(experiment.axis()), measure.of(s))))
        .toList();
  }

  private void plot(
      Markup page, Measure measure, Map<String, DoubleUnaryOperator> curves, String suffix) {
    boolean size = experiment.axis().equals("size");
    double unit = size ? 1e6 : 1;
    var drawn = new ArrayList<Plots.Line>();
    lines.forEach(
        (name, cells) -> {
          var points = new ArrayList<Plots.Point>();
          for (Cell cell : cells) {
            cell.spread(measure)
                .map(
                    s ->
                        new Plots.Point(
                            cell.position(experiment.axis()) / unit, s.median(), s.min(), s.max()))
                .ifPresent(points::add);
          }
          if (!points.isEmpty()) {
            var curve = curves.get(name);
            drawn.add(
                new Plots.Line(
                    name,
                    points,
                    curve == null ? List.of() : curve(x -> curve.applyAsDouble(x * unit), points)));
          }
        });
    if (drawn.isEmpty()) {
      return;
    }
    page.open("figure", "class", "plot");
    page.raw(
        Plots.draw(
            "p-" + experiment.id().replaceAll("[^A-Za-z0-9-]", "-") + suffix,
            experiment.title() + ": " + measure.unit() + " by " + experiment.axis(),
            size ? "size, MB (1,000,000 bytes)" : experiment.axis(),
            measure.unit(),
            drawn));
    page.element(
        "figcaption",
        "Marks are medians, upright lines reach from the smallest to the largest value"
            + (curves.isEmpty() ? "." : ", curves are the fitted model."));
    page.close();
  }

  private static List<Plots.Point> curve(DoubleUnaryOperator law, List<Plots.Point> points) {
    double from = points.getFirst().x();
    double ratio = points.getLast().x() / from;
    var curve = new ArrayList<Plots.Point>();
    for (int i = 0; i <= CURVE_POINTS; i++) {
      double x = from * Math.pow(ratio, (double) i / CURVE_POINTS);
      double y = law.applyAsDouble(x);
      if (y > 0) {
        curve.add(new Plots.Point(x, y, y, y));
      }
    }
    return curve;
  }
}
