package dev.staithe.authn;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.oauth.Codes;
import dev.staithe.testkit.Trials;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A node with the embedded database that is killed right after an answer. */
final class EmbeddedCrashIT {
  private static final String BEFORE = "correct horse battery";
  private static final String VERIFIER = "a-verifier-of-more-than-forty-three-characters";
  private static final String CHALLENGE = sha256(VERIFIER);
  private static final String AFTER = "another horse and its battery";

  @TempDir private Path folder;

  private record Step(String name, Runnable change, BooleanSupplier holds) {}

  /** An application that acts for the administrator, and somebody with one-time codes. */
  private static final class Prepared {
    private final RestClient rest;
    private final String client;
    private final String secret;
    private final String enrolled;
    private final String recoveryCode;
    private final String otherRecoveryCode;
    private final String first;
    private String last = "";
    private String printed = "";

    Prepared(RestClient rest, String administrator, int round) {
      this.rest = rest;
      client = "application" + round;
      secret =
          json(rest.as(
                  administrator,
                  "POST",
                  "admin/clients",
                  """
                  {"id":"%s","grants":["authorization_code","refresh_token"],"consent":false,
                   "scopes":["openid"],"redirectUris":["https://app.example.org/cb"]}"""
                      .formatted(client)))
              .path("secret")
              .asString("");
      first =
          refreshToken(
              asClient(
                  "grant_type",
                  "authorization_code",
                  "code",
                  code(administrator),
                  "redirect_uri",
                  "https://app.example.org/cb",
                  "code_verifier",
                  VERIFIER));
      enrolled = "enrolled" + round;
      rest.as(administrator, "POST", "admin/users", user(enrolled));
      String own = rest.login(enrolled, BEFORE);
      String key =
          json(rest.as(own, "POST", "json/code?_action=begin", "{\"password\":\"" + BEFORE + "\"}"))
              .path("secret")
              .asString("");
      JsonNode codes =
          json(rest.as(
                  own,
                  "POST",
                  "json/code?_action=confirm",
                  "{\"code\":\"" + Codes.now(key, Clock.systemUTC()) + "\"}"))
              .path("recoveryCodes");
      recoveryCode = codes.path(0).asString("");
      otherRecoveryCode = codes.path(1).asString("");
    }

    private String code(String session) {
      HttpResponse<String> answer =
          rest.send(
              HttpRequest.newBuilder(
                      rest.url()
                          .resolve(
                              "oauth2/authorize?response_type=code&scope=openid&state=s&client_id="
                                  + client
                                  + "&redirect_uri=https%3A%2F%2Fapp.example.org%2Fcb"
                                  + "&code_challenge_method=S256&code_challenge="
                                  + CHALLENGE))
                  .header("Cookie", "staithe_session=" + session)
                  .GET());
      String sent = answer.headers().firstValue("Location").orElse(answer.body());
      assertThat(sent).startsWith("https://app.example.org/cb?code=");
      return sent.replaceAll(".*[?&]code=([^&]*).*", "$1");
    }

    HttpResponse<String> asClient(String... form) {
      return token(rest, client, secret, form);
    }

    HttpResponse<String> refreshed(String token) {
      return asClient("grant_type", "refresh_token", "refresh_token", token);
    }

    HttpResponse<String> loggedInWith(String code) {
      return rest.send(
          HttpRequest.newBuilder(rest.url().resolve("json/authenticate"))
              .header("X-OpenAM-Username", enrolled)
              .header("X-OpenAM-Password", BEFORE)
              .header("X-OpenAM-OTP", code)
              .POST(HttpRequest.BodyPublishers.noBody()));
    }
  }

  private static HttpResponse<String> token(
      RestClient rest, String client, String secret, String... form) {
    var body = new StringJoiner("&");
    for (int i = 0; i < form.length; i += 2) {
      // What a code has in an address may be percent-encoded already, and is sent as it came.
      body.add(form[i] + "=" + form[i + 1]);
    }
    String basic =
        Base64.getEncoder()
            .encodeToString((client + ":" + secret).getBytes(StandardCharsets.US_ASCII));
    return rest.send(
        HttpRequest.newBuilder(rest.url().resolve("oauth2/token"))
            .header("Authorization", "Basic " + basic)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
  }

  private static String refreshToken(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json(answer).path("refresh_token").asString("");
  }

  @Test
  void whatWasAnsweredAboutUsersAndClientsSurvivesKillNine() {
    try (AuthnProcess node = AuthnProcess.start(folder, Map.of())) {
      String password = node.administratorPassword();
      for (int round = 0; round < 4; round++) {
        String administrator = node.rest().login("admin", password);
        var prepared = new Prepared(node.rest(), administrator, round);
        List<Step> steps = steps(node.rest(), prepared, administrator, round);
        node.rest().as(administrator, "POST", "admin/users", user("changed" + round));
        node.rest().as(administrator, "POST", "admin/users", user("disabled" + round));
        // Another one each time is the last before the end.
        Collections.rotate(steps, round);
        steps.forEach(step -> step.change().run());

        node.kill();
        node.restart().awaitUp();

        for (Step step : steps) {
          assertThat(step.holds().getAsBoolean())
              .as("%s, which was answered before the end of round %d", step.name(), round)
              .isTrue();
          Trials.held();
        }
      }
    }
  }

  private static String user(String name) {
    return "{\"name\":\"%s\",\"password\":\"%s\"}".formatted(name, BEFORE);
  }

  private static List<Step> steps(
      RestClient rest, Prepared prepared, String administrator, int round) {
    String client = "client" + round;
    return new java.util.ArrayList<>(
        List.of(
            new Step(
                "new user",
                () -> done(rest.as(administrator, "POST", "admin/users", user("made" + round))),
                () -> rest.attempt("made" + round, BEFORE).statusCode() == 200),
            new Step(
                "disabled user",
                () ->
                    done(
                        rest.as(
                            administrator,
                            "PATCH",
                            "admin/users/disabled" + round,
                            "{\"enabled\":false}")),
                () -> rest.attempt("disabled" + round, BEFORE).statusCode() == 401),
            new Step(
                "new password",
                () ->
                    done(
                        rest.as(
                            administrator,
                            "PUT",
                            "admin/users/changed" + round + "/password",
                            "{\"password\":\"" + AFTER + "\"}")),
                () ->
                    rest.attempt("changed" + round, AFTER).statusCode() == 200
                        && rest.attempt("changed" + round, BEFORE).statusCode() == 401),
            new Step(
                "used recovery code",
                () -> done(prepared.loggedInWith(prepared.recoveryCode)),
                () ->
                    prepared.loggedInWith(prepared.recoveryCode).statusCode() == 401
                        && prepared.loggedInWith(prepared.otherRecoveryCode).statusCode() == 200),
            new Step(
                "refresh tokens that were replaced",
                () ->
                    prepared.last =
                        refreshToken(
                            prepared.refreshed(refreshToken(prepared.refreshed(prepared.first)))),
                () -> {
                  String newest = refreshToken(prepared.refreshed(prepared.last));
                  // The first was used twice then: somebody has stolen it.
                  return prepared.refreshed(prepared.first).statusCode() == 400
                      && prepared.refreshed(newest).statusCode() == 400;
                }),
            new Step(
                "new client and its secret",
                () -> {
                  HttpResponse<String> made =
                      rest.as(
                          administrator,
                          "POST",
                          "admin/clients",
                          """
                          {"id":"%s","name":"x","grants":["client_credentials"],
                           "scopes":["storage.read:/"]}"""
                              .formatted(client));
                  done(made);
                  prepared.printed = json(made).path("secret").asString("");
                },
                () ->
                    token(rest, client, prepared.printed, "grant_type", "client_credentials")
                            .statusCode()
                        == 200)));
  }

  private static void done(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
  }

  private static String sha256(String text) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
