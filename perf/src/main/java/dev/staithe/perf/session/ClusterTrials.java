package dev.staithe.perf.session;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Promised;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.harness.cpu.CpuShares;
import dev.staithe.perf.lean.Outcome;
import dev.staithe.perf.lean.Part;
import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.peers.LoadBalancer;
import dev.staithe.perf.result.Form;
import dev.staithe.perf.result.Latencies;
import dev.staithe.perf.result.Measure;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Several nodes of ours on the same core, and what writing to several databases costs. */
final class ClusterTrials {
  /** The share of requests with a token that are logouts. */
  private static final double LOGOUTS = 0.05;

  private static final int USERS = 32;

  /**
   * Of the paper's, who think: 1,000 requests a second and node. With twice as many the logins at
   * the beginning, refused and tried again every 250 ms, filled the core of three nodes in four of
   * ten rounds for as long as was measured.
   */
  private static final int USERS_OF_A_NODE = 250;

  /** Of a core: three of them and their databases leave some of it to the system. */
  private static final double NODE_SHARE = 0.2;

  /** For each node. */
  private static final double DATABASE_SHARE = 0.08;

  /** Seconds until all of them have logged in. */
  private static final double RUN_UP = 4;

  /** What the documentation promises: a logout is known everywhere after so many seconds. */
  private static final double PROMISED_LAG = 1;

  private static final int TRIALS_AT_ONCE = 16;
  private static final double BETWEEN_QUESTIONS = 0.004;
  private static final int BACKGROUND_USERS = 100;
  private static final double LONGEST = 1200;

  /** Seconds in the short form, in which nodes are not quite as warm then: the remarks tell. */
  private static final double LONGEST_WARM_UP = 60;

  private static final double MODEL_WARM_UP = 10;

  private final Bench bench;
  private final TokenCast cast;
  private final double seconds;
  private final Set<TokenServer> warm = new HashSet<>();
  private final List<CpuShares> shares = new ArrayList<>();

  ClusterTrials(Bench bench, TokenCast cast) {
    this.bench = bench;
    this.cast = cast;
    this.seconds = bench.form().choose(8, 2.5, 1, 1);
  }

  /** Whether figures are to say something. */
  private boolean isMeasured() {
    return bench.form() == Form.FULL || bench.form() == Form.SHORT;
  }

  /** So that the last of several nodes has been compiled too, before the first figure of any. */
  private Optional<TokenServer> warm(String name, double longest) throws IOException {
    Optional<TokenServer> server = cast.server(name);
    if (server.isPresent() && isMeasured() && warm.add(server.get())) {
      boolean full = bench.form() == Form.FULL;
      new Warmth(bench).byUsers(name, server.get(), full ? 500_000 : 200_000, full ? 300 : longest);
    }
    return server;
  }

  /**
   * Gives each node, and for each node its database, a CPU share of their own, so that three nodes
   * have three times the CPU of one and none waits for another's slice.
   *
   * @throws IOException where cgroups cannot be written, in one line
   */
  private void share(String name) throws IOException {
    Optional<TokenServer> found = cast.server(name);
    if (found.isEmpty()) {
      return;
    }
    TokenServer server = found.get();
    CpuShares opened = CpuShares.open();
    shares.add(opened);
    String prefix = "staithe-perf-" + ProcessHandle.current().pid() + "-" + name + "-";
    Set<Long> database = new HashSet<>(server.processes());
    List<Long> nodes = server.nodes();
    nodes.forEach(database::remove);
    opened.give(prefix + "database", database, DATABASE_SHARE * nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      opened.give(prefix + "node-" + i, Set.of(nodes.get(i)), NODE_SHARE);
    }
  }

  /** Lets all that had shares have what they want. */
  void unshare() {
    shares.forEach(CpuShares::close);
    shares.clear();
  }

  /** One, two and three nodes, each with a CPU share of its own. */
  Trial nodesWithShares(Draft draft, Map<String, String> clusters) throws IOException {
    draft.say("node", NODE_SHARE * 100).say("database", DATABASE_SHARE * 100);
    Trial trial = beside(draft, clusters, this::users, LONGEST_WARM_UP);
    for (String cluster : clusters.values()) {
      share(cluster);
    }
    return trial;
  }

  /** Three nodes behind a balancer, sticky or not, each with a CPU share of its own. */
  Trial stickyWithShares(Draft draft, String cluster) throws IOException {
    Trial trial = sticky(draft, cluster);
    share(cluster);
    return trial;
  }

  private UserTask users(TokenProtocol protocol, List<String> urls) {
    return Loads.during(seconds, Loads.users(protocol, urls, USERS, LOGOUTS, 0));
  }

  /** Three nodes behind a balancer, with and without sticky users. */
  Trial sticky(Draft draft, String cluster) throws IOException {
    Optional<TokenServer> server = warm(cluster, LONGEST_WARM_UP);
    Optional<LoadBalancer> found = cast.balancer(cluster);
    if (server.isEmpty() || found.isEmpty()) {
      return draft.none();
    }
    LoadBalancer balancer = found.get();
    TokenProtocol protocol = server.get().protocol().naming(LoadBalancer.USER);
    var contestant =
        cast.users(
            "staithe",
            server.get(),
            (each, point) ->
                users(
                    protocol,
                    List.of(
                        "yes".equals(point.get("sticky"))
                            ? balancer.byUser()
                            : balancer.inTurn())));
    return draft.trial(List.of(contestant.between(Bench.cpu(balancer))));
  }

  /** One, two and three nodes on the same core. */
  Trial nodes(Draft draft, Map<String, String> clusters) throws IOException {
    return beside(draft, clusters, this::users, LONGEST_WARM_UP);
  }

  /** One node and several, each with as much to do as the other's. */
  Trial nodesUnderTheSameLoad(Draft draft, Map<String, String> clusters) throws IOException {
    return beside(
        draft,
        clusters,
        (asked, point) ->
            new UserTask(
                List.of(
                    Loads.users(
                        asked.protocol(),
                        asked.urls(),
                        USERS_OF_A_NODE * asked.urls().size(),
                        LOGOUTS,
                        Loads.PAUSE)),
                Math.min(RUN_UP, seconds),
                seconds,
                0,
                0,
                false,
                1),
        LONGEST_WARM_UP);
  }

  /** The four persistence models. */
  Trial models(Draft draft, Map<String, String> services) throws IOException {
    return beside(draft, services, this::users, MODEL_WARM_UP);
  }

  private UserTask users(TokenServer asked, Map<String, String> point) {
    return users(asked.protocol(), asked.urls());
  }

  private Trial beside(
      Draft draft, Map<String, String> services, TokenCast.Behaviour behaviour, double longest)
      throws IOException {
    cast.servers(services.values().stream().sorted().toArray(String[]::new));
    for (String name : new TreeMap<>(services).values()) {
      warm(name, longest);
    }
    return draft.trial(cast.users(services, behaviour));
  }

  /** How long a token is good at other nodes after its logout. */
  Trial logoutLag(Draft draft, TokenServer server) {
    int trials = isMeasured() ? 10_000 : 100;
    var ours =
        cast.users(
            "staithe",
            server,
            (each, point) ->
                new UserTask(
                    List.of(
                        Loads.lag(each, TRIALS_AT_ONCE, BETWEEN_QUESTIONS),
                        Loads.background(each, BACKGROUND_USERS, LOGOUTS)),
                    1,
                    LONGEST,
                    0,
                    trials,
                    false,
                    1));
    var promise = Promised.outcome(point -> promised());
    return draft.say("trials", trials).trial(List.of(ours, promise));
  }

  /** A measurement that comes out as promised, to set ours beside. */
  private static Outcome promised() {
    Part lag = Latencies.one((long) (PROMISED_LAG * 1e9));
    return new Outcome(
        1, 0, 0, PROMISED_LAG, lag.latencies(), "", "", Map.of(Measure.LOGOUT_LAG, lag));
  }
}
