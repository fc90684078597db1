package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import java.io.IOException;

/** Copies under contract beside copies without: how they are carried out. */
final class ContractStudy {
  private ContractStudy() {}

  static void run(Bench bench, Plan plan) throws IOException {
    try (var cast = new ContractCast(bench)) {
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
