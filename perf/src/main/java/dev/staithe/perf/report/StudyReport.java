package dev.staithe.perf.report;

import dev.staithe.perf.result.Results;
import java.util.List;
import java.util.Map;

/**
 * A study as performance.html tells it: all of its runs, by kinds of processor.
 *
 * @param study as {@code storage}
 * @param kinds of processor, in the order in which they were first measured
 * @param runs what was measured when, where and in which form, oldest first
 * @param verdicts on its targets
 * @param latest what the runs on each kind say together, in the order of the kinds
 */
record StudyReport(
    String study,
    List<String> kinds,
    List<RunReport> runs,
    List<Verdict> verdicts,
    List<RunReport> latest) {

  /**
   * @param runs of one study, by their time
   */
  static StudyReport of(List<Results> runs) {
    Map<String, Results> byKind = Verdict.byKind(runs);
    return new StudyReport(
        runs.getFirst().study(),
        List.copyOf(byKind.keySet()),
        runs.stream().map(RunReport::brief).toList(),
        Verdict.of(runs),
        byKind.values().stream().map(RunReport::brief).toList());
  }

  /** How many targets two kinds of processor keep. */
  public long kept() {
    return verdicts.stream().filter(each -> each.css().equals("kept")).count();
  }

  /** How many are kept by the one kind that was measured. */
  public long unconfirmed() {
    return verdicts.stream().filter(each -> each.css().equals("unconfirmed")).count();
  }
}
