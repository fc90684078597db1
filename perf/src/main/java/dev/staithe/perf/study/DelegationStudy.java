package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.services.StaitheDelegationPeer.Variant;
import java.io.IOException;
import java.util.Set;

/** The delegation service beside its peer: which experiments there are, and what is promised. */
final class DelegationStudy {
  private DelegationStudy() {}

  /**
   * Carries it out.
   *
   * @param only which experiments, by their ids; empty for all
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  static void run(Bench bench, Set<String> only) throws IOException {
    try (var cast = new DelegationCast(bench, DelegationTrials.burst(bench.form()))) {
      var plan = new Plan(bench, "delegation", only);
      var delegations = new DelegationTrials(bench, cast);
      plan.add(
          "sustained",
          delegations::sustained,
          plan.profiling(DelegationTrials.EC, () -> cast.server(Variant.EC)));
      plan.add("echo-session", delegations::session);
      plan.add("delegated-echo", delegations::calls);
      plan.add("burst", delegations::burst, trial -> cast.dismiss(Variant.EC.peer()));
      plan.add("gridsite", delegations::peers);
      plan.carryOut();
    }
  }
}
