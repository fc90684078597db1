package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.services.StaitheSlcsPeer.Variant;
import java.io.IOException;
import java.util.Set;

/** The credential service beside its peer: which experiments there are, and what is promised. */
final class SlcsStudy {
  private final Bench bench;
  private final Plan plan;

  /**
   * @param only which experiments, by their ids; empty for all
   */
  SlcsStudy(Bench bench, Set<String> only) {
    this.bench = bench;
    this.plan = new Plan(bench, "slcs", only);
  }

  /**
   * Carries it out.
   *
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  void run() throws IOException {
    try (var cast = new CampusCast(bench)) {
      plan(cast);
      plan.carryOut();
    }
  }

  private void plan(CampusCast cast) {
    var visits = new CampusVisits(bench, cast);
    var echo = new EchoTrials(bench, cast, visits);
    var issue = new IssueTrials(bench, cast, visits);
    plan.add("echo", echo::doors);
    plan.add("echo-connect", echo::handshakes, trial -> cast.dismiss(Variant.PLAIN));
    plan.add("echo-session", echo::session, trial -> profile(trial, cast, EchoTrials.SESSION));
    plan.add("sso", echo::signOn);
    plan.add("flow", echo::flow, trial -> profile(trial, cast, EchoTrials.FLOW));
    plan.add(
        "issue",
        issue::signing,
        trial -> {
          profile(trial, cast, IssueTrials.RSA);
          cast.dismiss(Variant.EC);
        });
    plan.add("issue-peers", issue::peers);
    plan.add("issue-clients", issue::protocols);
  }

  private void profile(Trial trial, CampusCast cast, String contestant) throws IOException {
    var server = cast.server(Variant.RSA);
    if (server.isPresent()) {
      plan.profile(trial, contestant, server.get().pid());
    }
  }
}
