package dev.staithe.authn.rest;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserChange;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code json/tokens}: who gets a WLCG token for what; and that none is taken for a session. */
final class TokensTests {
  @TempDir private static Path folder;
  private static RunningAuthn authn;

  @BeforeAll
  static void start() {
    Map<String, Object> grants = new LinkedHashMap<>();
    grants.put("staithe.tokens.grants[0].to", "group:/physics");
    grants.put("staithe.tokens.grants[0].scopes[0]", "storage.read:/physics");
    grants.put("staithe.tokens.grants[0].scopes[1]", "storage.modify:/physics/secret");
    grants.put("staithe.tokens.grants[1].to", "*");
    grants.put("staithe.tokens.grants[1].scopes[0]", "storage.modify:/home/{user}");
    grants.put("staithe.tokens.second-factor-scopes[0]", "storage.modify:/physics");
    authn = RunningAuthn.start(folder, grants).user("ada", "/physics").user("bob");
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  private static HttpResponse<String> ask(String token, String scope) {
    return authn.as(
        token,
        "POST",
        "json/tokens",
        "{\"scope\":\"%s\",\"audience\":\"https://storage.example.org\"}".formatted(scope));
  }

  private static JsonNode claims(String jwt) {
    return JsonMapper.shared()
        .readTree(
            new String(Base64.getUrlDecoder().decode(jwt.split("\\.")[1]), StandardCharsets.UTF_8));
  }

  @Test
  void scopeThatARuleGivesIsInTheTokenForThatAudience() {
    HttpResponse<String> answer =
        ask(authn.login("ada"), "storage.read:/physics/run1 storage.modify:/home/ada");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode claims = claims(json(answer).path("access_token").asString(""));
    assertThat(claims.path("sub").asString("")).isEqualTo("ada");
    assertThat(claims.path("scope").asString(""))
        .isEqualTo("storage.read:/physics/run1 storage.modify:/home/ada");
    assertThat(claims.path("aud").toString()).contains("https://storage.example.org");
    assertThat(claims.path("wlcg.ver").asString("")).isEqualTo("1.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "storage.read:/",
        "storage.read:/physicsx",
        "storage.read:/physics/../home",
        "storage.read:/physics/%2e%2e/home",
        "storage.read:/physics//..",
        "storage.create:/physics",
        "storage.modify:/home/adam",
        "storage.modify:/home",
        "storage.modify:/home/ada storage.read:/other",
        "admin",
        ""
      })
  void scopeThatNoRuleGivesIsRefusedAsAWhole(String scope) {
    HttpResponse<String> answer = ask(authn.login("ada"), scope);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
  }

  @Test
  void whoIsNotInTheGroupGetsNothingOfIt() {
    assertThat(ask(authn.login("bob"), "storage.read:/physics").statusCode()).isEqualTo(403);
  }

  @Test
  void scopeOfTheSecondFactorNeedsOne() {
    HttpResponse<String> answer = ask(authn.login("ada"), "storage.modify:/physics/secret");
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("one-time code");
  }

  @Test
  void disabledUserGetsNoneAlthoughTheSessionIsGood() {
    authn.user("carol", "/physics");
    String token = authn.login("carol");
    authn.bean(UserAdministration.class).change("carol", UserChange.enabled(false));
    assertThat(ask(token, "storage.read:/physics").statusCode()).isEqualTo(403);
  }

  @Test
  void endedAndForgedSessionsGetNone() {
    String token = authn.login("ada");
    authn.rest().logout(token);
    assertThat(ask(token, "storage.read:/physics").statusCode()).isEqualTo(401);
    assertThat(ask("v1.x.y.z", "storage.read:/physics").statusCode()).isEqualTo(401);
    assertThat(authn.post("json/tokens", "application/json", "{}").statusCode()).isEqualTo(400);
  }

  /** The confusion of one kind of token with another, and of one algorithm with another. */
  @Test
  void accessTokenIsNoSessionWhateverItsAlgorithmSays() {
    String jwt =
        json(ask(authn.login("ada"), "storage.read:/physics")).path("access_token").asString("");
    assertThat(jwt).isNotEmpty();
    String[] parts = jwt.split("\\.");
    for (String algorithm : new String[] {"none", "HS256"}) {
      String header =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(
                  "{\"alg\":\"%s\",\"typ\":\"JWT\"}"
                      .formatted(algorithm)
                      .getBytes(StandardCharsets.UTF_8));
      String confused = header + "." + parts[1] + "." + ("none".equals(algorithm) ? "" : parts[2]);
      assertThat(authn.isGood(confused)).isFalse();
      assertThat(authn.as(confused, "GET", "userinfo", "").statusCode()).isEqualTo(401);
    }
    assertThat(authn.isGood(jwt)).isFalse();
    assertThat(ask(jwt, "storage.read:/physics").statusCode()).isEqualTo(401);
    assertThat(authn.as(jwt, "GET", "admin/users", "").statusCode()).isEqualTo(401);
  }
}
