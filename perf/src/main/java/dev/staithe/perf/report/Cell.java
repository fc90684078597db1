package dev.staithe.perf.report;

import dev.staithe.perf.fit.Spread;
import dev.staithe.perf.study.Experiment;
import dev.staithe.perf.study.Latencies;
import dev.staithe.perf.study.Measure;
import dev.staithe.perf.study.Results;
import dev.staithe.perf.study.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * All samples of one contestant at one point of one experiment.
 *
 * @param contestant who
 * @param point where
 * @param samples those that count and those that do not
 */
record Cell(String contestant, Map<String, String> point, List<Sample> samples) {
  /** A client that is busier than this may be what was measured. */
  private static final double CLIENT_BOUND = 0.9;

  /** The cells of an experiment, by point in the order of the axis, then by contestant. */
  static List<Cell> of(Results results, Experiment experiment) {
    var cells = new LinkedHashMap<Map<String, String>, Map<String, List<Sample>>>();
    Set<String> contestants = new LinkedHashSet<>(experiment.contestants());
    for (Sample sample : results.samples()) {
      if (sample.experiment().equals(experiment.id())) {
        contestants.add(sample.contestant());
        cells
            .computeIfAbsent(sample.point(), p -> new LinkedHashMap<>())
            .computeIfAbsent(sample.contestant(), c -> new ArrayList<>())
            .add(sample);
      }
    }
    return cells.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<Map<String, String>, ?>>comparingDouble(
                    e -> position(e.getKey(), experiment.axis()))
                .thenComparing(e -> Figures.point(e.getKey())))
        .flatMap(
            at ->
                contestants.stream()
                    .map(c -> new Cell(c, at.getKey(), at.getValue().getOrDefault(c, List.of())))
                    .filter(cell -> !cell.samples().isEmpty()))
        .toList();
  }

  /** Where the point lies on an axis; not a number where it does not. */
  static double position(Map<String, String> point, String axis) {
    try {
      return Double.parseDouble(point.getOrDefault(axis, ""));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Where it lies on an axis; not a number where it does not. */
  double position(String axis) {
    return position(point, axis);
  }

  /** The samples that count. */
  List<Sample> counting() {
    return samples.stream().filter(Sample::counts).toList();
  }

  /** The samples that do not. */
  List<Sample> voided() {
    return samples.stream().filter(s -> !s.counts()).toList();
  }

  /** Where the samples that count lie; absent where none has the measure. */
  Optional<Spread> spread(Measure measure) {
    return Spread.of(counting().stream().map(measure::of).toList());
  }

  /** The median of a figure of the samples that count; not a number where there is none. */
  double median(ToDoubleFunction<Sample> figure) {
    return Spread.of(counting().stream().mapToDouble(figure).toArray())
        .map(Spread::median)
        .orElse(Double.NaN);
  }

  /** How much of one core the client took. */
  double clientShare() {
    return median(s -> s.clientCpu() / s.seconds());
  }

  /** Whether the client may have been the limit. */
  boolean clientBound() {
    return clientShare() > CLIENT_BOUND;
  }

  /** Requests that failed, in samples that count. */
  long errors() {
    return counting().stream().mapToLong(Sample::errors).sum();
  }

  /** The latencies of all samples that count, added up; absent where none was recorded. */
  Optional<Histogram> latencies() {
    Histogram all = null;
    for (Sample sample : counting()) {
      String text = sample.latencies();
      if (text == null) {
        continue;
      }
      Optional<Histogram> one = Latencies.decoded(text);
      if (one.isEmpty()) {
        return Optional.empty();
      }
      if (all == null) {
        all = one.get();
      } else {
        all.add(one.get());
      }
    }
    return Optional.ofNullable(all);
  }
}
