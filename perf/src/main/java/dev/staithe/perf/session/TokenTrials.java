package dev.staithe.perf.session;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.CpuClock;
import dev.staithe.perf.harness.CpuTime;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    this.seconds = bench.form().choose(5, 2, 1, 0.7);
  }

  /** What is to be done at a point by users of a server. */
  interface Behaviour {
    UserTask task(TokenServer server, Map<String, String> point) throws IOException;
  }

  /** Virtual users as a piece of work: measured while their requests count. */
  static Contestant.Work users(Bench bench, TokenServer server, Behaviour behaviour) {
    return Contestant.watched(
        (point, watcher) -> bench.perform(behaviour.task(server, point), watcher));
  }

  static Contestant contestant(Bench bench, String name, TokenServer server, Behaviour behaviour) {
    return bench.contestant(name, server, users(bench, server, behaviour));
  }

  /** What the driver can do where answers cost next to nothing. */
  Trial ceiling(Draft draft) throws IOException {
    return validations(draft, Map.of("canned", "canned"));
  }

  /** Validations at saturation. */
  Trial validate(Draft draft) throws IOException {
    return validations(
        draft,
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
                "openam"));
  }

  private Trial validations(Draft draft, Map<String, String> servers) throws IOException {
    return trial(
        draft,
        servers,
        (server, point) -> Loads.during(seconds, Loads.validations(server, CONNECTIONS)));
  }

  /**
   * Logins.
   *
   * @param servers contestants' names to those of their servers
   */
  Trial logins(Draft draft, Map<String, String> servers) throws IOException {
    return trial(
        draft,
        servers,
        (server, point) -> Loads.during(1.5 * seconds, Loads.logins(server, LOGINS_AT_ONCE)));
  }

  /**
   * What a login costs besides the hash: the threads that hash are told apart by their names, in
   * the same process and under the same load.
   */
  Trial loginCost(Draft draft) throws IOException {
    Optional<TokenServer> found = cast.server("staithe-owasp");
    if (found.isEmpty()) {
      return draft.none();
    }
    TokenServer server = found.get();
    new Warmth(bench)
        .byLogins(
            "staithe-owasp",
            server,
            // The compiler has finished with what ran ten thousand times, and a hash lets no login
            // come sooner: with fewer it is still the compiler that is measured.
            bench.form().choose(20_000, 2_000, 2_000, 2_000),
            bench.form().choose(300, 9, 1, 1));
    CpuTime all = Bench.cpu(server);
    CpuTime hash = () -> CpuClock.ofThreads(server.processes(), HASH_THREADS);
    CpuTime rest = () -> all.getAsDouble() - hash.getAsDouble();
    var work =
        users(
            bench, server, (asked, point) -> Loads.during(3, Loads.logins(asked, LOGINS_AT_ONCE)));
    return draft.trial(
        List.of(
            bench.contestant(OUTSIDE, server, work).servedBy(rest).between(hash),
            bench.contestant(HASH, server, work).servedBy(hash).between(rest)));
  }

  /** Validations while a flood of logins comes, and without it. */
  Trial flood(Draft draft) throws IOException {
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
      new Warmth(bench).byLogins(name, server, 500, bench.form().choose(30, 4, 1, 1));
      var alone =
          users(
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
    return draft.trial(contestants);
  }

  private static double rate(Outcome outcome) {
    return outcome.requests() / outcome.seconds();
  }

  /**
   * @param servers contestants' names to those of their servers
   */
  private Trial trial(Draft draft, Map<String, String> servers, Behaviour users)
      throws IOException {
    cast.servers(servers.values().stream().sorted().toArray(String[]::new));
    var contestants = new ArrayList<Contestant>();
    for (var each : servers.entrySet()) {
      cast.server(each.getValue())
          .ifPresent(server -> contestants.add(contestant(bench, each.getKey(), server, users)));
    }
    contestants.sort(
        Comparator.comparing((Contestant each) -> !each.name().startsWith("staithe"))
            .thenComparing(Contestant::name));
    return draft.trial(contestants);
  }
}
