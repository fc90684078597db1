package dev.staithe.perf.report;

import dev.staithe.perf.harness.Coverage;
import dev.staithe.perf.result.Experiment;
import dev.staithe.perf.result.Results;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A run as page.html tells it.
 *
 * @param results all of it
 * @param prefix of the names of its places in the page; empty where it is the only one
 * @param again which experiments a later run measured again: they have no drawings
 * @param outcomes of its targets
 * @param wins where a peer is better
 * @param article tables of one study alone: the gateway's beside the article's, what contracts cost
 * @param experiments in their order; none where only what is above is told
 */
record RunReport(
    Results results,
    String prefix,
    Set<String> again,
    List<TargetOutcome> outcomes,
    List<PeerWins> wins,
    List<Table> article,
    List<ExperimentReport> experiments) {

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMMM yyyy HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  static RunReport of(Results results, String prefix, Set<String> again) {
    return of(
        results,
        prefix,
        again,
        results.experiments().stream().map(e -> ExperimentReport.of(results, e)).toList());
  }

  /** Without its experiments, whose models take seconds to fit. */
  static RunReport brief(Results results) {
    return of(results, "", Set.of(), List.of());
  }

  private static RunReport of(
      Results results, String prefix, Set<String> again, List<ExperimentReport> experiments) {
    return new RunReport(
        results,
        prefix,
        again,
        TargetOutcome.of(results),
        PeerWins.of(results),
        results.study().equals(ContractCosts.STUDY)
            ? ContractCosts.of(results)
            : ArticleTable.of(results),
        experiments);
  }

  /** As {@code 9 of 13 targets kept}. */
  public String summary() {
    return outcomes.isEmpty()
        ? "No targets in this run"
        : count(TargetOutcome.Judged::kept) + " of " + outcomes.size() + " targets kept";
  }

  /** What the summary leaves out, one line. */
  public String rest() {
    long judged = count(any -> true);
    long close = count(TargetOutcome.Judged::close);
    return (judged - count(TargetOutcome.Judged::kept))
        + " missed, "
        + (outcomes.size() - judged)
        + " not measured"
        + (close == 0 ? "" : ", " + close + " with a spread that reaches over the limit")
        + ". On one kind of processor, which confirms nothing by itself. "
        + (wins.isEmpty()
            ? "No peer wins anywhere."
            : "A peer wins in " + wins.size() + (wins.size() == 1 ? " place." : " places."));
  }

  private long count(Predicate<TargetOutcome.Judged> which) {
    return outcomes.stream()
        .filter(o -> o instanceof TargetOutcome.Judged judged && which.test(judged))
        .count();
  }

  /** The title of an experiment. */
  public String title(String experiment) {
    return results.experiments().stream()
        .filter(e -> e.id().equals(experiment))
        .map(Experiment::title)
        .findFirst()
        .orElse(experiment);
  }

  /** From how many calls on a context is worth it; empty where it was not measured. */
  public String breakEven() {
    return ArticleTable.breakEven(results);
  }

  /** How much of the grid it has. */
  public List<Coverage> coverage() {
    return Coverage.of(results);
  }

  /** When it was made. */
  public String day() {
    return DAY.format(results.started());
  }

  /** What it was made on. */
  public List<String> facts() {
    return List.copyOf(results.machine().values());
  }
}
