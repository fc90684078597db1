package dev.staithe.authn.rest;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.users.JdbcUsers;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserChange;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Programs written for OpenAM, at its own addresses. */
final class OpenamTests {
  private static final String FORM = "application/x-www-form-urlencoded";

  @TempDir private static Path folder;
  private static RunningAuthn authn;

  @BeforeAll
  static void start() {
    authn = RunningAuthn.start(folder, Map.of()).user("ada", "/physics", "/vo").user("gone");
    authn
        .bean(UserAdministration.class)
        .change("ada", new UserChange("Ada Lovelace", "ada@example.org", null, null));
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  private static HttpResponse<String> get(String path) {
    return authn.rest().get(path);
  }

  private static JsonNode idOf(String token) {
    return json(
        authn.send(
            HttpRequest.newBuilder(authn.url().resolve("json/users?_action=idFromSession"))
                .header("iPlanetDirectoryPro", token)
                .POST(HttpRequest.BodyPublishers.noBody())));
  }

  @Test
  void programThatKnowsOpenamsAddressesNeedsAnotherHostAlone() {
    String token =
        authn
            .post(
                "openam/identity/authenticate",
                FORM,
                "username=ada&password=correct%20horse%20battery")
            .body()
            .replace("token.id=", "")
            .strip();
    assertThat(get("openam/identity/isTokenValid?tokenid=" + token).body())
        .isEqualTo("boolean=true\n");
    assertThat(
            authn
                .as(token, "POST", "openam/json/realms/root/sessions?_action=getSessionInfo", "")
                .body())
        .contains("\"username\":\"ada\"");
    assertThat(authn.post("openam/json/authenticate", "application/json", "").body())
        .contains("NameCallback");
    assertThat(authn.post("openam/identity/logout", FORM, "subjectid=" + token).statusCode())
        .isEqualTo(200);
    assertThat(authn.isGood(token)).isFalse();
  }

  /** A proxy may let others in there than at the rest. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "openam/json/tokens",
        "openam/json/code?_action=begin",
        "openam/json/grants",
        "openam/admin/users",
        "openam/openam/json/sessions?_action=getSessionInfo",
        "openam/oauth2/token"
      })
  void whatOpenamHasNotIsNotBelowItsAddress(String path) {
    assertThat(authn.as(authn.login("ada"), "POST", path, "").statusCode()).isIn(403, 404);
  }

  @Test
  void attributesAreThoseOfTheTokensUser() {
    String token = authn.login("ada");
    HttpResponse<String> all = get("identity/attributes?subjectid=" + token);
    assertThat(all.statusCode()).isEqualTo(200);
    assertThat(all.body().lines())
        .containsExactly(
            "userdetails.token.id=" + token,
            "userdetails.role=/physics",
            "userdetails.role=/vo",
            "userdetails.attribute.name=uid",
            "userdetails.attribute.value=ada",
            "userdetails.attribute.name=cn",
            "userdetails.attribute.value=Ada Lovelace",
            "userdetails.attribute.name=mail",
            "userdetails.attribute.value=ada@example.org",
            "userdetails.attribute.name=inetUserStatus",
            "userdetails.attribute.value=Active");
    assertThat(
            authn
                .post(
                    "identity/attributes",
                    FORM,
                    "attributenames=uid&attributenames=mail&subjectid=" + token)
                .body())
        .contains("ada@example.org", "uid")
        .doesNotContain("Lovelace");
  }

  @Test
  void tokenThatIsNotGoodTellsNothing() {
    String ended = authn.login("gone");
    authn.rest().logout(ended);
    for (String token : new String[] {ended, "nonsense", ended + "x"}) {
      HttpResponse<String> answer = get("identity/attributes?subjectid=" + token);
      assertThat(answer.statusCode()).isEqualTo(401);
      assertThat(answer.body()).doesNotContain("userdetails");
      assertThat(idOf(token).path("code").asInt()).isEqualTo(401);
    }
    assertThat(get("identity/attributes").statusCode()).isEqualTo(400);
  }

  @Test
  void idFromSessionNamesTheUser() throws Exception {
    String token = authn.login("ada");
    JsonNode answer = idOf(token);
    assertThat(answer.path("id").asString("")).isEqualTo("ada");
    assertThat(answer.path("realm").asString("")).isEqualTo("/");
    assertThat(answer.path("sub").asString(""))
        .as("which no namesake of later has")
        .isEqualTo(authn.bean(JdbcUsers.class).find("ada").orElseThrow().subject())
        .isNotEqualTo("ada");
    assertThat(authn.as(token, "POST", "json/users?_action=create", "{}").statusCode())
        .isEqualTo(400);
  }

  @Test
  void cookieIsNamedAsTheHeader() {
    assertThat(get("identity/getCookieNameForToken").body())
        .isEqualTo("string=iPlanetDirectoryPro\n");
    assertThat(get("openam/identity/getCookieNamesToForward").body())
        .isEqualTo("string=iPlanetDirectoryPro\n");
  }

  @Test
  void sessionIsReadAndPutOffByTheNewerName() {
    assertThat(
            authn
                .as(
                    authn.login("ada"),
                    "POST",
                    "json/sessions?_action=getSessionInfoAndResetIdleTime",
                    "")
                .statusCode())
        .isEqualTo(200);
  }

  /** There are no policies here: nobody is to take a page that says so for a permission. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "identity/authorize?uri=http://x/&action=GET&subjectid=",
        "openam/identity/authorize?uri=http://x/&action=GET&subjectid="
      })
  void authorizeIsNotHere(String path) {
    HttpResponse<String> answer = get(path + authn.login("ada"));
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).doesNotContain("boolean=true");
  }
}
