package dev.staithe.authn.rest;

import static dev.staithe.authn.RunningAuthn.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.users.NewUser;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

final class RestTests {
  @TempDir private static Path folder;
  private static RunningAuthn authn;

  @BeforeAll
  static void start() {
    authn = RunningAuthn.start(folder, Map.of()).user("ada", "/physics").user("bob");
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  @Test
  void loginValidateLogoutAsTheStudyUsesThem() {
    String token =
        authn
            .post(
                "identity/authenticate",
                "application/x-www-form-urlencoded",
                "username=ada&password=correct%20horse%20battery")
            .body();
    assertThat(token).startsWith("token.id=");
    token = token.substring("token.id=".length()).strip();
    String form = "application/x-www-form-urlencoded";
    assertThat(authn.post("identity/isTokenValid", form, "tokenid=" + token).body())
        .isEqualTo("boolean=true\n");
    assertThat(authn.post("identity/logout", form, "subjectid=" + token).statusCode())
        .isEqualTo(200);
    assertThat(authn.post("identity/isTokenValid", form, "tokenid=" + token).body())
        .isEqualTo("boolean=false\n");
  }

  @Test
  void passwordBeyondAsciiComesInAHeaderAsItIsOrEncoded() throws IOException {
    String password = "grüße aus münchen";
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    authn
        .bean(UserAdministration.class)
        .create(new NewUser("gruss", "", null, Set.of(), true), bytes.clone());
    String encoded = Base64.getEncoder().encodeToString(bytes) + "?=";
    for (String prefix : List.of("=?UTF-8?B?", "=?utf-8?b?")) {
      assertThat(attempt("gruss", prefix + encoded).statusCode()).as(prefix).isEqualTo(200);
    }
    assertThat(attempt("gruss", "=?UTF-8?B?=").statusCode()).as("begun only").isEqualTo(401);

    // As curl sends it; clients of Java do not.
    String request =
        "POST /json/authenticate HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
            + "Content-Length: 0\r\nX-OpenAM-Username: gruss\r\nX-OpenAM-Password: "
            + password
            + "\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), authn.url().getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void loginByCallbacks() {
    JsonNode asked = json(authn.post("json/authenticate", "application/json", ""));
    assertThat(asked.path("callbacks").path(0).path("type").asString()).isEqualTo("NameCallback");
    String filled =
        """
        {"authId":"%s","callbacks":[
          {"type":"NameCallback","input":[{"name":"IDToken1","value":"ada"}]},
          {"type":"PasswordCallback","input":[{"name":"IDToken2","value":"%s"}]}]}
        """
            .formatted(asked.path("authId").asString(), RunningAuthn.PASSWORD);
    JsonNode answer = json(authn.post("json/authenticate", "application/json", filled));
    assertThat(authn.isGood(answer.path("tokenId").asString())).isTrue();
  }

  @Test
  void callbacksWithAStepThatNobodyBeganAreRefused() {
    String forged =
        "{\"authId\":\"n1.a.b.c\",\"callbacks\":[{\"input\":[{\"name\":\"IDToken1\","
            + "\"value\":\"x\"}]}]}";
    assertThat(authn.post("json/authenticate", "application/json", forged).statusCode())
        .isEqualTo(401);
  }

  @Test
  void wrongPasswordAndUnknownUserGetTheSameAnswer() {
    HttpResponse<String> wrong = attempt("bob", "not the password");
    HttpResponse<String> unknown = attempt("nobody", "not the password");
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(unknown.body()).isEqualTo(wrong.body());
  }

  private static HttpResponse<String> attempt(String user, String password) {
    return authn.send(
        HttpRequest.newBuilder(authn.url().resolve("json/authenticate"))
            .header("X-OpenAM-Username", user)
            .header("X-OpenAM-Password", password)
            .POST(HttpRequest.BodyPublishers.noBody()));
  }

  @Test
  void validationTellsWhoseItIs() {
    JsonNode answer = json(authn.validate(authn.login("ada")));
    assertThat(answer.path("valid").asBoolean()).isTrue();
    assertThat(answer.path("uid").asString()).isEqualTo("ada");
    assertThat(answer.path("realm").asString()).isEqualTo("/");
  }

  @Test
  void manyTokensAreValidatedAtOnceInTheirOrder() {
    String one = authn.login("ada");
    String other = authn.login("bob");
    authn.as(other, "POST", "json/sessions?_action=logout", "");
    JsonNode results =
        json(authn.post(
                "json/sessions?_action=validateAll",
                "application/json",
                "{\"tokenIds\":[\"%s\",\"%s\",\"rubbish\"]}".formatted(one, other)))
            .path("results");
    assertThat(results).hasSize(3);
    assertThat(results.path(0).path("uid").asString()).isEqualTo("ada");
    assertThat(results.path(1).path("valid").asBoolean(true)).isFalse();
    assertThat(results.path(2).path("valid").asBoolean(true)).isFalse();
  }

  @Test
  void moreTokensThanTheBatchAllowsAreRefusedWithOneLine() {
    String tokens = "\"x\",".repeat(SessionsApi.BATCH) + "\"x\"";
    HttpResponse<String> answer =
        authn.post(
            "json/sessions?_action=validateAll",
            "application/json",
            "{\"tokenIds\":[" + tokens + "]}");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).path("message").asString()).contains("" + SessionsApi.BATCH);
  }

  @Test
  void logoutEndsTheSessionEverywhereOnThisNodeAtOnce() {
    String token = authn.login("ada");
    assertThat(authn.as(token, "POST", "json/sessions?_action=logout", "").statusCode())
        .isEqualTo(200);
    assertThat(authn.isGood(token)).isFalse();
    assertThat(authn.as(token, "POST", "json/sessions?_action=getSessionInfo", "").statusCode())
        .isEqualTo(401);
  }

  @Test
  void logoutOfAllEndsTheOthersToo() {
    authn.user("carol");
    String one = authn.login("carol");
    String other = authn.login("carol");
    assertThat(authn.as(one, "POST", "json/sessions?_action=logoutAll", "").statusCode())
        .isEqualTo(200);
    assertThat(authn.isGood(one)).isFalse();
    assertThat(authn.isGood(other)).isFalse();
  }

  @Test
  void sessionInfoSaysHowLongItLastsAndRefreshIsAUse() {
    String token = authn.login("ada");
    JsonNode info = json(authn.as(token, "POST", "json/sessions?_action=getSessionInfo", ""));
    assertThat(info.path("username").asString()).isEqualTo("ada");
    assertThat(info.path("maxSessionExpirationTime").asString()).isNotEmpty();
    assertThat(
            json(authn.as(token, "POST", "json/sessions?_action=refresh", ""))
                .path("username")
                .asString())
        .isEqualTo("ada");
  }

  @Test
  void ownSessionsAreListedWithoutTheirTokens() {
    String token = authn.login("ada");
    // With persistence best-effort a login is answered before its record is written.
    Eventually.holds(
        "the session is listed",
        () -> !json(authn.as(token, "GET", "json/sessions", "")).path("sessions").isEmpty());
    assertThat(authn.as(token, "GET", "json/sessions", "").body()).doesNotContain("v1.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v1",
        "v1...",
        "v2.a.b.c",
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.",
        "v1.a.AAAA.AAAA",
        "\u0000",
        "v1.0.%00.x"
      })
  void whatIsNoTokenIsNotValidAndBreaksNothing(String token) {
    HttpResponse<String> answer =
        authn.post(
            "json/sessions?_action=validate",
            "application/json",
            "{\"tokenId\":\"" + token.replace("\u0000", "\\u0000") + "\"}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(json(answer).path("valid").asBoolean(true)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 40})
  void truncatedTokensAreNotValid(int cut) {
    String token = authn.login("ada");
    assertThat(authn.isGood(token.substring(0, token.length() - cut))).isFalse();
  }

  @Test
  void aTokenOfAnotherInstallationIsNotValid(@TempDir Path elsewhere) {
    try (var other = RunningAuthn.start(elsewhere, Map.of()).user("ada")) {
      String token = other.login("ada");
      assertThat(other.isGood(token)).isTrue();
      assertThat(authn.isGood(token)).isFalse();
    }
  }

  @Test
  void bodyOverHttp2ThatDoesNotSayHowLongItIsIsRead(@TempDir Path elsewhere) throws Exception {
    var authority = ThrowAwayAuthority.in(elsewhere.resolve("authority"), Clock.systemUTC());
    Path state = elsewhere.resolve("authn");
    try (var other =
            RunningAuthn.overTls(state, authority, Map.of("staithe.http2", true)).user("ada");
        HttpClient client = HttpClient.newBuilder().sslContext(authority.clientContext()).build()) {
      String body = "{\"tokenId\":\"" + other.login("ada") + "\"}";
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(other.url().resolve("json/sessions?_action=validate"))
                  .timeout(Eventually.LONGEST)
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.fromPublisher(
                          HttpRequest.BodyPublishers.ofString(body)))
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(json(answer).path("valid").asBoolean(false)).isTrue();
    }
  }

  @Test
  void bodiesThatAreTooLargeAreRefusedBeforeTheyAreRead() {
    String large = "{\"tokenId\":\"" + "x".repeat(2_000_000) + "\"}";
    assertThat(authn.post("json/sessions?_action=validate", "application/json", large).statusCode())
        .isEqualTo(413);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{", "null", "\"x\"", "{\"tokenId\":"})
  void bodiesThatAreNoObjectGetOneLine(String body) {
    HttpResponse<String> answer =
        authn.post("json/sessions?_action=validate", "application/json", body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).path("message").asString()).isEqualTo("the body is not a JSON object");
  }

  @Test
  void otherMethodsAndActionsSayWhatThereIs() {
    assertThat(authn.as("x", "PUT", "json/sessions", "").statusCode()).isEqualTo(405);
    HttpResponse<String> answer = authn.as("x", "POST", "json/sessions?_action=fly", "");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("validateAll");
  }

  @Test
  void tokenWithAChangedCharacterAnywhereIsNotValid() {
    String token = authn.login("ada");
    for (int i = 0; i < token.length(); i++) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      String changed = token.substring(0, i) + other + token.substring(i + 1);
      assertThat(authn.isGood(changed)).as("character %s", i).isFalse();
    }
  }

  @Test
  void tokenIsReplayedInVainAfterItsLogoutInEveryWayThatATokenIsShown() {
    String token = authn.login("ada");
    authn.rest().logout(token);
    assertThat(authn.isGood(token)).isFalse();
    assertThat(authn.as(token, "GET", "json/sessions", "").statusCode()).isEqualTo(401);
    assertThat(authn.as(token, "POST", "json/sessions?_action=refresh", "").statusCode())
        .isEqualTo(401);
    assertThat(authn.as(token, "POST", "json/sessions?_action=logoutAll", "").statusCode())
        .isEqualTo(401);
    assertThat(authn.as(token, "POST", "json/code?_action=begin", "").statusCode()).isEqualTo(401);
    // A second logout is no failure: whoever asks wants it ended.
    assertThat(authn.rest().logout(token).statusCode()).isEqualTo(200);
  }

  @Test
  void headersThatAreTooLargeAreRefused() {
    HttpResponse<String> answer =
        authn.send(
            HttpRequest.newBuilder(authn.url().resolve("json/sessions?_action=validate"))
                .header("Authorization", "Bearer " + "x".repeat(100_000))
                .POST(HttpRequest.BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(431);
  }

  /** As docs/authn-service.md has it. */
  @ParameterizedTest
  @CsvSource({
    "identity/authenticate,16",
    "identity/isTokenValid,16",
    "identity/logout,16",
    "json/authenticate,16",
    "json/realms/root/authenticate,16",
    "json/tokens,16",
    "json/code?_action=begin,16",
    "json/grants?_action=end,16",
    "json/sessions?_action=validateAll,1200",
  })
  void bodiesHaveTheDocumentedSizeAndNoByteMore(String path, int kilobytes) {
    String most = "x".repeat(kilobytes * 1024);
    assertThat(authn.post(path, "application/json", most).statusCode()).isIn(200, 400, 401);
    assertThat(authn.post(path, "application/json", most + "x").statusCode()).isEqualTo(413);
  }

  @Test
  void passwordInAnAddressIsRefusedUnread() {
    HttpResponse<String> answer =
        authn.send(
            HttpRequest.newBuilder(
                authn
                    .url()
                    .resolve(
                        "identity/authenticate?username=ada&password="
                            + RunningAuthn.PASSWORD.replace(' ', '+'))));
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).contains("POST");
  }

  @Test
  void cookieIsNoTokenForPrograms() {
    HttpResponse<String> answer =
        authn.send(
            HttpRequest.newBuilder(authn.url().resolve("json/sessions?_action=getSessionInfo"))
                .header("Cookie", "staithe_session=" + authn.login("ada"))
                .POST(HttpRequest.BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(400);
  }

  @Test
  void everyLoginAndLogoutIsInTheAuditLogWithoutASecret() throws IOException {
    String token = authn.login("bob");
    authn.as(token, "POST", "json/sessions?_action=logout", "");
    attempt("bob", "a secret guess");
    String audit = Files.readString(folder.resolve("audit.log"));
    assertThat(audit.lines())
        .anyMatch(line -> line.contains("\"event\":\"login\"") && line.contains("\"accepted\""))
        .anyMatch(line -> line.contains("\"event\":\"session.end\"") && line.contains("\"ok\""))
        .anyMatch(line -> line.contains("\"refused\"") && line.contains("wrong_password"));
    assertThat(audit)
        .doesNotContain(token)
        .doesNotContain(RunningAuthn.PASSWORD)
        .doesNotContain("a secret guess");
  }

  @Test
  void metricsHaveWhatOneWouldBeWokenFor() {
    String metrics =
        authn.send(HttpRequest.newBuilder(authn.url().resolve(".staithe/metrics")).GET()).body();
    assertThat(metrics)
        .contains("staithe_revocation_lag_seconds")
        .contains("staithe_revocation_set_size")
        .contains("staithe_hash_queued")
        .contains("staithe_logins_total{outcome=\"accepted\"}");
  }
}
