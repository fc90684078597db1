package dev.staithe.perf.session;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Plan;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.tokens.CannedPeer;
import dev.staithe.perf.tokens.KeycloakPeer;
import dev.staithe.perf.tokens.OpenamPeer;
import dev.staithe.perf.tokens.StaitheTokenPeer;
import dev.staithe.perf.tokens.StaitheTokenPeer.Hash;
import dev.staithe.perf.tokens.StaitheTokenPeer.Persistence;
import dev.staithe.perf.tokens.TokenPeer;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The session service beside its peers: how its experiments are carried out. */
public final class AuthnStudy {
  private static final String TWO_NODES = "staithe-2";
  private static final String THREE_NODES = "staithe-3";

  /** Three nodes that share nothing: what the machine makes of three, and no sharing does. */
  private static final String APART = "staithe-3-apart";

  /** Ours of another checkout. */
  static final String BEFORE = "staithe-before";

  private static final String PAPER = "staithe-paper";
  private static final String OWASP = "staithe-owasp";

  private final Bench bench;
  private final Plan plan;

  /** Of one run. */
  public AuthnStudy(Bench bench, Plan plan) {
    this.bench = bench;
    this.plan = plan;
  }

  /**
   * Carries it out.
   *
   * @throws IOException as {@link Plan#carryOut}
   */
  public void run() throws IOException {
    try (var cast = new TokenCast(bench, peers(bench.site().repository(), bench.site().before()))) {
      var clusters = new ClusterTrials(bench, cast);
      plan(cast, clusters);
      try {
        plan.carryOut();
      } finally {
        clusters.unshare();
      }
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
    peers.add(
        new StaitheTokenPeer(repository, APART, 3, Hash.PAPER, Persistence.BEST_EFFORT, 0).apart());
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

  private void plan(TokenCast cast, ClusterTrials clusters) {
    var tokens = new TokenTrials(bench, cast);
    boolean smoke = bench.form() == Form.SMOKE;
    boolean full = bench.form().isWhole();
    plan.add("ceiling", tokens::ceiling, trial -> cast.dismiss("canned"));
    if (smoke) {
      plan.add("validate", tokens::validate);
      curve(tokens, 10, Hash.KEYCLOAK, Map.of("staithe", "staithe"), "");
      plan.add("logout-lag", Plan.with(() -> cast.server(TWO_NODES), clusters::logoutLag));
      return;
    }
    plan.add(
        "validate",
        draft -> {
          // Beside each other, for their starts take minutes.
          cast.servers("keycloak", "openam", "staithe", OWASP);
          return tokens.validate(draft);
        },
        trial -> profile(trial, "staithe", cast.server("staithe")));
    plan.add(
        "login",
        draft -> tokens.logins(draft, Map.of("staithe", "staithe", "keycloak", "keycloak")),
        trial -> profile(trial, "staithe", cast.server("staithe")));
    plan.add(
        "login-paper", draft -> tokens.logins(draft, Map.of("staithe", PAPER, "openam", "openam")));
    plan.add(
        "login-cost",
        draft -> {
          if (!full) {
            cast.dismiss("keycloak", "openam", "staithe");
          }
          return tokens.loginCost(draft);
        });
    plan.add(
        "flood",
        tokens::flood,
        trial -> cast.dismiss("keycloak", "openam", "staithe", full ? "" : OWASP));
    Map<String, String> oneAndThree = Map.of("staithe-1", PAPER, THREE_NODES, THREE_NODES);
    plan.add(
        "nodes",
        draft ->
            clusters.nodes(
                draft,
                full
                    ? Map.of("staithe-1", PAPER, TWO_NODES, TWO_NODES, THREE_NODES, THREE_NODES)
                    : oneAndThree),
        trial -> cast.dismiss(TWO_NODES));
    plan.add("nodes-load", draft -> clusters.nodesUnderTheSameLoad(draft, oneAndThree));
    plan.add("sticky", draft -> clusters.sticky(draft, THREE_NODES));
    plan.add(
        "nodes-share",
        draft ->
            shared(
                clusters,
                () ->
                    clusters.nodesWithShares(
                        draft,
                        full
                            ? Map.of("staithe-1", PAPER, THREE_NODES, THREE_NODES, APART, APART)
                            : oneAndThree)),
        trial -> {
          if (full) {
            profile(trial, "staithe-1", cast.server(PAPER));
            profile(trial, THREE_NODES, cast.server(THREE_NODES));
          }
          clusters.unshare();
          cast.dismiss(APART);
        });
    plan.add(
        "sticky-share",
        draft -> shared(clusters, () -> clusters.stickyWithShares(draft, THREE_NODES)),
        trial -> clusters.unshare());
    plan.add(
        "logout-lag",
        Plan.with(() -> cast.server(THREE_NODES), clusters::logoutLag),
        trial -> cast.dismiss(full ? "" : THREE_NODES));
    for (int percent : full ? new int[] {0, 5, 10, 20} : new int[] {5}) {
      curve(
          tokens,
          percent,
          Hash.PAPER,
          full ? Map.of("staithe", PAPER, THREE_NODES, THREE_NODES) : Map.of("staithe", PAPER),
          "");
      curve(tokens, percent, Hash.OWASP, Map.of("staithe", OWASP), "-owasp");
    }
    plan.add(
        "models",
        draft -> {
          cast.dismiss(PAPER, OWASP, THREE_NODES);
          return clusters.models(draft, models(full));
        },
        trial -> dismissModels(cast));
  }

  /** Where one of them cannot have a share, none keeps one. */
  private static Trial shared(ClusterTrials clusters, Callable<Trial> preparation)
      throws IOException {
    clusters.unshare();
    try {
      return preparation.call();
    } catch (IOException e) {
      clusters.unshare();
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void curve(
      TokenTrials tokens, int percent, Hash hash, Map<String, String> services, String suffix) {
    plan.add("users-" + percent + suffix, draft -> tokens.curve(draft, percent, hash, services));
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

  private void profile(Trial trial, String contestant, Optional<TokenServer> server)
      throws IOException {
    if (bench.form() != Form.FULL) {
      return; // it takes as long as a round of all
    }
    if (server.isPresent()) {
      plan.profile(trial, contestant, server.get().lastStarted());
    }
  }
}
