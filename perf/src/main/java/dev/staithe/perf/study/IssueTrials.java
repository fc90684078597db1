package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.Tool;
import dev.staithe.perf.lean.CampusTask.Act;
import dev.staithe.perf.lean.CampusTask.Reuse;
import dev.staithe.perf.lean.FloorTask;
import dev.staithe.perf.lean.FloorTask.Work;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.services.MyproxyPeer;
import dev.staithe.perf.services.StaitheSlcsPeer.Variant;
import dev.staithe.perf.study.CampusVisits.Kind;
import java.io.IOException;
import java.util.Optional;

/** Certificates: beside bare signatures, beside MyProxy, by protocol. */
final class IssueTrials {
  static final String RSA = "staithe-rsa";
  static final String EC = "staithe-p256";
  static final String SIGNING = "signing";

  private static final int CONNECTIONS = 4;
  private static final Kind KEPT = Kind.ECHO.act(Act.CERTIFICATE).with(Reuse.SERVICE);

  private final Bench bench;
  private final CampusCast cast;
  private final CampusVisits visits;
  private final double seconds;

  IssueTrials(Bench bench, CampusCast cast, CampusVisits visits) {
    this.bench = bench;
    this.cast = cast;
    this.visits = visits;
    this.seconds = bench.form().choose(5, 3, 1, 0.7);
  }

  /** Beside the signatures that certificates are made of. */
  Trial signing(Draft draft) throws IOException {
    if (bench.form() == Form.SMOKE) {
      return draft.trial(
          visits.contestant(RSA, Variant.RSA, KEPT, 2, seconds),
          signatures(SIGNING, Work.RSA_SIGNATURE));
    }
    warm(Variant.RSA);
    warm(Variant.EC);
    return draft.trial(
        visits.contestant(RSA, Variant.RSA, KEPT, CONNECTIONS, seconds),
        visits.contestant(EC, Variant.EC, KEPT, CONNECTIONS, seconds),
        signatures(SIGNING, Work.RSA_SIGNATURE),
        signatures("signing-native", Work.RSA_SIGNATURE_NATIVE),
        signatures("signing-p256", Work.EC_SIGNATURE));
  }

  private Optional<Contestant> signatures(String name, Work kind) throws IOException {
    LeanClientProcess floor = cast.floor();
    var task = new FloorTask(kind, seconds / 2, "");
    return Optional.of(bench.contestant(name, floor, point -> floor.perform(task)));
  }

  private void warm(Variant variant) throws IOException {
    visits.warm(variant, KEPT, CONNECTIONS, 30_000);
  }

  /** Beside MyProxy. */
  Trial peers(Draft draft) throws IOException {
    warm(Variant.RSA);
    return draft.trial(
        visits.contestant("staithe", Variant.RSA, KEPT.connecting(), CONNECTIONS, seconds),
        myproxy(MyproxyPeer.Names.MAPAPP),
        myproxy(MyproxyPeer.Names.MAPFILE));
  }

  private Optional<Contestant> myproxy(MyproxyPeer.Names names) {
    int count = bench.form() == Form.FULL ? 40 : 20;
    return cast.myproxy(names)
        .map(
            running -> {
              var tool = new Tool(bench.cores().client());
              return new Contestant(
                  names.peer(),
                  Bench.cpu(running),
                  tool,
                  point -> {
                    Outcome outcome = tool.run(running.issue(count, 2), "", running.folder(), 0);
                    return outcome.errors() == 0
                        ? Outcome.good(count, 0, outcome.seconds())
                        : outcome;
                  },
                  () -> {});
            });
  }

  /** REST and SOAP by number of clients. */
  Trial protocols(Draft draft) throws IOException {
    Kind soap = KEPT.act(Act.SOAP_CERTIFICATE);
    return draft.trial(
        visits.contestant("staithe-rest", Variant.RSA, KEPT, CONNECTIONS, seconds / 2),
        visits.contestant("staithe-soap", Variant.RSA, soap, CONNECTIONS, seconds / 2));
  }
}
