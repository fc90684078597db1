package dev.staithe.perf.study;

import dev.staithe.perf.peers.LoadBalancer;
import dev.staithe.perf.peers.TokenProtocol;
import dev.staithe.perf.peers.TokenServer;
import dev.staithe.perf.scenario.Outcome;
import dev.staithe.perf.scenario.Part;
import dev.staithe.perf.scenario.UserTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;

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
  private final Set<String> warm = new HashSet<>();

  ClusterTrials(Bench bench, TokenCast cast) {
    this.bench = bench;
    this.cast = cast;
    this.seconds =
        switch (bench.form()) {
          case FULL -> 8;
          case SHORT -> 2.5;
          case REHEARSAL -> 1;
          case SMOKE -> 2;
        };
  }

  /** Whether figures are to say something. */
  private boolean isMeasured() {
    return bench.form() == Form.FULL || bench.form() == Form.SHORT;
  }

  /** So that the last of several nodes has been compiled too, before the first figure of any. */
  private Optional<TokenServer> warm(String name, double longest) throws IOException {
    Optional<TokenServer> server = cast.server(name);
    if (server.isPresent() && isMeasured() && warm.add(name)) {
      boolean full = bench.form() == Form.FULL;
      new Warmth(bench).byUsers(name, server.get(), full ? 500_000 : 200_000, full ? 300 : longest);
    }
    return server;
  }

  private UserTask users(TokenProtocol protocol, List<String> urls) {
    return Loads.during(seconds, Loads.users(protocol, urls, USERS, LOGOUTS, 0));
  }

  /** Three nodes behind a balancer, with and without sticky users. */
  Optional<Trial> sticky(String cluster) throws IOException {
    Optional<TokenServer> server = warm(cluster, LONGEST_WARM_UP);
    Optional<LoadBalancer> found = cast.balancer(cluster);
    if (server.isEmpty() || found.isEmpty()) {
      return Optional.empty();
    }
    LoadBalancer balancer = found.get();
    TokenProtocol protocol = server.get().protocol().naming(LoadBalancer.USER);
    var contestant =
        new Contestant(
            "staithe",
            Bench.cpu(server.get().processes()),
            bench.clientCpu(),
            Bench.cpu(balancer.processes()),
            new TokenTrials.Users(
                bench,
                server.get(),
                (each, point) ->
                    users(
                        protocol,
                        List.of(
                            "yes".equals(point.get("sticky"))
                                ? balancer.byUser()
                                : balancer.inTurn()))),
            () -> {});
    return Optional.of(
        Trial.of(
                bench.form(),
                "sticky",
                "Three nodes behind HAProxy, sticky or not, 5 % logouts",
                "The paper's users without a pause, "
                    + USERS
                    + " of them; hash profile paper. All nodes and their database share one core, so"
                    + " that what is seen is what coordination costs. Sticky: HAProxy chooses the node"
                    + " by a header that names the user. HAProxy runs on the driver's core and its CPU"
                    + " is counted apart.",
                Measure.REQUESTS,
                "",
                List.of(Map.of("sticky", "yes"), Map.of("sticky", "no")),
                List.of(contestant),
                cast.missing(cluster, "haproxy"))
            .ofRounds(bench.form().rounds(12, 5))
            .ofWarmUps(1));
  }

  /** One, two and three nodes on the same core. */
  Optional<Trial> nodes(Map<String, String> clusters) throws IOException {
    return beside(
        "nodes",
        "CPU of a request by the number of nodes, 5 % logouts",
        "The paper's users without a pause, "
            + USERS
            + " of them, spread over the nodes; hash profile paper. A session is asked for at the"
            + " node that made it. No balancer is in between, for one node as for three. Each node"
            + " has had the same number of requests before (see the remarks), however many nodes"
            + " there are.",
        Measure.CPU_PER_REQUEST,
        clusters,
        (asked, point) -> users(asked.protocol(), asked.urls()),
        LONGEST_WARM_UP,
        bench.form().rounds(10, 5));
  }

  /** One node and several, each with as much to do as the other's. */
  Optional<Trial> nodesUnderTheSameLoad(Map<String, String> clusters) throws IOException {
    return beside(
        "nodes-load",
        "CPU of a request by the number of nodes, the same load for each, 5 % logouts",
        USERS_OF_A_NODE
            + " of the paper's users for each node, who wait 250 ms after each answer; hash profile"
            + " paper. The core is not full: more nodes do more, each as much as one alone. No"
            + " balancer is in between.",
        Measure.CPU_PER_REQUEST,
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
        LONGEST_WARM_UP,
        bench.form().rounds(10, 5));
  }

  /** The four persistence models. */
  Optional<Trial> models(Map<String, String> services) throws IOException {
    return beside(
        "models",
        "Persistence models, 5 % logouts",
        "The paper's users without a pause, "
            + USERS
            + " of them; hash profile paper. Each model has one node and a PostgreSQL with two"
            + " standbys on the same core and disk: there is no network between them.",
        Measure.REQUESTS,
        services,
        (asked, point) -> users(asked.protocol(), asked.urls()),
        MODEL_WARM_UP,
        bench.form().rounds(8, 4));
  }

  private Optional<Trial> beside(
      String id,
      String title,
      String method,
      Measure measure,
      Map<String, String> services,
      TokenTrials.Draft draft,
      double longest,
      int rounds)
      throws IOException {
    String[] names = services.values().stream().sorted().toArray(String[]::new);
    cast.servers(names);
    var contestants = new ArrayList<Contestant>();
    for (var each : services.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList()) {
      warm(each.getValue(), longest)
          .ifPresent(
              server ->
                  contestants.add(TokenTrials.contestant(bench, each.getKey(), server, draft)));
    }
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
                cast.missing(names))
            .ofRounds(rounds)
            .ofWarmUps(1));
  }

  /** How long a token is good at other nodes after its logout. */
  Optional<Trial> logoutLag(String cluster) throws IOException {
    Optional<TokenServer> server = cast.server(cluster);
    if (server.isEmpty()) {
      return Optional.empty();
    }
    int trials =
        switch (bench.form()) {
          case FULL, SHORT -> 10_000;
          case REHEARSAL, SMOKE -> 100;
        };
    var ours =
        TokenTrials.contestant(
            bench,
            "staithe",
            server.get(),
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
    var promise = new Contestant("bound", () -> 0, () -> 0, point -> promised(), () -> {});
    return Optional.of(
        new Trial(
            new Experiment(
                "logout-lag",
                "From a logout to the last node that has not heard of it",
                ("%d trials, %d at a time, under a load of %d of the paper's users with 5 %%"
                        + " logouts. A trial logs in at one node, logs out there once every node"
                        + " has accepted the token, and asks all others every %.0f ms until they"
                        + " refuse it three times in a row. The value is the time from the answer"
                        + " to the logout to the last answer that accepts the token, zero where"
                        + " none does; \"bound\" is what the documentation promises.")
                    .formatted(trials, TRIALS_AT_ONCE, BACKGROUND_USERS, BETWEEN_QUESTIONS * 1000),
                Measure.LONGEST_LAG,
                "",
                List.of("staithe", "bound"),
                cast.missing(cluster)),
            List.of(Map.of()),
            List.of(ours, promise),
            1,
            0));
  }

  /** A measurement that comes out as promised, to set ours beside. */
  private static Outcome promised() {
    var histogram = new Histogram(3);
    histogram.recordValue((long) (PROMISED_LAG * 1e9));
    String text = Latencies.encoded(histogram);
    return new Outcome(
        1, 0, 0, PROMISED_LAG, text, "", "", Map.of(Measure.LOGOUT_LAG, new Part(1, 0, 0, text)));
  }
}
