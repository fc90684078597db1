package dev.staithe.perf.report;

import dev.staithe.perf.fit.AmdahlFit;
import dev.staithe.perf.fit.Interval;
import dev.staithe.perf.fit.Observation;
import dev.staithe.perf.fit.ScalabilityFit;
import dev.staithe.perf.fit.UniversalScalability;
import dev.staithe.perf.study.Experiment;
import dev.staithe.perf.study.Latencies;
import dev.staithe.perf.study.Measure;
import dev.staithe.perf.study.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Throughput by users with think time: the universal scalability law against users and against busy
 * users, Amdahl's law, and how far each point lies from them.
 *
 * <p>Users who think follow min(p / (R + Z), Xmax), whose knee is sharper than the law's. So it is
 * fitted a second time against the users that wait for an answer, N = X·R by Little's law.
 */
final class UserModels {
  private static final int CURVE_POINTS = 60;

  private final Experiment experiment;
  private final Map<String, List<Cell>> lines = new LinkedHashMap<>();

  UserModels(Experiment experiment, List<Cell> cells) {
    this.experiment = experiment;
    for (Cell cell : cells) {
      if (Double.isFinite(cell.position(experiment.axis())) && !cell.counting().isEmpty()) {
        lines.computeIfAbsent(cell.contestant(), name -> new ArrayList<>()).add(cell);
      }
    }
  }

  void write(Markup page) {
    if (lines.values().stream().noneMatch(cells -> cells.size() > 1)) {
      return;
    }
    ToDoubleFunction<Sample> users = sample -> Cell.position(sample.point(), experiment.axis());
    Map<String, ScalabilityFit> byUsers = fits(users);
    Map<String, ScalabilityFit> byBusy = fits(UserModels::busy);
    var amdahl = new LinkedHashMap<String, AmdahlFit>();
    lines.forEach((name, cells) -> amdahl.put(name, AmdahlFit.of(observations(cells, users))));
    throughput(page, "x", experiment.axis(), users, byUsers);
    residuals(page, users, byUsers, amdahl);
    throughput(page, "n", "busy users N = X·R", UserModels::busy, byBusy);
    table(page, byUsers, byBusy, amdahl);
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

  private Map<String, ScalabilityFit> fits(ToDoubleFunction<Sample> x) {
    var fits = new LinkedHashMap<String, ScalabilityFit>();
    lines.forEach((name, cells) -> fits.put(name, ScalabilityFit.of(observations(cells, x))));
    return fits;
  }

  private void throughput(
      Markup page,
      String id,
      String axis,
      ToDoubleFunction<Sample> x,
      Map<String, ScalabilityFit> fits) {
    var drawn = new ArrayList<Plots.Line>();
    lines.forEach(
        (name, cells) -> {
          List<Plots.Point> points =
              cells.stream()
                  .flatMap(
                      cell ->
                          cell.spread(Measure.REQUESTS).stream()
                              .map(
                                  s ->
                                      new Plots.Point(
                                          cell.median(x), s.median(), s.min(), s.max())))
                  .filter(point -> Double.isFinite(point.x()))
                  .toList();
          if (!points.isEmpty()) {
            drawn.add(new Plots.Line(name, points, curve(fits.get(name), points)));
          }
        });
    if (drawn.isEmpty()) {
      return;
    }
    page.open("figure", "class", "plot");
    page.raw(
        Plots.draw(
            "u-" + id + "-" + experiment.id(),
            experiment.title() + ": requests/s by " + axis,
            axis,
            Measure.REQUESTS.unit(),
            drawn));
    page.element(
        "figcaption",
        "Good answers in the measured phase. Marks are medians, upright lines reach from the"
            + " smallest to the largest value, curves are the universal scalability law.");
    page.close();
  }

  private static List<Plots.Point> curve(@Nullable ScalabilityFit fit, List<Plots.Point> points) {
    if (!(fit instanceof ScalabilityFit.Fitted fitted) || points.size() < 2) {
      return List.of();
    }
    double from = points.stream().mapToDouble(Plots.Point::x).min().orElse(1);
    double to = points.stream().mapToDouble(Plots.Point::x).max().orElse(1);
    var curve = new ArrayList<Plots.Point>();
    for (int i = 0; i <= CURVE_POINTS; i++) {
      double x = from * Math.pow(to / from, (double) i / CURVE_POINTS);
      double y = fitted.curve().at(x);
      curve.add(new Plots.Point(x, y, y, y));
    }
    return curve;
  }

  private void residuals(
      Markup page,
      ToDoubleFunction<Sample> users,
      Map<String, ScalabilityFit> law,
      Map<String, AmdahlFit> amdahl) {
    var drawn = new ArrayList<Plots.Line>();
    lines.forEach(
        (name, cells) -> {
          if (law.get(name) instanceof ScalabilityFit.Fitted fitted) {
            drawn.add(residuals(name + ", USL", cells, users, fitted.curve()));
          }
          if (amdahl.get(name) instanceof AmdahlFit.Fitted fitted) {
            drawn.add(residuals(name + ", Amdahl", cells, users, fitted.curve()));
          }
        });
    if (drawn.isEmpty()) {
      return;
    }
    page.open("figure", "class", "plot");
    page.raw(
        Plots.draw(
            "u-r-" + experiment.id(),
            experiment.title() + ": residuals",
            experiment.axis(),
            "measured / model − 1, %",
            drawn));
    page.element(
        "figcaption",
        "What a model leaves over. Points that lie on one side of zero in a row say that it has the"
            + " wrong shape, whatever R² is.");
    page.close();
  }

  private static Plots.Line residuals(
      String name, List<Cell> cells, ToDoubleFunction<Sample> users, UniversalScalability curve) {
    var points = new ArrayList<Plots.Point>();
    for (Cell cell : cells) {
      double[] left =
          cell.counting().stream()
              .mapToDouble(
                  s -> (Measure.REQUESTS.of(s) / curve.at(users.applyAsDouble(s)) - 1) * 100)
              .sorted()
              .toArray();
      points.add(
          new Plots.Point(
              cell.median(users),
              DoubleStream.of(left).average().orElse(0),
              left[0],
              left[left.length - 1]));
    }
    return new Plots.Line(name, points, List.of());
  }

  private void table(
      Markup page,
      Map<String, ScalabilityFit> byUsers,
      Map<String, ScalabilityFit> byBusy,
      Map<String, AmdahlFit> amdahl) {
    page.element("h3", "Scalability");
    page.open("div", "class", "wide").open("table");
    Tables.head(
        page,
        "Contestant",
        "Law",
        "λ, requests/s",
        "σ contention",
        "κ coherence",
        "Peak at",
        "Most, requests/s",
        "R²");
    page.open("tbody");
    lines.forEach(
        (name, cells) -> {
          row(page, name, "USL, users", byUsers.get(name));
          row(page, name, "USL, busy users", byBusy.get(name));
          row(page, name, amdahl.get(name));
        });
    page.close().close().close();
    page.element(
        "p",
        "USL: X(p) = λp / (1 + σ(p−1) + κp(p−1)); Amdahl: the same with κ = 0, whose most is λ/σ."
            + " Relative residuals, 95 % intervals by bootstrap with a fixed seed. Busy users:"
            + " those that wait for an answer, N = X·R. A peak is named only where it lies within"
            + " what was measured.",
        "class",
        "note");
  }

  private static void row(Markup page, String name, String law, @Nullable ScalabilityFit fit) {
    page.open("tr").element("td", name, "class", "contestant").element("td", law);
    switch (fit) {
      case ScalabilityFit.Fitted fitted -> {
        with(page, fitted.curve().lambda(), fitted.lambda());
        with(page, fitted.curve().sigma(), fitted.sigma());
        with(page, fitted.curve().kappa(), fitted.kappa());
        if (fitted.peak().isPresent()) {
          with(page, fitted.curve().peakClients(), fitted.peakClients());
          with(page, fitted.curve().peakThroughput(), fitted.peakThroughput());
        } else {
          page.element("td", "no peak within range", "colspan", "2", "class", "reason");
        }
        page.element("td", Figures.number(fitted.rSquared()), "class", "n");
      }
      case ScalabilityFit.Unfit(String reason) -> unfit(page, reason);
      case null -> unfit(page, "nothing was measured");
    }
    page.close();
  }

  private static void row(Markup page, String name, @Nullable AmdahlFit fit) {
    page.open("tr").element("td", name, "class", "contestant").element("td", "Amdahl, users");
    switch (fit) {
      case AmdahlFit.Fitted fitted -> {
        with(page, fitted.curve().lambda(), fitted.lambda());
        with(page, fitted.curve().sigma(), fitted.sigma());
        page.element("td", "0", "class", "n").element("td", "–", "class", "n");
        with(page, fitted.curve().peakThroughput(), fitted.limit());
        page.element("td", Figures.number(fitted.rSquared()), "class", "n");
      }
      case AmdahlFit.Unfit(String reason) -> unfit(page, reason);
      case null -> unfit(page, "nothing was measured");
    }
    page.close();
  }

  private static void unfit(Markup page, String reason) {
    page.element("td", "not fitted: " + reason, "colspan", "6", "class", "reason");
  }

  private static void with(Markup page, double value, Interval interval) {
    page.open("td", "class", "n").text(Figures.number(value));
    page.element("small", Figures.range(interval.low(), interval.high())).close();
  }
}
