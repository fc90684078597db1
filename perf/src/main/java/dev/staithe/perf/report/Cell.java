package dev.staithe.perf.report;

import dev.staithe.perf.fit.Spread;
import dev.staithe.perf.result.Distribution;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * All samples of one contestant at one point of one experiment.
 *
 * @param contestant who
 * @param point where
 * @param samples those that count and those that do not
 * @param times where latencies lie by type of request, of a summary
 */
record Cell(
    String contestant, Map<String, String> point, List<Sample> samples, Map<String, String> times) {
  /** A client that is busier than this may be what was measured. */
  private static final double CLIENT_BOUND = 0.9;

  /** What is warm differs from round to round, but does not get better by more in each of them. */
  private static final double STILL = 1.04;

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
    var times = new HashMap<List<Object>, Map<String, String>>();
    for (Results.Times each : results.times()) {
      if (each.experiment().equals(experiment.id())) {
        times
            .computeIfAbsent(List.of(each.contestant(), each.point()), k -> new HashMap<>())
            .put(each.type(), each.values());
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
                    .map(
                        c ->
                            new Cell(
                                c,
                                at.getKey(),
                                at.getValue().getOrDefault(c, List.of()),
                                times.getOrDefault(List.of(c, at.getKey()), Map.of())))
                    .filter(cell -> !cell.samples().isEmpty()))
        .toList();
  }

  /** What was measured of a contestant wherever points have these values. */
  static Cell at(
      Results results, String experiment, String contestant, Map<String, String> values) {
    List<Sample> samples =
        results.samples().stream()
            .filter(s -> s.experiment().equals(experiment) && s.contestant().equals(contestant))
            .filter(s -> s.point().entrySet().containsAll(values.entrySet()))
            .toList();
    return new Cell(contestant, values, samples, Map.of());
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

  /**
   * Where the samples that count lie; absent where none has the measure, and where the server was
   * not warm yet: what still falls is no figure.
   */
  Optional<Spread> spread(Measure measure) {
    return warming(measure).isPresent()
        ? Optional.empty()
        : Spread.of(counting().stream().map(measure::of).toList());
  }

  /** The figures by their rounds where each is better than the one before, to the last. */
  Optional<String> warming(Measure measure) {
    return warming(samples, measure);
  }

  /** The same of the samples of one contestant at one point. */
  static Optional<String> warming(List<Sample> samples, Measure measure) {
    List<Sample> rounds =
        samples.stream()
            .filter(Sample::counts)
            .sorted(Comparator.comparingInt(Sample::round))
            .toList();
    if (rounds.size() < 3) {
      return Optional.empty();
    }
    for (int i = 1; i < rounds.size(); i++) {
      double before = measure.of(rounds.get(i - 1));
      double after = measure.of(rounds.get(i));
      double better = measure.moreIsBetter() ? after / before : before / after;
      if (!(better > STILL)) {
        return Optional.empty();
      }
    }
    return Optional.of(
        rounds.stream()
            .map(each -> Figures.number(measure.of(each)))
            .collect(Collectors.joining(", ")));
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

  /** Where the latencies of all samples that count lie; absent where the summary has none. */
  Optional<Distribution> latencies() {
    return latencies("");
  }

  /** The same of one type of request. */
  Optional<Distribution> latencies(String type) {
    return Optional.ofNullable(times.get(type)).flatMap(Distribution::parsed);
  }
}
