package dev.staithe.authn.rest;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
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
                "staithe.login.hash", "owasp",
                "staithe.login.threads", 1,
                "staithe.login.queue", 1,
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
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<HttpResponse<String>>> logins = new ArrayList<>();
      for (int i = 0; i < FLOOD; i++) {
        logins.add(() -> authn.rest().attempt("crowd", RunningAuthn.PASSWORD));
      }
      List<Callable<HttpResponse<String>>> validations = new ArrayList<>();
      for (int i = 0; i < FLOOD; i++) {
        validations.add(() -> authn.validate(token));
      }
      var all = new ArrayList<>(logins);
      all.addAll(validations);
      List<Future<HttpResponse<String>>> answers = threads.invokeAll(all);
      int refused = 0;
      for (Future<HttpResponse<String>> each : answers.subList(0, FLOOD)) {
        HttpResponse<String> answer = each.get();
        assertThat(answer.statusCode()).isIn(200, 403, 503);
        if (answer.statusCode() == 503) {
          refused++;
          assertThat(answer.headers().firstValue("Retry-After").orElse("")).matches("[1-9][0-9]*");
          assertThat(json(answer).path("message").asString("")).contains("too many logins");
        }
      }
      assertThat(refused).isPositive().isLessThan(FLOOD);
      for (Future<HttpResponse<String>> each : answers.subList(FLOOD, 2 * FLOOD)) {
        assertThat(json(each.get()).path("valid").asBoolean(false)).isTrue();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
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
    HttpResponse<String> third = authn.rest().attempt("many", RunningAuthn.PASSWORD);
    assertThat(third.statusCode()).isEqualTo(403);
    assertThat(json(third).path("message").asString("")).contains("too many sessions");
    assertThat(authn.isGood(one)).isTrue();
    assertThat(authn.rest().logout(two).statusCode()).isEqualTo(200);
    assertThat(authn.isGood(authn.login("many"))).isTrue();
  }
}
