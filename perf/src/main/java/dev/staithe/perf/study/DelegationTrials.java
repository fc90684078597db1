package dev.staithe.perf.study;

import dev.staithe.perf.peers.StaitheDelegationPeer.Variant;
import dev.staithe.perf.scenario.DelegationTask.Errand;
import dev.staithe.perf.scenario.FloorTask;
import dev.staithe.perf.scenario.FloorTask.Work;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.study.DelegationVisits.Amount;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Delegations by kind of key: for as long as one likes, all at once, and beside GridSite. */
final class DelegationTrials {
  static final String RSA = "staithe-rsa";
  static final String EC = "staithe-p256";
  static final String KEYS = "key-generation";
  static final String OURS = "staithe";
  static final String GRIDSITE = "gridsite";

  /** Enough for one core without a pause, few enough that nobody is sent away. */
  private static final int CONNECTIONS = 4;

  private static final String WORK =
      "Over kept TLS connections with the user's certificate (RSA-2048): a request of the service"
          + " by SOAP (GridSite delegation 1.1), a proxy (RFC 3820, SHA-256) signed by the user, the"
          + " proxy to the service. The signature is the client's CPU, and no part of the latency.";

  private final Bench bench;
  private final DelegationCast cast;
  private final DelegationVisits visits;

  DelegationTrials(Bench bench, DelegationCast cast, DelegationVisits visits) {
    this.bench = bench;
    this.cast = cast;
    this.visits = visits;
  }

  /** How many delegations are a burst, and how many RSA keys are in stock for it. */
  static int burst(Form form) {
    return form == Form.FULL || form == Form.SHORT ? 200 : 10;
  }

  /** More than can be made ahead. */
  Optional<Trial> sustained() throws IOException {
    // An RSA key takes by chance half or three times as long as the one before.
    double seconds =
        switch (bench.form()) {
          case FULL -> 30;
          case SHORT -> 10;
          case REHEARSAL -> 1;
          case SMOKE -> 2;
        };
    LeanClientProcess floor = cast.floor();
    Optional<Trial> trial =
        trial(
            "sustained",
            "Delegations without a pause, beside bare key generation",
            WORK
                + " "
                + CONNECTIONS
                + " users, each with a new delegation as soon as the one before is there. "
                + RSA
                + ": nothing is in stock, so that each RSA-2048 key is made when it is asked for. "
                + EC
                + ": the service makes P-256 keys. "
                + KEYS
                + ": a process that makes RSA-2048 keys one after the other on the same core, by"
                + " the library that the service has them from.",
            Measure.REQUESTS,
            List.of(
                visits.delegations(
                    RSA, Variant.BARE, new Amount(Errand.NEW, CONNECTIONS, 0, seconds)),
                visits.delegations(
                    EC, Variant.EC, new Amount(Errand.NEW, CONNECTIONS, 0, seconds / 4)),
                Optional.of(
                    EchoTrials.floor(
                        bench, KEYS, floor, new FloorTask(Work.RSA_KEY, seconds, "")))));
    return trial.map(each -> each.ofRounds(bench.form().rounds(5, 5)).ofWarmUps(1));
  }

  /** As many at once as are in stock. */
  Optional<Trial> burst() throws IOException {
    int all = burst(bench.form());
    var amount = new Amount(Errand.NEW, all, 1, 120);
    return trial(
        "burst",
        all + " delegations at once",
        WORK
            + " "
            + all
            + " users with a connection each, who begin at the same time and delegate once. "
            + RSA
            + ": "
            + all
            + " RSA-2048 keys are in stock, waited for by the service's metric; it begins to make"
            + " others at once, at idle priority (in between, CPU). "
            + EC
            + ": the service makes P-256 keys as they are asked for.",
        Measure.LATENCY_P99,
        List.of(
            visits.delegations(RSA, Variant.STOCKED, amount),
            visits.delegations(EC, Variant.EC, amount)));
  }

  /** Beside GridSite. */
  Optional<Trial> peers() throws IOException {
    int users = 2;
    long each = burst(bench.form()) / 4;
    var contestants = new ArrayList<Optional<Contestant>>();
    contestants.add(
        visits.delegations(OURS, Variant.STOCKED, new Amount(Errand.NAMED, users, each, 120)));
    contestants.add(visits.gridSite(GRIDSITE, new Amount(Errand.NAMED, users, each, 120)));
    if (bench.form() != Form.SMOKE) {
      contestants.add(
          visits.delegations(RSA, Variant.BARE, new Amount(Errand.NAMED, users, each, 120)));
    }
    return trial(
        "gridsite",
        "Delegations beside GridSite",
        WORK
            + " getProxyReq and putProxy, each delegation with an id of its own, "
            + users
            + " users. The sizes of RSA keys differ, because neither can be told the other's:"
            + " GridSite makes 1024 bits and nothing else, which ours refuses to make. "
            + OURS
            + ": RSA-2048 keys from a full stock; what fills it again is told apart (in between,"
            + " CPU). "
            + GRIDSITE
            + ": its CGI in Apache, whose processes are in the figure, RSA-1024 made at each request,"
            + " which takes an eighth of the time of 2048 bits: with the same size it would need"
            + " more, and the ratio be smaller. "
            + RSA
            + ": ours without a stock, the RSA-2048 key made at each request and counted.",
        Measure.CPU_PER_REQUEST,
        contestants);
  }

  private Optional<Trial> trial(
      String id,
      String title,
      String method,
      Measure measure,
      List<Optional<Contestant>> contestants) {
    return trial(bench, cast, id, title, method, measure, "", List.of(Map.of()), contestants);
  }

  /** A trial of those who run. */
  static Optional<Trial> trial(
      Bench bench,
      DelegationCast cast,
      String id,
      String title,
      String method,
      Measure measure,
      String axis,
      List<Map<String, String>> points,
      List<Optional<Contestant>> contestants) {
    return Optional.of(
        Trial.of(
            bench.form(),
            id,
            title,
            method,
            measure,
            axis,
            points,
            contestants.stream().flatMap(Optional::stream).toList(),
            cast.missing("staithe", "staithe-bare", "staithe-p256", "echo-service", GRIDSITE)));
  }
}
