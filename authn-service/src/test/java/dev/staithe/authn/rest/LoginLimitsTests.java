package dev.staithe.authn.rest;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.password.HashPool;
import dev.staithe.testkit.Eventually;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node refuses before it does any work: too many logins, too many failures, too many. */
final class LoginLimitsTests {
  private static final int FLOOD = 40;

  @TempDir private static Path folder;
  private static RunningAuthn authn;

  @BeforeAll
  static void start() {
    authn =
        RunningAuthn.start(
            folder,
            Map.of(
                "staithe.login.threads", 1,
                "staithe.login.queue", 1,
                "staithe.login.deadline", "1m",
                "staithe.login.user.failures", 3,
                "staithe.sessions.per-user", 2,
                "staithe.sessions.when-too-many", "refuse"));
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  @Test
  void floodOfLoginsIsRefusedWith503AndRetryAfterWhileValidationsGoOn() throws Exception {
    authn.user("valid").user("crowd");
    String token = authn.login("valid");
    HashPool pool = authn.bean(HashPool.class);
    var held = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        Releasing _ = held::countDown) {
      // As if its only thread had a hash that takes for ever.
      threads.submit(() -> pool.run(() -> hold(held), Eventually.LONGEST));
      Eventually.holds("a hash is computed", () -> pool.running() == 1);
      List<Future<HttpResponse<String>>> logins = new ArrayList<>();
      for (int i = 0; i < FLOOD; i++) {
        logins.add(threads.submit(() -> authn.rest().attempt("crowd", RunningAuthn.PASSWORD)));
      }
      Eventually.holds(
          "all but the one that waits are answered",
          () -> logins.stream().filter(Future::isDone).count() == FLOOD - 1);
      for (int i = 0; i < FLOOD; i++) {
        assertThat(authn.isGood(token)).isTrue();
      }
      held.countDown();

      int refused = 0;
      for (Future<HttpResponse<String>> each : logins) {
        HttpResponse<String> answer = each.get();
        assertThat(answer.statusCode()).isIn(200, 503);
        if (answer.statusCode() == 503) {
          refused++;
          assertThat(answer.headers().firstValue("Retry-After").orElse("")).matches("[1-9][0-9]*");
          assertThat(json(answer).path("message").asString("")).contains("too many logins");
        }
      }
      assertThat(refused).isEqualTo(FLOOD - 1);
    }
  }

  private interface Releasing extends AutoCloseable {
    @Override
    void close();
  }

  private static String hold(CountDownLatch held) {
    try {
      held.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "held";
  }

  @Test
  void lockedNameGets429WithRetryAfterAlsoForTheRightPasswordAndOthersDoNot() {
    authn.user("victim").user("bystander");
    for (int i = 0; i < 3; i++) {
      assertThat(authn.rest().attempt("victim", "guess " + i).statusCode()).isEqualTo(401);
    }
    HttpResponse<String> locked = authn.rest().attempt("victim", RunningAuthn.PASSWORD);
    assertThat(locked.statusCode()).isEqualTo(429);
    assertThat(locked.headers().firstValue("Retry-After").orElse("")).matches("[1-9][0-9]*");
    assertThat(authn.rest().attempt("bystander", RunningAuthn.PASSWORD).statusCode())
        .isEqualTo(200);
  }

  @Test
  void unknownNamesAreLockedAsKnownOnes() {
    for (int i = 0; i < 3; i++) {
      assertThat(authn.rest().attempt("nobody", "guess " + i).statusCode()).isEqualTo(401);
    }
    assertThat(authn.rest().attempt("nobody", "guess").statusCode()).isEqualTo(429);
  }

  @Test
  void moreSessionsThanAreAllowedAreRefusedUntilOneEnds() {
    authn.user("many");
    String one = authn.login("many");
    String two = authn.login("many");
    // With best-effort a login is answered a moment before others can count it.
    Eventually.holds(
        "both are listed",
        () -> json(authn.as(one, "GET", "json/sessions", "")).path("sessions").size() == 2);
    HttpResponse<String> third = authn.rest().attempt("many", RunningAuthn.PASSWORD);
    assertThat(third.statusCode()).isEqualTo(403);
    assertThat(json(third).path("message").asString("")).contains("too many sessions");
    assertThat(authn.isGood(one)).isTrue();
    assertThat(authn.rest().logout(two).statusCode()).isEqualTo(200);
    assertThat(authn.isGood(authn.login("many"))).isTrue();
  }
}
