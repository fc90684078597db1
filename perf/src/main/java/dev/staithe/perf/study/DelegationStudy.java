package dev.staithe.perf.study;

import static dev.staithe.perf.study.Target.Bound.AT_LEAST;
import static dev.staithe.perf.study.Target.Bound.AT_MOST;

import dev.staithe.perf.peers.DelegationServer;
import dev.staithe.perf.peers.StaitheDelegationPeer.Variant;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The delegation service beside its peer: which experiments there are, and what is promised. */
final class DelegationStudy {
  /** Twice the seconds of an experiment in that form: most of it is the start of servers. */
  private static final double SMOKE = 25;

  private final Bench bench;
  private final Plan plan;

  /**
   * @param only which experiments, by their ids; empty for all
   */
  DelegationStudy(Bench bench, Set<String> only) {
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
    try (var cast = new DelegationCast(bench, DelegationTrials.burst(bench.form()))) {
      plan(cast);
      plan.carryOut(targets());
    }
  }

  private void plan(DelegationCast cast) {
    var visits = new DelegationVisits(bench, cast);
    var delegations = new DelegationTrials(bench, cast, visits);
    var acting = new ActingTrials(bench, cast, visits);
    boolean smoke = bench.form() == Form.SMOKE;
    plan.add(
        "sustained",
        length(500, 220),
        delegations::sustained,
        trial -> profile(trial, cast.server(Variant.EC), DelegationTrials.EC));
    plan.add("echo-session", length(80, 45), acting::session, trial -> {});
    if (!smoke) {
      plan.add("delegated-echo", length(330, 90), acting::clients, trial -> {});
    }
    plan.add("burst", length(330, 110), delegations::burst, trial -> cast.dismiss(Variant.EC));
    plan.add("gridsite", length(250, 90), delegations::peers, trial -> {});
  }

  private Plan.Length length(double full, double brief) {
    return new Plan.Length(full, bench.form() == Form.SMOKE ? SMOKE : brief);
  }

  private void profile(Trial trial, Optional<DelegationServer> server, String contestant)
      throws IOException {
    if (server.isPresent()) {
      plan.profile(trial, contestant, server.get().pid());
    }
  }

  /** What is promised; the figures are those of the project's plan. */
  static List<Target> targets() {
    return List.of(
        target(
            "Sustained delegations/s, RSA-2048: ours / RSA-2048 key generation rate of the same"
                + " core",
            Measure.REQUESTS,
            "sustained",
            DelegationTrials.RSA,
            DelegationTrials.KEYS,
            AT_LEAST,
            0.85),
        target(
            "Burst of 200 RSA-2048 delegations with a full stock of keys, 99th percentile / the"
                + " same burst with P-256",
            Measure.LATENCY_P99,
            "burst",
            DelegationTrials.RSA,
            DelegationTrials.EC,
            AT_MOST,
            2),
        target(
            "Delegations per CPU-second: P-256 / RSA-2048",
            Measure.REQUESTS_PER_CPU,
            "sustained",
            DelegationTrials.EC,
            DelegationTrials.RSA,
            AT_LEAST,
            20),
        target(
            "Server CPU per getProxyReq and putProxy, stock full: ours (RSA-2048) / GridSite's CGI"
                + " (RSA-1024)",
            Measure.CPU_PER_REQUEST,
            "gridsite",
            DelegationTrials.OURS,
            DelegationTrials.GRIDSITE,
            AT_MOST,
            0.3),
        target(
            "CPU of an echoString: with one delegation per session / without",
            Measure.CPU_PER_REQUEST,
            "echo-session",
            ActingTrials.SESSION,
            ActingTrials.NO_DELEGATION,
            AT_MOST,
            1.1));
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
