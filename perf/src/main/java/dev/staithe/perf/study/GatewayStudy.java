package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.services.StaitheGatewayPeer.Variant;
import java.io.IOException;

/** The gateway beside its peers: how its experiments are carried out. */
final class GatewayStudy {
  private GatewayStudy() {}

  static void run(Bench bench, Plan plan) throws IOException {
    try (var cast = new GatewayCast(bench)) {
      var calls = new GatewayCalls(bench, cast);
      var trials = new GatewayTrials(bench, cast, calls);
      plan.add(
          "none",
          trials::none,
          plan.profiling(GatewayTrials.NONE, () -> cast.gateway(Variant.HONEST)));
      plan.add(
          "policies",
          trials::policies,
          plan.profiling(GatewayTrials.X509, () -> cast.gateway(Variant.HONEST)));
      plan.add("x509", trials::x509);
      plan.add(
          "conversation",
          trials::conversation,
          plan.profiling(GatewayTrials.CONVERSATION, () -> cast.gateway(Variant.HONEST)));
      plan.add("connect", trials::connect);
      plan.add("open", trials::open);
      plan.add("contexts", trials::contexts);
      plan.add("sessions", trials::sessions);
      plan.add("floors", trials::floors);
      plan.add(
          "article",
          trials::article,
          trial -> {
            cast.dismiss(Variant.ARTICLE.peer());
            cast.dismiss(Variant.TLS.peer());
          });
      plan.add(
          "large",
          Plan.with(() -> cast.gateway(Variant.WATCHED), new GatewayMemory(bench, calls)::trial),
          trial -> cast.dismiss(Variant.WATCHED.peer()));
      plan.carryOut();
    }
  }
}
