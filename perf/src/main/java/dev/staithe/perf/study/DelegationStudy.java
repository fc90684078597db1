package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.services.StaitheDelegationPeer.Variant;
import java.io.IOException;

/** The delegation service beside its peer: how its experiments are carried out. */
final class DelegationStudy {
  private DelegationStudy() {}

  static void run(Bench bench, Plan plan) throws IOException {
    try (var cast = new DelegationCast(bench, DelegationTrials.burst(bench.form()))) {
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
