package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.services.StaitheGatewayPeer.Variant;
import java.io.IOException;
import java.util.Set;

/** The gateway beside its peers: which experiments there are, and what is promised. */
final class GatewayStudy {
  private final Bench bench;
  private final Plan plan;

  /**
   * @param only which experiments, by their ids; empty for all
   */
  GatewayStudy(Bench bench, Set<String> only) {
    this.bench = bench;
    this.plan = new Plan(bench, "gateway", only);
  }

  /**
   * Carries it out.
   *
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  void run() throws IOException {
    try (var cast = new GatewayCast(bench)) {
      plan(cast);
      plan.carryOut();
    }
  }

  private void plan(GatewayCast cast) {
    var calls = new GatewayCalls(bench, cast);
    var trials = new GatewayTrials(bench, cast, calls);
    var memory = new GatewayMemory(bench, cast, calls);
    plan.add("none", trials::none);
    plan.add("policies", trials::policies, trial -> profile(trial, cast, GatewayTrials.X509));
    plan.add("x509", trials::x509);
    plan.add(
        "conversation",
        trials::conversation,
        trial -> profile(trial, cast, GatewayTrials.CONVERSATION));
    plan.add("connect", trials::connect);
    plan.add("open", trials::open);
    plan.add("contexts", trials::contexts);
    plan.add("sessions", trials::sessions);
    plan.add("floors", trials::floors);
    plan.add(
        "article",
        trials::article,
        trial -> {
          cast.dismiss(Variant.ARTICLE);
          cast.dismiss(Variant.TLS);
        });
    plan.add("large", memory::trial, trial -> cast.dismiss(Variant.WATCHED));
  }

  private void profile(Trial trial, GatewayCast cast, String contestant) throws IOException {
    var gateway = cast.gateway(Variant.HONEST);
    if (gateway.isPresent()) {
      plan.profile(trial, contestant, gateway.get().pid());
    }
  }
}
