package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import java.io.IOException;
import java.util.Set;

/** Copies under contract beside copies without: which experiments there are. */
final class ContractStudy {
  private ContractStudy() {}

  /**
   * Carries it out.
   *
   * @param only which experiments, by their ids; empty for all
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  static void run(Bench bench, Set<String> only) throws IOException {
    try (var cast = new ContractCast(bench)) {
      var plan = new Plan(bench, "contracts", only);
      var copies = new ContractTrials(bench, cast);
      var profile = plan.profiling(ContractTrials.CONTRACT, cast::receiver);
      plan.add("small", copies::small, profile);
      plan.add("pull", copies::pull, profile);
      plan.add("sizes", copies::sizes);
      plan.add("affinity", copies::affinity);
      plan.add("log", new LogTrials(bench, cast)::trial);
      plan.carryOut();
    }
  }
}
