package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.services.DelegationServer;
import dev.staithe.perf.services.StaitheDelegationPeer.Variant;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** The delegation service beside its peer: which experiments there are, and what is promised. */
final class DelegationStudy {
  private final Bench bench;
  private final Plan plan;

  /**
   * @param only which experiments, by their ids; empty for all
   */
  DelegationStudy(Bench bench, Set<String> only) {
    this.bench = bench;
    this.plan = new Plan(bench, "delegation", only);
  }

  /**
   * Carries it out.
   *
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  void run() throws IOException {
    try (var cast = new DelegationCast(bench, DelegationTrials.burst(bench.form()))) {
      plan(cast);
      plan.carryOut();
    }
  }

  private void plan(DelegationCast cast) {
    var visits = new DelegationVisits(bench, cast);
    var delegations = new DelegationTrials(bench, cast, visits);
    var acting = new ActingTrials(bench, visits);
    plan.add(
        "sustained",
        delegations::sustained,
        trial -> profile(trial, cast.server(Variant.EC), DelegationTrials.EC));
    plan.add("echo-session", acting::session);
    plan.add("delegated-echo", acting::clients);
    plan.add("burst", delegations::burst, trial -> cast.dismiss(Variant.EC));
    plan.add("gridsite", delegations::peers);
  }

  private void profile(Trial trial, Optional<DelegationServer> server, String contestant)
      throws IOException {
    if (server.isPresent()) {
      plan.profile(trial, contestant, server.get().pid());
    }
  }
}
