package dev.staithe.perf.scenario;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.exitBlockOnFail;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.staithe.perf.lean.ClientCredential;
import dev.staithe.perf.lean.SoapMessages;
import dev.staithe.perf.visit.DelegatingUser;
import dev.staithe.perf.visit.DelegatingUser.Asked;
import dev.staithe.pki.Credential;
import dev.staithe.pki.PemException;
import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The paper's scenario of delegation: each user delegates to the delegation service, calls {@code
 * echoString} of a service that acquires a proxy from there and answers in the user's name, so
 * often as is asked for, and begins again; or delegates once for all calls. The number of users is
 * the same for the whole run.
 *
 * <p>It fails where one request fails, or where a kind of request was not made; of a session's one
 * delegation it is enough that it was made at all.
 */
public final class DelegationSimulation extends Simulation {
  private static final String REQUEST = "request of the service";
  private static final String PROXY = "proxy to the service";
  private static final String CALL = "echo";
  private static final String SAID = "The ship has reached the staithe";

  /** So that a service that refuses everything does not make a user spin. */
  private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

  private final DelegationTarget target = settings();
  private final DelegatingUser user = user();
  private final Phases phases =
      new Phases(target.warmUp(), target.measured(), target.coolDown(), System::nanoTime);

  /** Takes the settings of {@link DelegationTarget}. */
  public DelegationSimulation() {
    setUp(
            scenario("users")
                .exec(
                    exec(
                        session -> {
                          phases.begin();
                          return session;
                        }),
                    asLongAs(session -> phases.running()).on(visit()))
                .injectOpen(atOnceUsers(target.users())))
        .protocols(protocol())
        .assertions(assertions());
  }

  private static DelegationTarget settings() {
    try {
      DelegationTarget target = DelegationTarget.from(Settings.ofThisProcess());
      target.authority().ifPresent(Trust::only);
      return target;
    } catch (IllegalArgumentException e) {
      throw ended("" + e.getMessage(), e);
    }
  }

  private DelegatingUser user() {
    try {
      return new DelegatingUser(
          Credential.read(target.credential(), target.credential()), Clock.systemUTC());
    } catch (PemException e) {
      throw ended("perf.credential: " + e.getMessage(), e);
    }
  }

  /** In one line: Gatling would bury the reason below two screens of its own calls. */
  private static IllegalStateException ended(String line, Exception reason) {
    System.err.println("simulation: " + line);
    System.exit(64);
    return new IllegalStateException(line, reason);
  }

  private ChainBuilder visit() {
    return exec(exitBlockOnFail()
            .on(
                request(),
                exec(DelegationSimulation::taken),
                proxy(),
                exec(session -> session.set("calls", 0)),
                asLongAs(this::callsAgain).on(call(), pause(session -> target.pause()))))
        .exec(pause(session -> session.isFailed() ? AFTER_FAILURE : Duration.ZERO))
        .exec(Session::markAsSucceeded);
  }

  private boolean callsAgain(Session session) {
    return phases.running() && (target.calls() == 0 || session.getInt("calls") < target.calls());
  }

  private ChainBuilder request() {
    return exec(
        http(session -> phases.name(REQUEST))
            .post(target.delegation())
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", "\"\"")
            .body(StringBody(SoapMessages.gridSite("getNewProxyReq")))
            .check(status().is(200), bodyString().transform(this::signed).saveAs("signed")));
  }

  /** The messages that a user sends next. */
  private record Signed(String proxy, String call) {}

  /** An answer that holds nothing to be signed fails its request. */
  private Signed signed(String answer) {
    try {
      Asked asked = DelegatingUser.newlyAsked(answer);
      return new Signed(
          SoapMessages.putProxy(asked.id(), user.sign(asked)),
          SoapMessages.sampleEcho(SAID, target.url(), asked.id()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Session taken(Session session) {
    Signed signed = session.get("signed");
    if (signed == null) {
      throw new IllegalStateException("nothing was signed");
    }
    return session.set("proxy", signed.proxy()).set("call", signed.call());
  }

  private ChainBuilder proxy() {
    return exec(
        http(session -> phases.name(PROXY))
            .post(target.delegation())
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", "\"\"")
            .body(StringBody("#{proxy}"))
            .check(status().is(200), substring("putProxyResponse")));
  }

  private ChainBuilder call() {
    return exec(http(session -> phases.name(CALL))
            .post(target.call())
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", "\"\"")
            .body(StringBody("#{call}"))
            .check(status().is(200), substring(SAID), substring(" for ")))
        .exec(session -> session.set("calls", session.getInt("calls") + 1));
  }

  private HttpProtocolBuilder protocol() {
    return http.baseUrl(target.url())
        .perUserKeyManagerFactory(
            number -> {
              try {
                return ClientCredential.keys("" + target.credential());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
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
    assertions.add(details(CALL).successfulRequests().count().gt(0L));
    if (target.calls() > 0) {
      for (String kind : List.of(REQUEST, PROXY)) {
        assertions.add(details(kind).successfulRequests().count().gt(0L));
      }
    }
    return assertions;
  }
}
