package dev.staithe.perf.study;

import static dev.staithe.perf.study.Target.Bound.AT_LEAST;
import static dev.staithe.perf.study.Target.Bound.AT_MOST;

import dev.staithe.perf.peers.CannedPeer;
import dev.staithe.perf.peers.KeycloakPeer;
import dev.staithe.perf.peers.OpenamPeer;
import dev.staithe.perf.peers.StaitheTokenPeer;
import dev.staithe.perf.peers.StaitheTokenPeer.Hash;
import dev.staithe.perf.peers.StaitheTokenPeer.Persistence;
import dev.staithe.perf.peers.TokenPeer;
import dev.staithe.perf.peers.TokenServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The session service beside its peers: which experiments there are, and what is promised. */
final class AuthnStudy {
  private static final String TWO_NODES = "staithe-2";
  private static final String THREE_NODES = "staithe-3";

  /** Ours of another checkout. */
  static final String BEFORE = "staithe-before";

  private static final String PAPER = "staithe-paper";
  private static final String OWASP = "staithe-owasp";

  /** What a change may cost. */
  private static final Target CHANGED =
      target(
          "Validations per server CPU-second: after / before",
          Measure.REQUESTS_PER_CPU,
          "validate",
          "staithe",
          BEFORE,
          AT_LEAST,
          1 / 1.03);

  private final Bench bench;
  private final Plan plan;

  /**
   * @param only which experiments, by their ids; empty for all
   */
  AuthnStudy(Bench bench, Set<String> only) {
    this.bench = bench;
    this.plan = new Plan(bench, only);
  }

  /**
   * Carries it out.
   *
   * @throws IOException where there is no such experiment, before any server is started; where
   *     something fails that no experiment can do without
   */
  void run() throws IOException {
    try (var cast = new TokenCast(bench, peers(bench.site().repository(), bench.site().before()))) {
      plan(cast);
      plan.carryOut(
          bench.site().before().isPresent()
              ? Stream.concat(targets().stream(), Stream.of(CHANGED)).toList()
              : targets());
    }
  }

  static List<TokenPeer> peers(Path repository, Optional<Path> before) {
    var peers = new ArrayList<TokenPeer>();
    before.ifPresent(
        checkout ->
            peers.add(
                new StaitheTokenPeer(
                    checkout, BEFORE, 1, Hash.KEYCLOAK, Persistence.BEST_EFFORT, 0)));
    peers.add(
        new StaitheTokenPeer(repository, "staithe", 1, Hash.KEYCLOAK, Persistence.BEST_EFFORT, 0));
    peers.add(new StaitheTokenPeer(repository, PAPER, 1, Hash.PAPER, Persistence.BEST_EFFORT, 0));
    peers.add(new StaitheTokenPeer(repository, OWASP, 1, Hash.OWASP, Persistence.BEST_EFFORT, 0));
    peers.add(
        new StaitheTokenPeer(repository, TWO_NODES, 2, Hash.PAPER, Persistence.BEST_EFFORT, 0));
    peers.add(
        new StaitheTokenPeer(repository, THREE_NODES, 3, Hash.PAPER, Persistence.BEST_EFFORT, 0));
    for (Persistence model : Persistence.values()) {
      peers.add(new StaitheTokenPeer(repository, named(model), 1, Hash.PAPER, model, 2));
    }
    peers.add(new KeycloakPeer(repository));
    peers.add(new OpenamPeer(repository));
    peers.add(new CannedPeer());
    return peers;
  }

  private static String named(Persistence model) {
    return "staithe-" + model.setting();
  }

  private void plan(TokenCast cast) {
    var tokens = new TokenTrials(bench, cast);
    var clusters = new ClusterTrials(bench, cast);
    boolean smoke = bench.form() == Form.SMOKE;
    boolean full = bench.form().isWhole();
    if (smoke) {
      plan.add("ceiling", 40, tokens::ceiling, trial -> cast.dismiss("canned"));
      plan.add("validate", 40, tokens::validate, trial -> {});
      curve(cast, 10, Hash.KEYCLOAK, Map.of("staithe", "staithe"), "");
      plan.add("logout-lag", 40, () -> clusters.logoutLag(TWO_NODES), trial -> {});
      return;
    }
    plan.add(
        "validate",
        new Plan.Length(420, 125),
        () -> {
          // Beside each other, for their starts take minutes.
          cast.servers("keycloak", "openam", "staithe", OWASP);
          return tokens.validate();
        },
        trial -> profile(trial, cast));
    plan.add("login", new Plan.Length(200, 36), tokens::login, trial -> profile(trial, cast));
    if (full) {
      plan.add("login-paper", 200, tokens::paperLogin, trial -> {});
    }
    plan.add(
        "login-cost",
        new Plan.Length(150, 36),
        () -> {
          if (!full) {
            cast.dismiss("keycloak", "openam", "staithe");
          }
          return tokens.loginCost();
        },
        trial -> {});
    plan.add(
        "flood",
        new Plan.Length(600, 58),
        tokens::flood,
        trial -> cast.dismiss("keycloak", "openam", "staithe", full ? "" : OWASP));
    plan.add("ceiling", new Plan.Length(40, 10), tokens::ceiling, trial -> cast.dismiss("canned"));
    plan.add(
        "nodes",
        new Plan.Length(900, 140),
        () ->
            clusters.nodes(
                full
                    ? Map.of("staithe-1", PAPER, TWO_NODES, TWO_NODES, THREE_NODES, THREE_NODES)
                    : Map.of("staithe-1", PAPER, THREE_NODES, THREE_NODES)),
        trial -> cast.dismiss(TWO_NODES));
    if (full) {
      plan.add(
          "nodes-load",
          360,
          () ->
              clusters.nodesUnderTheSameLoad(Map.of("staithe-1", PAPER, THREE_NODES, THREE_NODES)),
          trial -> {});
    }
    plan.add("sticky", new Plan.Length(280, 36), () -> clusters.sticky(THREE_NODES), trial -> {});
    plan.add(
        "logout-lag",
        new Plan.Length(60, 38),
        () -> clusters.logoutLag(THREE_NODES),
        trial -> cast.dismiss(full ? "" : THREE_NODES));
    int[] shares = full ? new int[] {0, 5, 10, 20} : new int[] {5};
    for (int percent : shares) {
      curve(
          cast,
          percent,
          Hash.PAPER,
          full ? Map.of("staithe", PAPER, THREE_NODES, THREE_NODES) : Map.of("staithe", PAPER),
          "");
    }
    if (full) {
      for (int percent : shares) {
        curve(cast, percent, Hash.OWASP, Map.of("staithe", OWASP), "-owasp");
      }
    }
    plan.add(
        "models",
        new Plan.Length(500, 75),
        () -> {
          cast.dismiss(PAPER, OWASP, THREE_NODES);
          return clusters.models(models(full));
        },
        trial -> dismissModels(cast));
  }

  private void curve(
      TokenCast cast, int percent, Hash hash, Map<String, String> services, String suffix) {
    String id = "users-" + percent + suffix;
    var users = new UserTrials(bench, cast);
    var length = new Plan.Length(UserTrials.fullSeconds() * services.size(), 36);
    plan.add(id, length, () -> users.curve(id, percent, hash, services), trial -> {});
  }

  private static Map<String, String> models(boolean all) {
    var models = new LinkedHashMap<String, String>();
    for (Persistence model : Persistence.values()) {
      if (all || model == Persistence.OFF || model == Persistence.ASSURED_WRITE) {
        models.put(named(model), named(model));
      }
    }
    return models;
  }

  private static void dismissModels(TokenCast cast) {
    for (Persistence model : Persistence.values()) {
      cast.dismiss(named(model));
    }
  }

  private void profile(Trial trial, TokenCast cast) throws IOException {
    if (bench.form() != Form.FULL) {
      return; // it takes as long as a round of all
    }
    Optional<TokenServer> server = cast.server("staithe");
    if (server.isPresent()) {
      plan.profile(trial, "staithe", server.get().lastStarted());
    }
  }

  /** What is promised; the figures are those of the project's plan. */
  static List<Target> targets() {
    var targets = new ArrayList<Target>();
    Measure perCpu = Measure.REQUESTS_PER_CPU;
    String validations = "Validations per server CPU-second: ours / ";
    targets.add(
        target(
            validations + "Keycloak introspection",
            perCpu,
            "validate",
            "staithe",
            "keycloak",
            AT_LEAST,
            8));
    targets.add(
        target(
            validations + "OpenAM validate", perCpu, "validate", "staithe", "openam", AT_LEAST, 6));
    targets.add(
        target(
            "Logins per CPU-second at Keycloak's hash parameters: ours / Keycloak",
            perCpu,
            "login",
            "staithe",
            "keycloak",
            AT_LEAST,
            2));
    targets.add(
        target(
            "CPU of a login outside the hash / of the hash, argon2id 19 MiB",
            Measure.CPU_PER_REQUEST,
            "login-cost",
            TokenTrials.OUTSIDE,
            TokenTrials.HASH,
            AT_MOST,
            0.1));
    targets.add(
        new Target(
            "99th percentile of validation: under a login flood of 4x capacity / without",
            Measure.VALIDATION_P99,
            "flood",
            "staithe",
            Map.of("flood", "yes"),
            "staithe",
            Map.of("flood", "no"),
            AT_MOST,
            1.5));
    targets.add(
        new Target(
            "Throughput, 3 nodes, 5 % logout: not sticky / sticky",
            Measure.REQUESTS,
            "sticky",
            "staithe",
            Map.of("sticky", "no"),
            "staithe",
            Map.of("sticky", "yes"),
            AT_LEAST,
            0.98));
    targets.add(
        target(
            "CPU per request: at 3 nodes / at 1 node",
            Measure.CPU_PER_REQUEST,
            "nodes",
            THREE_NODES,
            "staithe-1",
            AT_MOST,
            1.1));
    targets.add(
        target(
            "CPU per request, each node with the same load: at 3 nodes / at 1 node",
            Measure.CPU_PER_REQUEST,
            "nodes-load",
            THREE_NODES,
            "staithe-1",
            AT_MOST,
            1.1));
    targets.add(
        target(
            "Throughput, 5 % logout, hash profile paper: assured-write / off",
            Measure.REQUESTS,
            "models",
            named(Persistence.ASSURED_WRITE),
            named(Persistence.OFF),
            AT_LEAST,
            0.85));
    targets.add(
        target(
            "Longest time from a logout to refusal on every other node / the promised second",
            Measure.LONGEST_LAG,
            "logout-lag",
            "staithe",
            "bound",
            AT_MOST,
            1));
    return targets;
  }

  private static Target target(
      String text,
      Measure measure,
      String experiment,
      String ours,
      String peer,
      Target.Bound bound,
      double limit) {
    return new Target(text, measure, experiment, ours, Map.of(), peer, Map.of(), bound, limit);
  }
}
