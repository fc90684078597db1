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
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.flushCookieJar;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.staithe.perf.lean.SoapMessages;
import dev.staithe.perf.peers.Accounts;
import dev.staithe.perf.visit.PaosMessage;
import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Campus users against one credential service: each logs in at the identity provider by ECP, calls
 * {@code echoString} behind SAML so often, has a certificate issued where there are requests for
 * them, forgets all sessions and begins again. The number of users is the same for the whole run.
 *
 * <p>It fails where one request fails, or where a kind of request was not made in the measured
 * phase.
 */
public final class SlcsSimulation extends Simulation {
  private static final String CHALLENGE = "challenge";
  private static final String LOGIN = "login at the provider";
  private static final String ASSERTION = "assertion";
  private static final String CALL = "echo";
  private static final String CERTIFICATE = "certificate";
  private static final String SAID = "The ship has reached the staithe";

  /** So that a service that refuses everything does not make a user spin. */
  private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

  private final SlcsTarget target = settings();
  private final Phases phases =
      new Phases(target.warmUp(), target.measured(), target.coolDown(), System::nanoTime);

  /** Takes the settings of {@link SlcsTarget}. */
  public SlcsSimulation() {
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

  private static SlcsTarget settings() {
    try {
      SlcsTarget target = SlcsTarget.from(Settings.ofThisProcess());
      target.authority().ifPresent(Trust::only);
      return target;
    } catch (IllegalArgumentException e) {
      // In one line: Gatling would bury the reason below two screens of its own calls.
      System.err.println("simulation: " + e.getMessage());
      System.exit(64);
      throw e;
    }
  }

  private ChainBuilder visit() {
    ChainBuilder calls = exec(repeat(target.calls()).on(call()));
    return exec(exitBlockOnFail()
            .on(
                exec(flushCookieJar()).exec(this::account),
                challenge(),
                login(),
                assertion(),
                target.requests().isPresent() ? calls.exec(certificate()) : calls))
        .exec(pause(session -> session.isFailed() ? AFTER_FAILURE : target.pause()))
        .exec(Session::markAsSucceeded);
  }

  private Session account(Session session) {
    String user = Accounts.name(ThreadLocalRandom.current().nextInt(target.accounts().count()));
    Session named = session.set("user", user).set("password", target.accounts().password());
    return target
        .requests()
        .map(folder -> named.set("request", read(folder.resolve(user + ".csr"))))
        .orElse(named);
  }

  private static String read(java.nio.file.Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ChainBuilder challenge() {
    return exec(
        http(session -> phases.name(CHALLENGE))
            .get(target.path())
            .header("Accept", PaosMessage.TYPE)
            .header("PAOS", PaosMessage.HEADER)
            .check(
                status().is(200),
                bodyString().saveAs("challenge"),
                bodyString()
                    .transform(text -> read(text, PaosMessage::forProvider))
                    .saveAs("asked"),
                bodyString()
                    .transform(text -> read(text, PaosMessage::consumer))
                    .saveAs("consumer")));
  }

  private ChainBuilder login() {
    return exec(
        http(session -> phases.name(LOGIN))
            .post(target.provider())
            .basicAuth("#{user}", "#{password}")
            .header("Content-Type", "text/xml; charset=utf-8")
            .body(StringBody("#{asked}"))
            .check(
                status().is(200),
                bodyString()
                    .transformWithSession(
                        (text, session) ->
                            read(session.getString("challenge"), it -> it.forService(text)))
                    .saveAs("assertion")));
  }

  /** What a user reads in an answer. */
  private interface Reading {
    String of(PaosMessage message) throws IOException;
  }

  /** An answer that is not as it should be fails its request. */
  private static String read(String message, Reading reading) {
    try {
      return reading.of(new PaosMessage(message));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ChainBuilder assertion() {
    return exec(
        http(session -> phases.name(ASSERTION))
            .post("#{consumer}")
            .header("Content-Type", PaosMessage.TYPE)
            .body(StringBody("#{assertion}"))
            .check(status().in(200, 302, 303)));
  }

  private ChainBuilder call() {
    return exec(
        http(session -> phases.name(CALL))
            .post(target.path())
            .header("Content-Type", "text/xml; charset=utf-8")
            .header("SOAPAction", "\"\"")
            .body(StringBody(SoapMessages.echo(SAID)))
            .check(status().is(200), substring(SAID)));
  }

  private ChainBuilder certificate() {
    return exec(
        http(session -> phases.name(CERTIFICATE))
            .post("/certificates")
            .header("Content-Type", "application/pkcs10")
            .body(StringBody("#{request}"))
            .check(status().is(201), substring("BEGIN CERTIFICATE")));
  }

  private HttpProtocolBuilder protocol() {
    return http.baseUrl(target.url())
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
    for (String kind : List.of(CHALLENGE, LOGIN, ASSERTION, CALL)) {
      assertions.add(details(kind).successfulRequests().count().gt(0L));
    }
    if (target.requests().isPresent()) {
      assertions.add(details(CERTIFICATE).successfulRequests().count().gt(0L));
    }
    return assertions;
  }
}
