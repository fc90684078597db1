package dev.staithe.perf.report;

import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Results;
import dev.staithe.perf.result.Sample;
import dev.staithe.perf.result.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What several runs of one study say together: each experiment by the last run that measured it.
 */
final class LatestRuns {
  private static final BinaryOperator<String> BOTH =
      (before, after) -> before.equals(after) ? before : before + ", " + after;

  private LatestRuns() {}

  /**
   * As one run.
   *
   * @param runs at least one, by their time
   */
  static Results of(List<Results> runs) {
    if (runs.size() == 1) {
      return runs.getFirst();
    }
    var measuredBy = new LinkedHashMap<String, Results>();
    var experiments = new LinkedHashMap<String, Experiment>();
    var targets = new LinkedHashMap<String, Target>();
    var parties = new LinkedHashMap<String, Results.Party>();
    var machine = new LinkedHashMap<String, String>();
    for (Results run : runs) {
      for (Experiment experiment : run.experiments()) {
        String id = experiment.id();
        // What was begun and not measured takes no place of what was.
        if (!measuredBy.containsKey(id)
            || run.samples().stream().anyMatch(each -> each.experiment().equals(id))) {
          measuredBy.put(id, run);
          experiments.put(id, experiment);
        }
      }
      run.targets().forEach(target -> targets.put(target.text(), target));
      for (Results.Party party : run.parties()) {
        parties.merge(
            party.name(),
            party,
            (before, after) ->
                after.missing().isEmpty() || !before.missing().isEmpty() ? after : before);
      }
      run.machine().forEach((fact, value) -> machine.merge(fact, value, BOTH));
    }
    Results last = runs.getLast();
    return new Results(
        last.study(),
        runs.stream().map(Results::form).distinct().collect(Collectors.joining(", ")),
        runs.getFirst().started(),
        runs.stream().mapToDouble(Results::seconds).sum(),
        runs.stream().allMatch(Results::complete),
        machine,
        List.copyOf(parties.values()),
        List.copyOf(experiments.values()),
        List.copyOf(targets.values()),
        picked(measuredBy, Results::samples, Sample::experiment),
        picked(measuredBy, Results::profiles, Results.Profile::experiment),
        picked(measuredBy, Results::series, Results.Series::experiment),
        List.of(),
        picked(measuredBy, Results::times, Results.Times::experiment));
  }

  private static <T> List<T> picked(
      Map<String, Results> measuredBy,
      Function<Results, List<T>> list,
      Function<T, String> experiment) {
    var picked = new ArrayList<T>();
    measuredBy.forEach(
        (id, run) ->
            list.apply(run).stream()
                .filter(each -> experiment.apply(each).equals(id))
                .forEach(picked::add));
    return picked;
  }
}
