package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.peers.RunningPeer;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Copies under contract beside copies without: which experiments there are. */
final class ContractStudy {
  private final Bench bench;
  private final Plan plan;

  /**
   * @param only which experiments, by their ids; empty for all
   */
  ContractStudy(Bench bench, Set<String> only) {
    this.bench = bench;
    this.plan = new Plan(bench, "contracts", only);
  }

  /**
   * Carries it out.
   *
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  void run() throws IOException {
    try (var cast = new ContractCast(bench)) {
      var copies = new ContractTrials(bench, cast);
      plan.add("small", copies::small, trial -> profile(trial, cast));
      plan.add("pull", copies::pull, trial -> profile(trial, cast));
      plan.add("sizes", copies::sizes);
      plan.add("affinity", copies::affinity);
      plan.add("log", new LogTrials(bench, cast)::trial);
      plan.carryOut();
    }
  }

  /** Shows where the receiver's time goes. */
  private void profile(Trial trial, ContractCast cast) throws IOException {
    Optional<RunningPeer> receiver = cast.receiver();
    if (receiver.isPresent()) {
      plan.profile(trial, ContractTrials.CONTRACT, receiver.get().pid());
    }
  }
}
