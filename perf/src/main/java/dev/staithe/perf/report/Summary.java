package dev.staithe.perf.report;

import dev.staithe.perf.lean.Part;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Latencies;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Makes a run as small as its page: each round's totals stay, because ratios are paired by round;
 * of the time of each single request stays where it lies, of a profile what is wide enough to be
 * drawn. Every figure of the page is the same from a run and from its summary.
 */
public final class Summary {
  private static final double[] OF_TABLES = {50, 90, 99, 99.9, 100};
  private static final double[] OF_CURVES =
      DoubleStream.concat(
              IntStream.rangeClosed(1, 50).mapToDouble(each -> each * 2),
              DoubleStream.of(1, 99, 99.5, 99.9))
          .toArray();

  private Summary() {}

  /** Of a run; the same where it is one already. */
  public static Results of(Results run) {
    if (!run.times().isEmpty()) {
      return run;
    }
    var times = new ArrayList<Results.Times>();
    for (Experiment experiment : run.experiments()) {
      for (Cell cell : Cell.of(run, experiment)) {
        times(times, experiment, cell);
      }
    }
    return new Results(
        run.study(),
        run.form(),
        run.started(),
        run.seconds(),
        run.complete(),
        run.machine(),
        run.parties(),
        run.experiments(),
        run.targets(),
        run.samples().stream().map(Latencies::summed).toList(),
        run.profiles().stream()
            .map(
                each ->
                    new Results.Profile(
                        each.experiment(), each.contestant(), FlameGraph.drawn(each.stacks())))
            .toList(),
        run.series(),
        run.remarks(),
        List.copyOf(times));
  }

  private static void times(List<Results.Times> times, Experiment experiment, Cell cell) {
    add(
        times,
        experiment,
        cell,
        "",
        cell.counting().stream().map(Sample::latencies).filter(Objects::nonNull).toList(),
        OF_TABLES);
    Set<String> types = new LinkedHashSet<>();
    cell.counting().forEach(sample -> types.addAll(sample.parts().keySet()));
    for (String type : types) {
      if (Residences.shown(type)) {
        add(
            times,
            experiment,
            cell,
            type,
            cell.counting().stream()
                .map(sample -> sample.parts().get(type))
                .filter(part -> part != null && part.requests() > 0)
                .map(Part::latencies)
                .toList(),
            OF_CURVES);
      }
    }
  }

  private static void add(
      List<Results.Times> times,
      Experiment experiment,
      Cell cell,
      String type,
      List<String> texts,
      double[] percents) {
    Latencies.added(texts, percents)
        .ifPresent(
            values ->
                times.add(
                    new Results.Times(
                        experiment.id(), cell.contestant(), cell.point(), type, values.text())));
  }
}
