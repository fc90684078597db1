package dev.staithe.perf.report;

import dev.staithe.perf.scenario.Part;
import dev.staithe.perf.study.Distribution;
import dev.staithe.perf.study.Experiment;
import dev.staithe.perf.study.Measure;
import dev.staithe.perf.study.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * How long requests of each type stay with the service: distributions with the 50th, 90th and 99th
 * percentile marked, and what was refused.
 */
final class Residences {
  private static final double[] MARKED = {50, 90, 99};

  /** Fewer values have no distribution. */
  private static final int ENOUGH = 10;

  private final Experiment experiment;
  private final List<Cell> cells;

  Residences(Experiment experiment, List<Cell> cells) {
    this.experiment = experiment;
    this.cells = cells.stream().filter(cell -> !types(cell).isEmpty()).toList();
  }

  /** Those of the run-up and after the measured phase are named so, and are not. */
  static boolean shown(String type) {
    return !type.endsWith("]");
  }

  private static List<String> types(Cell cell) {
    var types = new LinkedHashSet<String>();
    for (Sample sample : cell.counting()) {
      for (Map.Entry<String, Part> part : sample.parts().entrySet()) {
        if (part.getValue().requests() > 0 && shown(part.getKey())) {
          types.add(part.getKey());
        }
      }
    }
    return List.copyOf(types);
  }

  void write(Markup page) {
    if (cells.isEmpty()) {
      return;
    }
    page.element("h3", "Residence times by type of request");
    int number = 0;
    for (Cell cell : drawn()) {
      draw(page, cell, number++);
    }
    table(page);
  }

  /**
   * One of each contestant, or each where there are few: along an axis that with the highest
   * throughput, where the service is just full.
   */
  private List<Cell> drawn() {
    if (experiment.axis().isEmpty()) {
      return cells;
    }
    var best = new LinkedHashMap<String, Cell>();
    for (Cell cell : cells) {
      best.merge(
          cell.contestant(),
          cell,
          (one, other) ->
              Comparator.comparingDouble((Cell c) -> c.median(Measure.REQUESTS::of))
                          .compare(one, other)
                      >= 0
                  ? one
                  : other);
    }
    return List.copyOf(best.values());
  }

  private void draw(Markup page, Cell cell, int number) {
    var lines = new ArrayList<Plots.Line>();
    for (String type : types(cell)) {
      cell.latencies(type)
          .filter(times -> times.count() >= ENOUGH)
          .ifPresent(
              times ->
                  lines.add(new Plots.Line(type, marks(times), curve(times), type + " (all)")));
    }
    if (lines.isEmpty()) {
      return;
    }
    String at = cell.point().isEmpty() ? "" : ", " + Figures.point(cell.point());
    page.open("figure", "class", "plot");
    page.raw(
        Plots.draw(
            "d-" + experiment.id() + "-" + number,
            experiment.title() + ": residence times of " + cell.contestant() + at,
            "ms",
            "% of requests within",
            lines));
    page.element(
        "figcaption",
        cell.contestant()
            + at
            + ": the share of requests that are answered within a time; marks are the 50th, 90th"
            + " and 99th percentile.");
    page.close();
  }

  private static List<Plots.Point> marks(Distribution times) {
    return DoubleStream.of(MARKED).mapToObj(percent -> point(times, percent)).toList();
  }

  /** The largest is left out: one outlier would press the rest together. */
  private static List<Plots.Point> curve(Distribution times) {
    return times.quantiles().headMap(100.0).keySet().stream()
        .map(percent -> point(times, percent))
        .toList();
  }

  /** A time of zero would have no place on an axis in decades. */
  private static Plots.Point point(Distribution times, double percent) {
    double ms = Math.max(1e-3, times.at(percent) / 1e6);
    return new Plots.Point(ms, percent, percent, percent);
  }

  private void table(Markup page) {
    page.open("div", "class", "wide").open("table");
    Tables.head(
        page,
        "At",
        "Contestant",
        "Type",
        "Requests",
        "Refused",
        "p50",
        "p90",
        "p99",
        "p99.9",
        "Max");
    page.open("tbody");
    for (Cell cell : cells) {
      for (Map.Entry<String, long[]> counts : counts(cell).entrySet()) {
        page.open("tr").element("td", Figures.point(cell.point()), "class", "point");
        page.element("td", cell.contestant(), "class", "contestant");
        page.element("td", counts.getKey());
        page.element("td", Figures.number(counts.getValue()[0]), "class", "n");
        page.element("td", Figures.number(counts.getValue()[1]), "class", "n");
        Optional<Distribution> times = cell.latencies(counts.getKey());
        for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
          page.element(
              "td",
              times.map(t -> Figures.seconds(t.at(percentile) / 1e9)).orElse("–"),
              "class",
              "n");
        }
        page.close();
      }
    }
    page.close().close().close();
  }

  /** Good ones and refused ones by type. */
  private static Map<String, long[]> counts(Cell cell) {
    var counts = new TreeMap<String, long[]>();
    for (Sample sample : cell.counting()) {
      sample
          .parts()
          .forEach(
              (type, part) -> {
                if (shown(type)) {
                  long[] both = counts.computeIfAbsent(type, t -> new long[2]);
                  both[0] += part.requests();
                  both[1] += part.refused();
                }
              });
    }
    return counts;
  }
}
