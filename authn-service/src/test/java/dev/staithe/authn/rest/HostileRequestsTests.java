package dev.staithe.authn.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.testkit.MutableClock;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Session tokens out of their time, and requests that are too large, over HTTP. */
final class HostileRequestsTests {
  private static final MutableClock CLOCK = MutableClock.at(Instant.now());

  @TempDir private static Path folder;
  private static RunningAuthn authn;

  @BeforeAll
  static void start() {
    authn =
        RunningAuthn.start(
                folder,
                Map.of("staithe.sessions.idle", "2h", "staithe.sessions.absolute", "2h"),
                CLOCK)
            .user("ada");
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  @AfterEach
  void now() {
    CLOCK.set(Instant.now());
  }

  private static long validations(String result) {
    return authn
        .rest()
        .get(".staithe/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("staithe_validations_total{result=\"" + result + "\"}"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static void refused(String token) {
    assertThat(authn.isGood(token)).isFalse();
    assertThat(authn.as(token, "GET", "json/sessions", "").statusCode()).isEqualTo(401);
    assertThat(authn.as(token, "POST", "json/tokens", "{\"scope\":\"openid\"}").statusCode())
        .isEqualTo(401);
  }

  @Test
  void tokenThatHasExpiredIsRefusedToTheSecond() {
    String token = authn.login("ada");
    CLOCK.advance(Duration.ofHours(2).minusSeconds(1));
    assertThat(authn.isGood(token)).isTrue();
    long before = validations("expired");

    CLOCK.advance(Duration.ofSeconds(2));

    refused(token);
    assertThat(validations("expired")).isGreaterThan(before);
  }

  @Test
  void clockThatJumpsForwardAndComesBackLetsNoEndedSessionIn() {
    String ended = authn.login("ada");
    String open = authn.login("ada");
    assertThat(authn.rest().logout(ended).statusCode()).isEqualTo(200);

    CLOCK.advance(Duration.ofDays(2));
    refused(ended);
    refused(open);
    CLOCK.advance(Duration.ofDays(-2));

    refused(ended);
    assertThat(authn.isGood(open)).as("it was never ended").isTrue();
  }

  @Test
  void tokenThatWasMadeByAClockAheadIsRefusedUntilItsTime() {
    CLOCK.advance(Duration.ofHours(1));
    String early = authn.login("ada");
    assertThat(authn.isGood(early)).isTrue();

    CLOCK.advance(Duration.ofHours(-1));
    refused(early);
    CLOCK.advance(Duration.ofHours(1));

    assertThat(authn.isGood(early)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"userinfo", "oauth2/introspect", "oauth2/token", "login", "admin/users"})
  void headersThatAreTooLargeAreRefusedEverywhere(String path) {
    HttpResponse<String> answer =
        authn.send(
            HttpRequest.newBuilder(authn.url().resolve(path))
                .header("Authorization", "Bearer " + "x".repeat(100_000))
                .GET());

    assertThat(answer.statusCode()).isEqualTo(431);
  }

  @ParameterizedTest
  @ValueSource(strings = {"oauth2/introspect", "oauth2/token", "oauth2/revoke"})
  void formsThatAreTooLargeAreRefusedWithoutLookingAtTheClient(String path) {
    HttpResponse<String> answer =
        authn.post(
            path,
            "application/x-www-form-urlencoded",
            "client_id=x&token=" + "x".repeat(3_000_000));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("invalid_request").hasSizeLessThan(1000);
  }

  @Test
  void administrationTakesNoBodyWithoutEnd() {
    HttpResponse<String> answer =
        authn.as(
            authn.login("ada"),
            "POST",
            "admin/users",
            "{\"name\":\"" + "x".repeat(3_000_000) + "\"}");

    assertThat(answer.statusCode()).isIn(400, 403, 413);
  }
}
