package dev.staithe.perf.study;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.CampusTask.Reuse;
import dev.staithe.perf.lean.CampusTask.Way;
import dev.staithe.perf.lean.FloorTask;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.services.CredentialServer;
import dev.staithe.perf.services.StaitheSlcsPeer.Variant;
import dev.staithe.perf.study.CampusVisits.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code echoString} as the paper measured it: by door, and by what is left of the last login. */
final class EchoTrials {
  static final String FLOW = "staithe-flow";
  static final String FLOOR = "floor";
  static final String SESSION = "staithe-session";
  static final String NO_SAML = "staithe-no-saml";

  /** Enough for one core without a pause. */
  private static final int CONNECTIONS = 8;

  private static final Kind LOGIN = Kind.ECHO.with(Reuse.NOTHING);

  private final Bench bench;
  private final CampusCast cast;
  private final CampusVisits visits;
  private final double seconds;

  EchoTrials(Bench bench, CampusCast cast, CampusVisits visits) {
    this.bench = bench;
    this.cast = cast;
    this.visits = visits;
    this.seconds = bench.form().choose(4, 2, 1, 0.7);
  }

  /** Plain, TLS, and TLS with client certificate, by number of clients. */
  Trial doors(Draft draft) throws IOException {
    return draft.trialOf(doors(Kind.ECHO));
  }

  /** The same with a connection for each call. */
  Trial handshakes(Draft draft) throws IOException {
    return draft.trialOf(doors(Kind.ECHO.connecting()));
  }

  private List<Optional<Contestant>> doors(Kind kind) throws IOException {
    Optional<Contestant> tls =
        visits.contestant("staithe", Variant.RSA, kind, CONNECTIONS, seconds);
    return bench.form() == Form.SMOKE
        ? List.of(tls)
        : List.of(
            visits.contestant("staithe-plain", Variant.PLAIN, kind, CONNECTIONS, seconds),
            tls,
            visits.contestant(
                "staithe-certificate", Variant.RSA, kind.withCertificate(), CONNECTIONS, seconds));
  }

  /** What a session costs a call. */
  Trial session(Draft draft) throws IOException {
    return draft.trial(
        visits.contestant(
            SESSION, Variant.RSA, Kind.ECHO.with(Reuse.SERVICE), CONNECTIONS, seconds),
        visits.contestant(NO_SAML, Variant.RSA, Kind.ECHO, CONNECTIONS, seconds));
  }

  /** The paper's four cases by number of clients. */
  Trial signOn(Draft draft) throws IOException {
    warm();
    return draft.trial(
        visits.contestant("staithe-new-login", Variant.RSA, LOGIN, 1, seconds),
        visits.contestant(
            "staithe-provider-session", Variant.RSA, LOGIN.with(Reuse.PROVIDER), 1, seconds),
        visits.contestant(SESSION, Variant.RSA, LOGIN.with(Reuse.SERVICE), 1, seconds),
        visits.contestant(NO_SAML, Variant.RSA, Kind.ECHO, 1, seconds));
  }

  /** One flow, its steps, and the least that it can cost. */
  Trial flow(Draft draft, CredentialServer server) throws IOException {
    warm();
    Path response = bench.newFolder("response").resolve("response.xml");
    visits.keepResponse(server, response);
    LeanClientProcess floor = cast.floor();
    var signOn = new FloorTask(FloorTask.Work.SIGN_ON, seconds / 2, response.toString());
    return draft.trial(
        visits.contestant(FLOW, Variant.RSA, LOGIN.by(Way.BROWSER), 1, 2 * seconds),
        visits.contestant("staithe-ecp", Variant.RSA, LOGIN, 1, 2 * seconds),
        Optional.of(bench.contestant(FLOOR, floor, point -> floor.perform(signOn))));
  }

  /** Few flows fit into a second, so that it takes long to be warm. */
  private void warm() throws IOException {
    visits.warm(Variant.RSA, LOGIN.with(Reuse.PROVIDER), 4, 5_000);
    visits.warm(Variant.RSA, LOGIN.with(Reuse.PROVIDER).by(Way.BROWSER), 4, 5_000);
  }
}
