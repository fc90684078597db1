package dev.staithe.perf.study;

import static dev.staithe.perf.study.Target.Bound.AT_LEAST;
import static dev.staithe.perf.study.Target.Bound.AT_MOST;

import dev.staithe.perf.peers.StaitheSlcsPeer.Variant;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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
    this.plan = new Plan(bench, only);
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
      plan.carryOut(targets());
    }
  }

  private void plan(CampusCast cast) {
    var visits = new CampusVisits(bench, cast);
    var echo = new EchoTrials(bench, cast, visits);
    var issue = new IssueTrials(bench, cast, visits);
    boolean smoke = bench.form() == Form.SMOKE;
    plan.add("echo", 400, echo::doors, trial -> {});
    if (!smoke) {
      plan.add("echo-connect", 70, echo::handshakes, trial -> cast.dismiss(Variant.PLAIN));
      plan.add(
          "echo-session", 60, echo::session, trial -> profile(trial, cast, EchoTrials.SESSION));
      plan.add("sso", 450, echo::signOn, trial -> {});
    }
    plan.add("flow", 180, echo::flow, trial -> profile(trial, cast, EchoTrials.FLOW));
    plan.add(
        "issue",
        180,
        issue::signing,
        trial -> {
          profile(trial, cast, IssueTrials.RSA);
          cast.dismiss(Variant.EC);
        });
    if (!smoke) {
      plan.add("issue-peers", 250, issue::peers, trial -> {});
      plan.add("issue-clients", 150, issue::protocols, trial -> {});
    }
  }

  private void profile(Trial trial, CampusCast cast, String contestant) throws IOException {
    var server = cast.server(Variant.RSA);
    if (server.isPresent()) {
      plan.profile(trial, contestant, server.get().pid());
    }
  }

  /** What is promised; the figures are those of the project's plan. */
  static List<Target> targets() {
    return List.of(
        target(
            "CPU of our side of one full flow of single sign-on, warm / floor (one RSA-2048"
                + " signature, two verifications, the same response parsed and canonicalized)",
            Measure.CPU_PER_REQUEST,
            "flow",
            EchoTrials.FLOW,
            EchoTrials.FLOOR,
            AT_MOST,
            4),
        target(
            "CPU of an echoString: on a reused SAML session / without SAML",
            Measure.CPU_PER_REQUEST,
            "echo-session",
            EchoTrials.SESSION,
            EchoTrials.NO_SAML,
            AT_MOST,
            1.15),
        target(
            "Certificates per CPU-second, RSA-2048 key of the authority / RSA-2048 signatures per"
                + " CPU-second",
            Measure.REQUESTS_PER_CPU,
            "issue",
            IssueTrials.RSA,
            IssueTrials.SIGNING,
            AT_LEAST,
            0.5),
        target(
            "Certificates per CPU-second: P-256 / RSA-2048 key of the authority",
            Measure.REQUESTS_PER_CPU,
            "issue",
            IssueTrials.EC,
            IssueTrials.RSA,
            AT_LEAST,
            2),
        target(
            "Certificates per server CPU-second: ours / MyProxy",
            Measure.REQUESTS_PER_CPU,
            "issue-peers",
            "staithe",
            "myproxy",
            AT_LEAST,
            5));
  }

  private static Target target(
      String text,
      Measure measure,
      String experiment,
      String ours,
      String peer,
      Target.Bound bound,
      double limit) {
    return new Target(text, measure, experiment, ours, Map.of(), peer, Map.of(), bound, limit);
  }
}
