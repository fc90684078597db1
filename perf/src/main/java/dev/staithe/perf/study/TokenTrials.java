package dev.staithe.perf.study;

import dev.staithe.perf.peers.TokenServer;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.scenario.Load;
import dev.staithe.perf.scenario.Outcome;
import dev.staithe.perf.scenario.UserTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** Validations and logins of one node, ours beside the peers'. */
final class TokenTrials {
  private static final int CONNECTIONS = 16;

  /** Enough for one core to hash without a pause. */
  private static final int LOGINS_AT_ONCE = 4;

  /** Enough that a flood keeps coming while its requests wait. */
  private static final int FLOOD_CONNECTIONS = 128;

  private static final double FLOOD = 4;

  /** Enough for a 99th percentile, and a small part of what a core can do. */
  private static final double CALM_VALIDATIONS = 400;

  /** How the service's threads that hash begin their names. */
  private static final String HASH_THREADS = "hash-";

  /** The contestants of what a login costs. */
  static final String OUTSIDE = "outside the hash";

  static final String HASH = "the hash";

  private final Bench bench;
  private final TokenCast cast;
  private final double seconds;

  TokenTrials(Bench bench, TokenCast cast) {
    this.bench = bench;
    this.cast = cast;
    this.seconds =
        switch (bench.form()) {
          case FULL -> 5;
          case SHORT -> 2;
          case REHEARSAL -> 1;
          case SMOKE -> 1.5;
        };
  }

  /** What is to be done at a point by users of a server. */
  interface Draft {
    UserTask task(TokenServer server, Map<String, String> point) throws IOException;
  }

  /** Virtual users as a piece of work: measured while their requests count. */
  record Users(Bench bench, TokenServer server, Draft draft) implements Contestant.Work {
    private static final LeanClientProcess.Watcher NOBODY =
        new LeanClientProcess.Watcher() {
          @Override
          public void measureBegins() {}

          @Override
          public void measureEnds() {}
        };

    @Override
    public Outcome run(Map<String, String> point) throws IOException {
      return bench.perform(draft.task(server, point), NOBODY);
    }

    @Override
    public Outcome run(Map<String, String> point, Meter meter) throws IOException {
      return bench.perform(draft.task(server, point), meter);
    }
  }

  static Contestant contestant(Bench bench, String name, TokenServer server, Draft draft) {
    return new Contestant(
        name,
        Bench.cpu(server.processes()),
        bench.clientCpu(),
        new Users(bench, server, draft),
        () -> {});
  }

  /** What the driver can do where answers cost next to nothing. */
  Optional<Trial> ceiling() throws IOException {
    return trial(
        "ceiling",
        "What the driver of the load can do",
        "The driver's validations over "
            + CONNECTIONS
            + " connections, answered by nginx with the same 80 bytes each. What a service reaches"
            + " must be well below.",
        Measure.REQUESTS,
        Map.of("canned", "canned"),
        (server, point) -> Loads.during(seconds, Loads.validations(server, CONNECTIONS)));
  }

  /** Validations at saturation. */
  Optional<Trial> validate() throws IOException {
    return trial(
        "validate",
        "Validation of a token, " + CONNECTIONS + " connections",
        "Closed model, kept connections without TLS; each connection has logged in before and asks"
            + " again as soon as it has its answer. Ours by json/sessions?_action=validate,"
            + " Keycloak by introspection (RFC 7662), OpenAM by json/sessions?_action=validate."
            + " The server's CPU includes its database.",
        Measure.REQUESTS_PER_CPU,
        bench.form() == Form.SMOKE
            ? Map.of("staithe", "staithe")
            : Map.of(
                "staithe",
                "staithe",
                AuthnStudy.BEFORE,
                AuthnStudy.BEFORE,
                "keycloak",
                "keycloak",
                "openam",
                "openam"),
        (server, point) -> Loads.during(seconds, Loads.validations(server, CONNECTIONS)));
  }

  /** Logins with the hash that Keycloak uses. */
  Optional<Trial> login() throws IOException {
    return logins(
        "login",
        "Login, argon2id of 7 MiB and 5 passes",
        "Both hash as Keycloak does by itself. Ours keeps sessions by best-effort, its default:"
            + " a crash may lose the last second; Keycloak's commits wait for the disk.",
        Map.of("staithe", "staithe", "keycloak", "keycloak"));
  }

  /** Logins with the hash of the paper. */
  Optional<Trial> paperLogin() throws IOException {
    return logins(
        "login-paper",
        "Login, salted SHA-1",
        "As the paper's OpenAM: its embedded directory's hash, which nobody should use; ours"
            + " verifies the same kind.",
        Map.of("staithe", "staithe-paper", "openam", "openam"));
  }

  /**
   * What a login costs besides the hash: the threads that hash are told apart by their names, in
   * the same process and under the same load.
   */
  Optional<Trial> loginCost() throws IOException {
    Optional<TokenServer> found = cast.server("staithe-owasp");
    if (found.isEmpty()) {
      return Optional.empty();
    }
    TokenServer server = found.get();
    new Warmth(bench)
        .byLogins(
            "staithe-owasp",
            server,
            // The compiler has finished with what ran ten thousand times, and a hash lets no login
            // come sooner: with fewer it is still the compiler that is measured.
            full() ? 20_000 : 2000,
            full() ? 300 : bench.form() == Form.SHORT ? 9 : 1);
    DoubleSupplier all = Bench.cpu(server.processes());
    DoubleSupplier hash = () -> CpuClock.ofThreads(server.processes(), HASH_THREADS);
    DoubleSupplier rest = () -> all.getAsDouble() - hash.getAsDouble();
    var work =
        new Users(
            bench, server, (asked, point) -> Loads.during(3, Loads.logins(asked, LOGINS_AT_ONCE)));
    return Optional.of(
        Trial.of(
                bench.form(),
                "login-cost",
                "What a login costs besides its hash",
                ("Logins over %d connections, closed model, argon2id of 19 MiB and 2 passes (owasp)."
                        + " The threads of the service that hash do nothing else; their CPU time is"
                        + " read by their names, that of everything else (database included) is the"
                        + " rest. The same load is measured once for the one and once for the"
                        + " other; the column of the balancer holds the part that is not meant.")
                    .formatted(LOGINS_AT_ONCE),
                Measure.CPU_PER_REQUEST,
                "",
                List.of(Map.of()),
                List.of(
                    new Contestant(OUTSIDE, rest, bench.clientCpu(), hash, work, () -> {}),
                    new Contestant(HASH, hash, bench.clientCpu(), rest, work, () -> {})),
                cast.missing("staithe-owasp"))
            .ofRounds(bench.form().rounds(8, 3))
            .ofWarmUps(0));
  }

  private boolean full() {
    return bench.form() == Form.FULL;
  }

  private Optional<Trial> logins(
      String id, String title, String method, Map<String, String> servers) throws IOException {
    return trial(
        id,
        title,
        method + " Closed model, " + LOGINS_AT_ONCE + " connections.",
        Measure.CPU_PER_REQUEST,
        servers,
        (server, point) -> Loads.during(1.5 * seconds, Loads.logins(server, LOGINS_AT_ONCE)));
  }

  /** Validations while a flood of logins comes, and without it. */
  Optional<Trial> flood() throws IOException {
    String[] names =
        bench.form().isWhole()
            ? new String[] {"staithe-owasp", "keycloak", "openam"}
            : new String[] {"staithe-owasp"};
    cast.servers(names);
    var contestants = new ArrayList<Contestant>();
    for (String each : names) {
      Optional<TokenServer> found = cast.server(each);
      if (found.isEmpty()) {
        continue;
      }
      TokenServer server = found.get();
      String name = each.equals("staithe-owasp") ? "staithe" : each;
      new Warmth(bench)
          .byLogins(name, server, 500, full() ? 30 : bench.form() == Form.SHORT ? 4 : 1);
      var alone =
          new Users(
              bench,
              server,
              (asked, point) -> Loads.during(2 * seconds, Loads.logins(asked, LOGINS_AT_ONCE)));
      // The better of two: a capacity that is thought too small makes a flood that is none.
      double capacity = Math.max(rate(alone.run(Map.of())), rate(alone.run(Map.of())));
      double perSecond = FLOOD * capacity;
      bench.remark(
          "flood: %s does %.0f logins/s alone; the flood is of %.0f/s."
              .formatted(name, perSecond / FLOOD, perSecond));
      contestants.add(
          contestant(
              bench,
              name,
              server,
              (asked, point) -> {
                Load calm = Loads.validationsAt(asked, CONNECTIONS, CALM_VALIDATIONS);
                return point.getOrDefault("flood", "").equals("yes")
                    ? Loads.exactly(
                        1.5 * seconds, calm, Loads.flood(asked, FLOOD_CONNECTIONS, perSecond))
                    : Loads.exactly(1.5 * seconds, calm);
              }));
    }
    return Optional.of(
        Trial.of(
                bench.form(),
                "flood",
                "Validations under a flood of logins",
                ("%.0f validations/s at fixed times over %d connections; latency counts from the time"
                        + " that one was due. With the flood, logins come besides at %.0f times the rate"
                        + " that the same service reaches alone, over at most %d connections. Ours"
                        + " hashes with argon2id of 19 MiB. To be in time the driver stays awake, so"
                        + " that its share of a core says nothing here. \"begun late\" is how long"
                        + " after its time the driver sent a validation: its own share of the latency,"
                        + " with which it counts.")
                    .formatted(CALM_VALIDATIONS, CONNECTIONS, FLOOD, FLOOD_CONNECTIONS),
                Measure.VALIDATION_P99,
                "",
                List.of(Map.of("flood", "no"), Map.of("flood", "yes")),
                contestants,
                cast.missing(names))
            .ofRounds(bench.form().rounds(8, 4))
            .ofWarmUps(1));
  }

  private static double rate(Outcome outcome) {
    return outcome.requests() / outcome.seconds();
  }

  /**
   * @param servers contestants' names to those of their servers
   */
  private Optional<Trial> trial(
      String id,
      String title,
      String method,
      Measure measure,
      Map<String, String> servers,
      Draft draft)
      throws IOException {
    String[] names = servers.values().stream().sorted().toArray(String[]::new);
    cast.servers(names);
    var contestants = new ArrayList<Contestant>();
    for (var each : servers.entrySet()) {
      cast.server(each.getValue())
          .ifPresent(server -> contestants.add(contestant(bench, each.getKey(), server, draft)));
    }
    contestants.sort(
        Comparator.comparing((Contestant each) -> !each.name().startsWith("staithe"))
            .thenComparing(Contestant::name));
    return Optional.of(
        Trial.of(
            bench.form(),
            id,
            title,
            method,
            measure,
            "",
            List.of(Map.of()),
            contestants,
            cast.missing(names)));
  }
}
