package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.services.StaitheSlcsPeer.Variant;
import java.io.IOException;

/** The credential service beside its peer: how its experiments are carried out. */
final class SlcsStudy {
  private SlcsStudy() {}

  static void run(Bench bench, Plan plan) throws IOException {
    try (var cast = new CampusCast(bench)) {
      var visits = new CampusVisits(bench, cast);
      var echo = new EchoTrials(bench, cast, visits);
      var issue = new IssueTrials(bench, cast, visits);
      plan.add("echo", echo::doors);
      plan.add("echo-connect", echo::handshakes, trial -> cast.dismiss(Variant.PLAIN.peer()));
      plan.add(
          "echo-session",
          echo::session,
          plan.profiling(EchoTrials.SESSION, () -> cast.server(Variant.RSA)));
      plan.add("sso", echo::signOn);
      plan.add(
          "flow",
          Plan.with(() -> cast.server(Variant.RSA), echo::flow),
          plan.profiling(EchoTrials.FLOW, () -> cast.server(Variant.RSA)));
      var profile = plan.profiling(IssueTrials.RSA, () -> cast.server(Variant.RSA));
      plan.add(
          "issue",
          issue::signing,
          trial -> {
            profile.after(trial);
            cast.dismiss(Variant.EC.peer());
          });
      plan.add("issue-peers", issue::peers);
      plan.add("issue-clients", issue::protocols);
      plan.carryOut();
    }
  }
}
