package dev.staithe.perf.study;

import dev.staithe.perf.peers.StaitheTokenPeer.Hash;
import dev.staithe.perf.peers.TokenServer;
import dev.staithe.perf.scenario.Load;
import dev.staithe.perf.scenario.UserTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The paper's curves: throughput by the number of users, at a share of logouts. */
final class UserTrials {
  private static final int[] PAPER = {100, 250, 500, 1000, 1500, 2200, 3000, 4000, 5500, 7500};
  private static final int[] OWASP = {5, 10, 20, 40, 60, 90, 130, 200, 300, 450};

  private final Bench bench;
  private final TokenCast cast;

  UserTrials(Bench bench, TokenCast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  private List<Map<String, String>> points(Hash hash) {
    int[] all = hash == Hash.PAPER ? PAPER : OWASP;
    int[] chosen =
        switch (bench.form()) {
          case FULL, REHEARSAL -> all;
          case SHORT -> IntStream.of(1, 3, 5, 6).map(i -> all[i]).toArray();
          case SMOKE -> new int[] {10, 40};
        };
    return IntStream.of(chosen).mapToObj(users -> Map.of("users", "" + users)).toList();
  }

  /**
   * A curve.
   *
   * @param percent the probability of a logout
   * @param hash for the text and the points
   * @param services contestants' names to those of their servers
   */
  Optional<Trial> curve(String id, int percent, Hash hash, Map<String, String> services)
      throws IOException {
    String[] names = services.values().stream().sorted().toArray(String[]::new);
    cast.servers(names);
    var contestants = new ArrayList<Contestant>();
    for (var each : services.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList()) {
      Optional<TokenServer> server = cast.server(each.getValue());
      if (server.isPresent()) {
        contestants.add(
            TokenTrials.contestant(
                bench,
                each.getKey(),
                server.get(),
                (asked, point) ->
                    task(asked, Integer.parseInt(point.getOrDefault("users", "1")), percent)));
      }
    }
    UserTask example = phases(List.of());
    return Optional.of(
        new Trial(
            new Experiment(
                id,
                "Throughput by users, %d %% logouts, hash profile %s"
                    .formatted(percent, hash.toString().toLowerCase(Locale.ROOT)),
                ("The paper's user: logs in, has the token validated, waits 250 ms after each"
                        + " answer (think time), logs out with a probability of %d %%, and logs in"
                        + " again at the next request. Users begin within the first 250 ms at"
                        + " random. Each on its own connection. %.0f s of warm-up, %.0f s measured,"
                        + " %.0f s of cool-down. Refusals are not counted as throughput.")
                    .formatted(percent, example.warmUp(), example.seconds(), example.coolDown()),
                Measure.REQUESTS,
                "users",
                contestants.stream().map(Contestant::name).toList(),
                cast.missing(names)),
            points(hash),
            contestants,
            bench.form() == Form.FULL ? 2 : 1,
            bench.form() == Form.FULL ? 3 : 1));
  }

  /** How long a curve of one service takes in the full form. */
  static double fullSeconds() {
    return (PAPER.length * 2 + 3) * 106.0;
  }

  private UserTask task(TokenServer server, int users, int percent) {
    return phases(
        List.of(
            Loads.users(server.protocol(), server.urls(), users, percent / 100.0, Loads.PAUSE)));
  }

  private UserTask phases(List<Load> loads) {
    return switch (bench.form()) {
      case FULL -> new UserTask(loads, 15, 60, 30, 0, false, 1);
      case REHEARSAL -> new UserTask(loads, 0.5, 1, 0, 0, false, 1);
      case SHORT -> new UserTask(loads, 1.5, 4, 0.5, 0, false, 1);
      case SMOKE -> new UserTask(loads, 0.5, 1.5, 0, 0, false, 1);
    };
  }
}
