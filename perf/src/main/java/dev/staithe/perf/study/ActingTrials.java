package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.DelegationTask.Errand;
import dev.staithe.perf.services.StaitheDelegationPeer.Variant;
import dev.staithe.perf.study.DelegationVisits.Amount;
import java.io.IOException;
import java.util.Optional;

/** {@code echoString} of a service that acts for its callers, as the paper measured it. */
final class ActingTrials {
  static final String SESSION = "staithe-session";
  static final String NO_DELEGATION = "staithe-no-delegation";

  /** Enough for one core without a pause. */
  private static final int CONNECTIONS = 8;

  private final DelegationVisits visits;
  private final double seconds;

  ActingTrials(Bench bench, DelegationVisits visits) {
    this.visits = visits;
    this.seconds = bench.form().choose(4, 2.5, 1, 0.7);
  }

  /** What a delegation costs a call. */
  Trial session(Draft draft) throws IOException {
    return draft.trial(
        call(SESSION, Variant.EC, Errand.CALL_IN_SESSION, false),
        call(NO_DELEGATION, Variant.EC, Errand.CALL, false));
  }

  /** The paper's cases by number of clients. */
  Trial clients(Draft draft) throws IOException {
    return draft.trial(
        call("staithe-new-rsa", Variant.BARE, Errand.CALL_WITH_NEW, true),
        call("staithe-new-p256", Variant.EC, Errand.CALL_WITH_NEW, true),
        call(SESSION, Variant.EC, Errand.CALL_IN_SESSION, true),
        call(NO_DELEGATION, Variant.EC, Errand.CALL, true));
  }

  private Optional<Contestant> call(String name, Variant variant, Errand errand, boolean both)
      throws IOException {
    return visits.calls(name, variant, new Amount(errand, CONNECTIONS, 0, seconds), both);
  }
}
