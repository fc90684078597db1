package dev.staithe.perf.report;

import dev.staithe.perf.lean.Part;
import dev.staithe.perf.report.Table.Entry;
import dev.staithe.perf.result.Distribution;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * How long requests of each type stay in the service: the share that is answered within a time, the
 * percentile marked, and what was refused.
 */
final class Residences {
  private static final double[] MARKED = {50, 90, 99};
  private static final double[] LISTED = {50, 90, 99, 99.9, 100};

  /** Fewer values have no distribution. */
  private static final int ENOUGH = 10;

  private Residences() {}

  /** Those of the run-up and after the measured phase are named so, and are not. */
  static boolean shown(String type) {
    return !type.endsWith("]");
  }

  static List<Block> of(Experiment experiment, List<Cell> all) {
    List<Cell> cells = all.stream().filter(cell -> !types(cell).isEmpty()).toList();
    if (cells.isEmpty()) {
      return List.of();
    }
    var charts = drawn(experiment, cells).stream().map(cell -> chart(experiment, cell)).toList();
    return List.of(new Block("Residence times by type of request", charts, List.of(table(cells))));
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

  /**
   * One of each contestant, or each where there are few: along an axis that with the highest
   * throughput, where the service is just full.
   */
  private static List<Cell> drawn(Experiment experiment, List<Cell> cells) {
    if (experiment.axis().isEmpty()) {
      return cells;
    }
    var best = new LinkedHashMap<String, Cell>();
    for (Cell cell : cells) {
      best.merge(
          cell.contestant(),
          cell,
          (one, other) ->
              Double.compare(one.median(Measure.REQUESTS::of), other.median(Measure.REQUESTS::of))
                      >= 0
                  ? one
                  : other);
    }
    return List.copyOf(best.values());
  }

  private static Chart chart(Experiment experiment, Cell cell) {
    var lines = new ArrayList<Chart.Line>();
    for (String type : types(cell)) {
      cell.latencies(type)
          .filter(times -> times.count() >= ENOUGH)
          .ifPresent(
              times ->
                  lines.add(new Chart.Line(type, marks(times), curve(times), type + " (all)")));
    }
    String who =
        cell.contestant() + (cell.point().isEmpty() ? "" : ", " + Figures.point(cell.point()));
    return new Chart(
        experiment.title() + ": residence times of " + who,
        "ms",
        "% of requests within",
        who
            + ": the share of requests that are answered within a time; marks are the 50th, 90th"
            + " and 99th percentile.",
        lines);
  }

  private static List<Chart.Point> marks(Distribution times) {
    return DoubleStream.of(MARKED).mapToObj(percent -> point(times, percent)).toList();
  }

  /** The largest is left out: one outlier would press the rest together. */
  private static List<Chart.Point> curve(Distribution times) {
    return times.quantiles().headMap(100.0).keySet().stream()
        .map(percent -> point(times, percent))
        .toList();
  }

  /** A time of zero would have no place on an axis in decades. */
  private static Chart.Point point(Distribution times, double percent) {
    return new Chart.Point(Math.max(1e-3, times.at(percent) / 1e6), percent);
  }

  private static Table table(List<Cell> cells) {
    var rows = new ArrayList<List<Entry>>();
    for (Cell cell : cells) {
      counts(cell)
          .forEach(
              (type, counts) -> {
                var row = new ArrayList<Entry>();
                row.add(Entry.text(Figures.point(cell.point())));
                row.add(Entry.contestant(cell.contestant()));
                row.add(Entry.text(type));
                row.add(Entry.figure(counts[0]));
                row.add(Entry.figure(counts[1]));
                Figures.percentiles(cell.latencies(type), LISTED)
                    .forEach(time -> row.add(Entry.figure(time)));
                rows.add(row);
              });
    }
    return new Table(
        "",
        List.of(
            "At", "Contestant", "Type", "Requests", "Refused", "p50", "p90", "p99", "p99.9", "Max"),
        rows,
        "");
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
