package dev.staithe.perf.scenario;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.stopLoadGeneratorIf;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Choice;
import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A run against one storage element, or two for copies: it prepares a folder, makes requests for as
 * long as the settings say, and cleans up. It fails where one request fails, or where a kind of
 * request was not made in the measured phase.
 *
 * <p>Closed model: a fixed number of users, each with its own connection, makes one request after
 * the other. Open model: users with one request each come at a fixed rate, however slow the server
 * is, and share connections.
 *
 * <p>It costs Gatling about 0.85 ms of CPU to make a request and its clock tells milliseconds. So
 * it is for the protocol: files up to 64 MiB, and rates that leave the generator's core idle for a
 * third of the time. Files of more than that, and the saturation of a server with small requests,
 * belong to the lean clients of {@code perf/run}.
 */
abstract class StorageSimulation extends Simulation {
  /** So that a server that refuses everything does not make a user spin. */
  private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

  private final Tally tally = new Tally();
  private final StorageTarget target;

  /**
   * @param mix the kinds of requests and their weights
   */
  StorageSimulation(Function<StorageTarget, Map<Exercise, Integer>> mix) {
    this.target = settings();
    Map<Exercise, Integer> weights = mix.apply(target);
    if (target.second().isEmpty() && weights.keySet().stream().anyMatch(Exercise::takesTwo)) {
      refuse("third-party copies need perf.second-url");
    }
    var phases =
        new Phases(target.warmUp(), target.measured(), target.coolDown(), System::nanoTime);
    var requests = new StorageRequests(target, weights.keySet(), phases, tally);
    setUp(
            prepare(requests)
                .andThen(
                    users(phases, next(requests, weights))
                        .andThen(
                            scenario("clean up")
                                .exec(requests.clean())
                                .injectOpen(atOnceUsers(1)))))
        .protocols(protocol())
        .assertions(assertions(weights));
  }

  /** A mix of one. */
  StorageSimulation(Exercise only) {
    this(target -> Map.of(only, 1));
  }

  @Override
  public void after() {
    System.out.println(tally.summary(target.measured().toSeconds()));
  }

  private static StorageTarget settings() {
    try {
      StorageTarget target = StorageTarget.fromSettings();
      target.authority().ifPresent(Trust::only);
      return target;
    } catch (IllegalArgumentException e) {
      throw refuse(String.valueOf(e.getMessage()));
    }
  }

  /** Ends in one line: Gatling would bury the reason below two screens of its own calls. */
  private static IllegalStateException refuse(String reason) {
    System.err.println("simulation: " + reason);
    System.exit(64);
    return new IllegalStateException(reason);
  }

  private static PopulationBuilder prepare(StorageRequests requests) {
    Function<Session, Boolean> failed = session -> !session.contains(StorageRequests.PREPARED);
    return scenario("prepare")
        .exec(requests.prepare())
        .exec(doIf(failed).then(exec(requests.clean())))
        .exec(stopLoadGeneratorIf("the servers could not be prepared, see the errors", failed))
        .injectOpen(atOnceUsers(1));
  }

  private PopulationBuilder users(Phases phases, ChainBuilder next) {
    ChainBuilder begin =
        exec(
            session -> {
              phases.begin();
              return session;
            });
    if (target.isOpen()) {
      return scenario("open")
          .exec(begin, next)
          .injectOpen(
              target
                  .profile()
                  .arrivals(target.rate(), target.warmUp(), target.measured(), target.coolDown())
                  .toArray(OpenInjectionStep[]::new));
    }
    ChainBuilder paused = next;
    if (target.pause().isPositive()) {
      // Else all users would go on in step.
      begin = begin.exec(pause(Duration.ZERO, target.pause()));
      paused = next.exec(pause(target.pause()));
    }
    return scenario("closed")
        .exec(
            begin,
            asLongAs(session -> phases.running())
                .on(
                    paused
                        .exec(doIf(Session::isFailed).then(pause(AFTER_FAILURE)))
                        .exec(Session::markAsSucceeded)))
        .injectOpen(target.profile().users(target.users(), target.warmUp(), target.measured()));
  }

  private static ChainBuilder next(StorageRequests requests, Map<Exercise, Integer> weights) {
    double whole = weights.values().stream().mapToInt(Integer::intValue).sum();
    List<Choice.WithWeight> choices =
        weights.entrySet().stream()
            .map(
                entry ->
                    percent(100 * entry.getValue() / whole).then(requests.once(entry.getKey())))
            .toList();
    return choices.size() == 1
        ? requests.once(weights.keySet().iterator().next())
        : randomSwitch().on(choices);
  }

  private HttpProtocolBuilder protocol() {
    HttpProtocolBuilder protocol =
        http.baseUrl(target.server().url().toString())
            .acceptEncodingHeader("identity")
            .userAgentHeader("staithe-perf")
            .disableWarmUp()
            // Neither conditional requests instead of downloads, nor tokens to other servers.
            .disableCaching()
            .disableFollowRedirect()
            .disableAutoReferer()
            .disableAutoOrigin();
    return target.isOpen() ? protocol.shareConnections() : protocol;
  }

  private static List<Assertion> assertions(Map<Exercise, Integer> weights) {
    return Stream.concat(
            Stream.of(global().failedRequests().count().is(0L)),
            weights.keySet().stream()
                .map(exercise -> details(exercise.label()).allRequests().count().gt(0L)))
        .toList();
  }
}
