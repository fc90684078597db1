package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.services.StaitheSlcsPeer.Variant;
import java.io.IOException;
import java.util.Set;

/** The credential service beside its peer: which experiments there are, and what is promised. */
final class SlcsStudy {
  private SlcsStudy() {}

  /**
   * Carries it out.
   *
   * @param only which experiments, by their ids; empty for all
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  static void run(Bench bench, Set<String> only) throws IOException {
    try (var cast = new CampusCast(bench)) {
      var plan = new Plan(bench, "slcs", only);
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
      plan.add("flow", echo::flow, plan.profiling(EchoTrials.FLOW, () -> cast.server(Variant.RSA)));
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
