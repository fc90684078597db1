package dev.staithe.perf.session;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.CpuClock;
import dev.staithe.perf.harness.cpu.CpuTime;
import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.scenario.LeanClientProcess;
import dev.staithe.perf.tokens.StaitheTokenPeer.Hash;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Validations, logins, and the paper's users, of ours beside the peers'. */
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
    return draft.trial(
        cast.users(
            servers,
            (server, point) -> Loads.during(seconds, Loads.validations(server, CONNECTIONS))));
  }

  /**
   * Logins.
   *
   * @param servers contestants' names to those of their servers
   */
  Trial logins(Draft draft, Map<String, String> servers) throws IOException {
    return draft.trial(
        cast.users(
            servers,
            (server, point) -> Loads.during(1.5 * seconds, Loads.logins(server, LOGINS_AT_ONCE))));
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
    TokenCast.Behaviour logins =
        (asked, point) -> Loads.during(3, Loads.logins(asked, LOGINS_AT_ONCE));
    return draft.trial(
        List.of(
            cast.users(OUTSIDE, server, logins).servedBy(rest).between(hash),
            cast.users(HASH, server, logins).servedBy(hash).between(rest)));
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
      UserTask alone = Loads.during(2 * seconds, Loads.logins(server, LOGINS_AT_ONCE));
      // The better of two: a capacity that is thought too small makes a flood that is none.
      double capacity = Math.max(rate(alone), rate(alone));
      double perSecond = FLOOD * capacity;
      bench.remark(
          "flood: %s does %.0f logins/s alone; the flood is of %.0f/s."
              .formatted(name, perSecond / FLOOD, perSecond));
      contestants.add(
          cast.users(
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

  private double rate(UserTask task) throws IOException {
    Outcome outcome = bench.perform(task, LeanClientProcess.Watcher.NOBODY);
    return outcome.requests() / outcome.seconds();
  }

  /**
   * The paper's curves: throughput by the number of users.
   *
   * @param percent the probability of a logout
   * @param hash for the text
   * @param services contestants' names to those of their servers
   */
  Trial curve(Draft draft, int percent, Hash hash, Map<String, String> services)
      throws IOException {
    UserTask example = phases(List.of());
    return draft
        .say("percent", percent)
        .say("hash", hash.toString().toLowerCase(Locale.ROOT))
        .say("warmUp", Math.round(example.warmUp()))
        .say("seconds", Math.round(example.seconds()))
        .say("coolDown", Math.round(example.coolDown()))
        .trial(
            cast.users(
                services,
                (server, point) -> {
                  int users = Integer.parseInt(point.getOrDefault("users", "1"));
                  return phases(
                      List.of(
                          Loads.users(
                              server.protocol(),
                              server.urls(),
                              users,
                              percent / 100.0,
                              Loads.PAUSE)));
                }));
  }

  private UserTask phases(List<Load> loads) {
    return switch (bench.form()) {
      // The paper's 15, 60 and 30 s would take a night for a grid whose requests take microseconds:
      // so few seconds have tens of thousands of them.
      case FULL -> new UserTask(loads, 3, 12, 2, 0, false, 1);
      case REHEARSAL -> new UserTask(loads, 0.5, 1, 0, 0, false, 1);
      case SHORT -> new UserTask(loads, 1.5, 4, 0.5, 0, false, 1);
      case SMOKE -> new UserTask(loads, 0.3, 0.7, 0, 0, false, 1);
    };
  }
}
