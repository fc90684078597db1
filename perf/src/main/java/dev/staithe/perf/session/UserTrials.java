package dev.staithe.perf.session;

import dev.staithe.perf.harness.Bench;
import dev.staithe.perf.harness.Contestant;
import dev.staithe.perf.harness.Draft;
import dev.staithe.perf.harness.Trial;
import dev.staithe.perf.lean.Load;
import dev.staithe.perf.lean.UserTask;
import dev.staithe.perf.tokens.StaitheTokenPeer.Hash;
import dev.staithe.perf.tokens.TokenServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The paper's curves: throughput by the number of users, at a share of logouts. */
final class UserTrials {
  private final Bench bench;
  private final TokenCast cast;

  UserTrials(Bench bench, TokenCast cast) {
    this.bench = bench;
    this.cast = cast;
  }

  /**
   * A curve.
   *
   * @param percent the probability of a logout
   * @param hash for the text
   * @param services contestants' names to those of their servers
   */
  Trial curve(Draft draft, int percent, Hash hash, Map<String, String> services)
      throws IOException {
    cast.servers(services.values().stream().sorted().toArray(String[]::new));
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
    return draft
        .say("percent", percent)
        .say("hash", hash.toString().toLowerCase(Locale.ROOT))
        .say("warmUp", Math.round(example.warmUp()))
        .say("seconds", Math.round(example.seconds()))
        .say("coolDown", Math.round(example.coolDown()))
        .trial(contestants);
  }

  private UserTask task(TokenServer server, int users, int percent) {
    return phases(
        List.of(
            Loads.users(server.protocol(), server.urls(), users, percent / 100.0, Loads.PAUSE)));
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
