package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.DelegationTask.Errand;
import dev.staithe.perf.lean.FloorTask;
import dev.staithe.perf.lean.FloorTask.Work;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.services.StaitheDelegationPeer.Variant;
import dev.staithe.perf.study.DelegationVisits.Amount;
import java.io.IOException;
import java.util.Optional;

/**
 * Delegations by kind of key: for as long as one likes, all at once, and beside GridSite; and
 * {@code echoString} of a service that acts for its callers, as the paper measured it.
 */
final class DelegationTrials {
  static final String RSA = "staithe-rsa";
  static final String EC = "staithe-p256";
  static final String KEYS = "key-generation";
  static final String OURS = "staithe";
  static final String GRIDSITE = "gridsite";
  static final String SESSION = "staithe-session";
  static final String NO_DELEGATION = "staithe-no-delegation";

  /** Enough for one core without a pause, few enough that nobody is sent away. */
  private static final int CONNECTIONS = 4;

  /** Enough for one core without a pause. */
  private static final int CALLERS = 8;

  private final Bench bench;
  private final DelegationCast cast;
  private final DelegationVisits visits;

  DelegationTrials(Bench bench, DelegationCast cast) {
    this.bench = bench;
    this.cast = cast;
    this.visits = new DelegationVisits(bench, cast);
  }

  /** How many delegations are a burst, and how many RSA keys are in stock for it. */
  static int burst(Form form) {
    return form == Form.FULL || form == Form.SHORT ? 200 : 10;
  }

  /** More than can be made ahead. */
  Trial sustained(Draft draft) throws IOException {
    // An RSA key takes by chance half or three times as long as the one before.
    double seconds = bench.form().choose(30, 10, 1, 1);
    LeanClientProcess floor = cast.floor();
    var keys = new FloorTask(Work.RSA_KEY, seconds, "");
    return draft.trial(
        visits.delegations(RSA, Variant.BARE, new Amount(Errand.NEW, CONNECTIONS, 0, seconds)),
        visits.delegations(EC, Variant.EC, new Amount(Errand.NEW, CONNECTIONS, 0, seconds / 4)),
        Optional.of(bench.contestant(KEYS, floor, point -> floor.perform(keys))));
  }

  /** As many at once as are in stock. */
  Trial burst(Draft draft) throws IOException {
    int all = burst(bench.form());
    var amount = new Amount(Errand.NEW, all, 1, 120);
    return draft
        .say("burst", all)
        .trial(
            visits.delegations(RSA, Variant.STOCKED, amount),
            visits.delegations(EC, Variant.EC, amount));
  }

  /** Beside GridSite. */
  Trial peers(Draft draft) throws IOException {
    var amount = new Amount(Errand.NAMED, 2, burst(bench.form()) / 4, 120);
    return draft.trial(
        visits.delegations(OURS, Variant.STOCKED, amount),
        visits.gridSite(GRIDSITE, amount),
        bench.form() == Form.SMOKE
            ? Optional.empty()
            : visits.delegations(RSA, Variant.BARE, amount));
  }

  /** What a delegation costs a call. */
  Trial session(Draft draft) throws IOException {
    return draft.trial(
        call(SESSION, Variant.EC, Errand.CALL_IN_SESSION, false),
        call(NO_DELEGATION, Variant.EC, Errand.CALL, false));
  }

  /** The paper's cases by number of clients. */
  Trial calls(Draft draft) throws IOException {
    return draft.trial(
        call("staithe-new-rsa", Variant.BARE, Errand.CALL_WITH_NEW, true),
        call("staithe-new-p256", Variant.EC, Errand.CALL_WITH_NEW, true),
        call(SESSION, Variant.EC, Errand.CALL_IN_SESSION, true),
        call(NO_DELEGATION, Variant.EC, Errand.CALL, true));
  }

  private Optional<Contestant> call(String name, Variant variant, Errand errand, boolean both)
      throws IOException {
    double seconds = bench.form().choose(4, 2.5, 1, 0.7);
    return visits.calls(name, variant, new Amount(errand, CALLERS, 0, seconds), both);
  }
}
