package dev.staithe.perf.study;

import dev.staithe.perf.peers.StaitheSlcsPeer.Variant;
import dev.staithe.perf.scenario.CampusTask.Reuse;
import dev.staithe.perf.scenario.CampusTask.Way;
import dev.staithe.perf.scenario.FloorTask;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.study.CampusVisits.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

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
    this.seconds =
        switch (bench.form()) {
          case FULL -> 4;
          case SHORT -> 2;
          case REHEARSAL -> 1;
          case SMOKE -> 1.5;
        };
  }

  /** Plain, TLS, and TLS with client certificate, by number of clients. */
  Optional<Trial> doors() throws IOException {
    return trial(
        "echo",
        "echoString by number of clients",
        "SOAP 1.1, closed model, kept connections, nobody logs in. Plain HTTP, TLS 1.3, and TLS"
            + " with a client certificate (P-256), which shows at the handshake only.",
        Measure.CPU_PER_REQUEST,
        "clients",
        clients(),
        doors(Kind.ECHO));
  }

  /** The same with a connection for each call. */
  Optional<Trial> handshakes() throws IOException {
    return trial(
        "echo-connect",
        "echoString with a connection for each call, " + CONNECTIONS + " clients",
        "As above, but each call makes a connection of its own, and no TLS session is resumed.",
        Measure.CPU_PER_REQUEST,
        "",
        List.of(Map.of()),
        doors(Kind.ECHO.connecting()));
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
  Optional<Trial> session() throws IOException {
    return trial(
        "echo-session",
        "echoString with a SAML session, " + CONNECTIONS + " clients",
        "Over kept TLS connections. With a session: the same echo behind SAML, each user has logged"
            + " in before and shows the session's cookie with each call.",
        Measure.CPU_PER_REQUEST,
        "",
        List.of(Map.of()),
        List.of(
            visits.contestant(
                SESSION, Variant.RSA, Kind.ECHO.with(Reuse.SERVICE), CONNECTIONS, seconds),
            visits.contestant(NO_SAML, Variant.RSA, Kind.ECHO, CONNECTIONS, seconds)));
  }

  /** The paper's four cases by number of clients. */
  Optional<Trial> signOn() throws IOException {
    warm();
    return trial(
        "sso",
        "Single sign-on and echoString by number of clients",
        "A visit is a login by ECP, where it takes one, and one echoString. new-login: neither the"
            + " identity provider nor the service knows the user; provider-session: the provider"
            + " does; session: the service does (the provider is not asked); no-saml: nobody logs"
            + " in. TLS to the service, plain HTTP to the provider, which shares the client's core:"
            + " with more clients it is the provider that is full.",
        Measure.CPU_PER_REQUEST,
        "clients",
        clients(),
        List.of(
            visits.contestant("staithe-new-login", Variant.RSA, LOGIN, 1, seconds),
            visits.contestant(
                "staithe-provider-session", Variant.RSA, LOGIN.with(Reuse.PROVIDER), 1, seconds),
            visits.contestant(SESSION, Variant.RSA, LOGIN.with(Reuse.SERVICE), 1, seconds),
            visits.contestant(NO_SAML, Variant.RSA, Kind.ECHO, 1, seconds)));
  }

  /** One flow, its steps, and the least that it can cost. */
  Optional<Trial> flow() throws IOException {
    warm();
    var server = cast.server(Variant.RSA);
    if (server.isEmpty()) {
      return Optional.empty();
    }
    Path response = bench.newFolder("response").resolve("response.xml");
    visits.keepResponse(server.get(), response);
    LeanClientProcess floor = cast.floor();
    return trial(
        "flow",
        "One flow of single sign-on",
        "One user without any session, over a kept TLS connection, one visit after the other: by"
            + " browser (redirect, form of the provider, POST), by ECP, and then one echoString."
            + " The floor is a process without a service: one RSA-2048 signature, the same response"
            + " parsed, both of its signatures verified, by the JDK alone.",
        Measure.CPU_PER_REQUEST,
        "",
        List.of(Map.of()),
        List.of(
            visits.contestant(FLOW, Variant.RSA, LOGIN.by(Way.BROWSER), 1, 2 * seconds),
            visits.contestant("staithe-ecp", Variant.RSA, LOGIN, 1, 2 * seconds),
            Optional.of(
                floor(
                    bench,
                    FLOOR,
                    floor,
                    new FloorTask(FloorTask.Work.SIGN_ON, seconds / 2, response.toString())))));
  }

  /** A bare process at work, as a contestant. */
  static Contestant floor(Bench bench, String name, LeanClientProcess floor, FloorTask task) {
    return new Contestant(
        name,
        Bench.cpu(Set.of(floor.pid())),
        bench.clientCpu(),
        p -> floor.perform(task),
        () -> {});
  }

  /** Few flows fit into a second, so that it takes long to be warm. */
  private void warm() throws IOException {
    visits.warm(Variant.RSA, LOGIN.with(Reuse.PROVIDER), 4, 5_000);
    visits.warm(Variant.RSA, LOGIN.with(Reuse.PROVIDER).by(Way.BROWSER), 4, 5_000);
  }

  /** The axis of the issue: 1 to 50. */
  private List<Map<String, String>> clients() {
    return clients(bench.form());
  }

  static List<Map<String, String>> clients(Form form) {
    int[] numbers =
        switch (form) {
          case FULL, REHEARSAL -> new int[] {1, 2, 5, 10, 20, 50};
          case SHORT -> new int[] {1, 10, 50};
          case SMOKE -> new int[] {2};
        };
    return IntStream.of(numbers).mapToObj(number -> Map.of("clients", "" + number)).toList();
  }

  private Optional<Trial> trial(
      String id,
      String title,
      String method,
      Measure measure,
      String axis,
      List<Map<String, String>> points,
      List<Optional<Contestant>> contestants) {
    return trial(bench, cast, id, title, method, measure, axis, points, contestants);
  }

  /** A trial of those who run. */
  static Optional<Trial> trial(
      Bench bench,
      CampusCast cast,
      String id,
      String title,
      String method,
      Measure measure,
      String axis,
      List<Map<String, String>> points,
      List<Optional<Contestant>> contestants) {
    var running = new ArrayList<Contestant>();
    contestants.forEach(each -> each.ifPresent(running::add));
    return Optional.of(
        Trial.of(
            bench.form(),
            id,
            title,
            method,
            measure,
            axis,
            points,
            running,
            cast.missing("simplesamlphp", "staithe", "staithe-p256", "staithe-plain")));
  }
}
