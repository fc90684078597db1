package dev.staithe.authn.rest;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserChange;
import dev.staithe.testkit.Trials;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
    grants.put("staithe.tokens.grants[2].to", "group:/ops");
    int all = 0;
    for (String name : List.of("read", "create", "modify", "stage", "poll")) {
      grants.put("staithe.tokens.grants[2].scopes[" + all++ + "]", "storage." + name + ":/");
    }
    grants.put("staithe.tokens.second-factor-scopes[0]", "storage.modify:/physics");
    grants.put("staithe.tokens.second-factor-scopes[1]", "storage.read:/secret/");
    authn =
        RunningAuthn.start(folder, grants)
            .user("ada", "/physics")
            .user("bob")
            .user("oskar", "/ops");
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
    assertThat(claims.path("sub").asString(""))
        .as("says nothing of the name, and always the same")
        .hasSize(36)
        .isEqualTo(
            claims(json(ask(authn.login("ada"), "openid")).path("access_token").asString(""))
                .path("sub")
                .asString(""));
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "storage.modify:/",
        "storage.create:/",
        "storage.create:/physics/run1",
        "storage.modify:/%70hysics",
        "storage.read:/other storage.modify:/",
        "storage.read:/",
        "storage.read:/secret",
        "storage.stage:/secret/x"
      })
  void scopeThatContainsWhatIsProtectedNeedsTheSecondFactor(String scope) {
    HttpResponse<String> answer = ask(authn.login("oskar"), scope);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    assertThat(answer.body()).contains("one-time code");
  }

  /** Random requests; what is given is read as a storage service reads it. */
  @Test
  void noTokenWithoutTheSecondFactorPermitsAProtectedPath() {
    var random = new Random(20261122);
    String session = authn.login("oskar");
    List<String> names = List.of("read", "create", "modify", "stage", "poll");
    List<String> paths =
        List.of("/", "/physics", "/physics/x", "/physicsx", "/secret", "/secret/x", "/secrets");
    int given = 0;
    int requests = 300;
    for (int i = 0; i < requests; i++) {
      var asked = new ArrayList<String>();
      for (int scopes = 1 + random.nextInt(3); scopes > 0; scopes--) {
        asked.add(
            "storage."
                + names.get(random.nextInt(names.size()))
                + ":"
                + paths.get(random.nextInt(paths.size())));
      }
      HttpResponse<String> answer = ask(session, String.join(" ", asked));
      if (answer.statusCode() == 200) {
        given++;
        String token = json(answer).path("access_token").asString("");
        for (String scope : claims(token).path("scope").asString("").split(" ")) {
          String path = scope.substring(scope.indexOf(':') + 1);
          boolean writes = scope.matches("storage\\.(create|modify):.*");
          boolean reads = scope.matches("storage\\.(read|stage):.*");
          boolean all = path.equals("/");
          assertThat(writes && (all || (path + "/").startsWith("/physics/")))
              .as("%s for %s", scope, asked)
              .isFalse();
          assertThat(reads && (all || (path + "/").startsWith("/secret/")))
              .as("%s for %s", scope, asked)
              .isFalse();
        }
      } else {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
      }
    }
    assertThat(given).isPositive();
    Trials.held(requests);
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
