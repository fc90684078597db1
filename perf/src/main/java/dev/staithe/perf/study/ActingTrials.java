package dev.staithe.perf.study;

import dev.staithe.perf.peers.StaitheDelegationPeer.Variant;
import dev.staithe.perf.scenario.DelegationTask.Errand;
import dev.staithe.perf.study.DelegationVisits.Amount;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** {@code echoString} of a service that acts for its callers, as the paper measured it. */
final class ActingTrials {
  static final String SESSION = "staithe-session";
  static final String NO_DELEGATION = "staithe-no-delegation";

  /** Enough for one core without a pause. */
  private static final int CONNECTIONS = 8;

  private final Bench bench;
  private final DelegationCast cast;
  private final DelegationVisits visits;
  private final double seconds;

  ActingTrials(Bench bench, DelegationCast cast, DelegationVisits visits) {
    this.bench = bench;
    this.cast = cast;
    this.visits = visits;
    this.seconds =
        switch (bench.form()) {
          case FULL -> 4;
          case SHORT -> 2.5;
          case REHEARSAL -> 1;
          case SMOKE -> 1.5;
        };
  }

  /** What a delegation costs a call. */
  Optional<Trial> session() throws IOException {
    return DelegationTrials.trial(
        bench,
        cast,
        "echo-session",
        "echoString with one delegation per session, " + CONNECTIONS + " clients",
        "SOAP 1.1 over kept TLS connections with the user's certificate. With a session: each user"
            + " has delegated before, and called once, at which the service acquired its proxy; each"
            + " call tells address and id in its header, and is answered in the user's name. Without:"
            + " the same service, the same certificate, nothing told. The CPU is that of the service"
            + " that is called; in between: that of the delegation service.",
        Measure.CPU_PER_REQUEST,
        "",
        List.of(Map.of()),
        List.of(
            call(SESSION, Variant.EC, Errand.CALL_IN_SESSION, false),
            call(NO_DELEGATION, Variant.EC, Errand.CALL, false)));
  }

  /** The paper's cases by number of clients. */
  Optional<Trial> clients() throws IOException {
    return DelegationTrials.trial(
        bench,
        cast,
        "delegated-echo",
        "Delegation and echoString by number of clients",
        "As above. new-rsa, new-p256: a delegation (RSA-2048 made when it is asked for; P-256) for"
            + " each call, from which the service that is called acquires a proxy of its own"
            + " (P-256). session: one delegation before all calls. no-delegation: none. The CPU is"
            + " that of both services.",
        Measure.CPU_PER_REQUEST,
        "clients",
        points(bench.form()),
        List.of(
            call("staithe-new-rsa", Variant.BARE, Errand.CALL_WITH_NEW, true),
            call("staithe-new-p256", Variant.EC, Errand.CALL_WITH_NEW, true),
            call(SESSION, Variant.EC, Errand.CALL_IN_SESSION, true),
            call(NO_DELEGATION, Variant.EC, Errand.CALL, true)));
  }

  private Optional<Contestant> call(String name, Variant variant, Errand errand, boolean both)
      throws IOException {
    return visits.calls(name, variant, new Amount(errand, CONNECTIONS, 0, seconds), both);
  }

  /** The axis of the plan: 1 to 30. */
  static List<Map<String, String>> points(Form form) {
    int[] numbers =
        switch (form) {
          case FULL, REHEARSAL -> new int[] {1, 2, 5, 10, 20, 30};
          case SHORT, SMOKE -> new int[] {1, 30};
        };
    return IntStream.of(numbers).mapToObj(number -> Map.of("clients", "" + number)).toList();
  }
}
