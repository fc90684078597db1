package dev.staithe.perf.scenario;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.dummy;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pace;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.staithe.perf.lean.TokenProtocol;
import dev.staithe.perf.peers.Accounts;
import dev.staithe.perf.user.UserDriver;
import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * The user of the study that this repeats, against one session service: log in, have the token
 * validated every 250 ms, log out with a probability instead, and log in again at the next request.
 * The number of users is the same for the whole run; each begins somewhere in its first pause.
 *
 * <p>It fails where one request fails, refusals included, where a kind of request was not made in
 * the measured phase, or where the shares of login, validation and logout are not those of the
 * model. A request costs Gatling more CPU than a validation costs a good service: saturation
 * belongs to the lean client of {@code perf/run}.
 */
public final class AuthnSimulation extends Simulation {
  private static final String LOGIN = "login";
  private static final String VALIDATE = "validate";
  private static final String LOGOUT = "logout";
  private static final String MIX = "check of the mix";

  /** So that a service that refuses everything does not make a user spin. */
  private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

  private final AuthnTarget target = settings();
  private final Phases phases =
      new Phases(target.warmUp(), target.measured(), target.coolDown(), System::nanoTime);
  private final Map<String, LongAdder> done =
      Map.of(LOGIN, new LongAdder(), VALIDATE, new LongAdder(), LOGOUT, new LongAdder());

  /** Takes the settings of {@link AuthnTarget}. */
  public AuthnSimulation() {
    setUp(
            scenario("users")
                .exec(begin(), asLongAs(session -> phases.running()).on(next()))
                .injectOpen(
                    target.profile().users(target.users(), target.warmUp(), target.measured()))
                .andThen(
                    scenario("check")
                        .exec(dummy(MIX, 1).withSuccess(session -> objection().isEmpty()))
                        .injectOpen(atOnceUsers(1))))
        .protocols(protocol())
        .assertions(assertions());
  }

  @Override
  public void after() {
    System.out.printf(
        Locale.ROOT,
        "Measured phase of %d s, successful requests only: %d logins, %d validations, %d logouts;"
            + " %.1f/s%n",
        target.measured().toSeconds(),
        done(LOGIN),
        done(VALIDATE),
        done(LOGOUT),
        (double) (done(LOGIN) + done(VALIDATE) + done(LOGOUT)) / target.measured().toSeconds());
    objection().ifPresent(System.out::println);
  }

  private static AuthnTarget settings() {
    try {
      AuthnTarget target = AuthnTarget.from(Settings.ofThisProcess());
      target.authority().ifPresent(Trust::only);
      return target;
    } catch (IllegalArgumentException e) {
      // In one line: Gatling would bury the reason below two screens of its own calls.
      System.err.println("simulation: " + e.getMessage());
      System.exit(64);
      throw e;
    }
  }

  private long done(String type) {
    LongAdder adder = done.get(type);
    return adder == null ? 0 : adder.sum();
  }

  private Optional<String> objection() {
    return UserDriver.Mix.objection(
        target.logout(), target.users(), done(LOGIN), done(VALIDATE), done(LOGOUT));
  }

  private ChainBuilder begin() {
    return exec(session -> {
          phases.begin();
          int account = ThreadLocalRandom.current().nextInt(target.accounts().count());
          return session
              .set("user", Accounts.name(account))
              .set("password", target.accounts().password());
        })
        .exec(pause(Duration.ZERO, target.pause()));
  }

  private ChainBuilder next() {
    ChainBuilder request =
        doIfOrElse(session -> !session.contains("token"))
            .then(request(LOGIN, target.protocol().login()))
            .orElse(
                doIfOrElse(session -> ThreadLocalRandom.current().nextDouble() < target.logout())
                    .then(
                        request(LOGOUT, target.protocol().logout())
                            .exec(session -> session.remove("token")))
                    .orElse(request(VALIDATE, target.protocol().validate())));
    ChainBuilder paced =
        target.pace()
            ? pace(target.pause()).exec(request)
            : exec(request).exec(pause(target.pause()));
    return paced
        .exec(doIf(Session::isFailed).then(pause(AFTER_FAILURE)))
        .exec(Session::markAsSucceeded);
  }

  private ChainBuilder request(String type, TokenProtocol.Call call) {
    HttpRequestActionBuilder post =
        http(session -> phases.name(type))
            .post(expression(call.path()))
            .headers(headers(call))
            .body(StringBody(expression(call.body())))
            .check(checks(type));
    return exec(session -> session.set("counts", phases.measuring()))
        .exec(post)
        .exec(
            session -> {
              if (session.getBoolean("counts") && !session.isFailed()) {
                LongAdder adder = done.get(type);
                if (adder != null) {
                  adder.increment();
                }
              }
              return session;
            });
  }

  private List<CheckBuilder> checks(String type) {
    var checks = new ArrayList<CheckBuilder>();
    checks.add(type.equals(LOGOUT) ? status().in(200, 202, 204) : status().is(200));
    if (type.equals(LOGIN)) {
      target
          .protocol()
          .kept()
          .forEach((name, field) -> checks.add(jsonPath("$." + field).ofString().saveAs(name)));
    } else if (type.equals(VALIDATE)) {
      checks.add(jsonPath("$." + target.protocol().valid()).ofBoolean().is(true));
    }
    return checks;
  }

  private Map<String, String> headers(TokenProtocol.Call call) {
    var headers = new TreeMap<String, String>();
    call.headers().forEach((name, value) -> headers.put(name, expression(value)));
    return headers;
  }

  /** Placeholders as Gatling writes them. */
  private String expression(String template) {
    String text = template.replace("{user}", "#{user}").replace("{password}", "#{password}");
    for (String name : target.protocol().kept().keySet()) {
      text = text.replace("{" + name + "}", "#{" + name + "}");
    }
    return text;
  }

  private HttpProtocolBuilder protocol() {
    return http.baseUrls(target.urls())
        .acceptEncodingHeader("identity")
        .userAgentHeader("staithe-perf")
        .disableWarmUp()
        .disableCaching()
        .disableFollowRedirect()
        .disableAutoReferer()
        .disableAutoOrigin();
  }

  private List<Assertion> assertions() {
    var assertions = new ArrayList<Assertion>();
    assertions.add(global().failedRequests().count().is(0L));
    assertions.add(details(MIX).successfulRequests().count().is(1L));
    assertions.add(details(VALIDATE).allRequests().count().gt(0L));
    if (target.logout() > 0) {
      assertions.add(details(LOGIN).allRequests().count().gt(0L));
      assertions.add(details(LOGOUT).allRequests().count().gt(0L));
    }
    return assertions;
  }
}
