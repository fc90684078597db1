package dev.staithe.authn.admin;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.session.SessionOpening;
import dev.staithe.authn.session.Sessions;
import dev.staithe.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Administration by REST: who may, what it does, and that each step is in the audit log. */
final class AdministrationTests {
  @TempDir private static Path folder;
  private static RunningAuthn authn;
  private static String administrator;

  @BeforeAll
  static void start() {
    authn =
        RunningAuthn.start(folder, Map.of())
            .user("root1", "/staithe/administrators")
            .user("nobody1");
    administrator = authn.login("root1");
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  private static HttpResponse<String> admin(String method, String path, String body) {
    return authn.as(administrator, method, path, body);
  }

  private static void inAudit(String event, String outcome, String subject) {
    try {
      assertThat(Files.readString(folder.resolve("audit.log")).lines())
          .anyMatch(
              line ->
                  line.contains("\"event\":\"" + event + "\"")
                      && line.contains("\"" + outcome + "\"")
                      && line.contains("\"administrator\":\"root1\"")
                      && line.contains("\"" + subject + "\""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET,admin/users",
    "POST,admin/users",
    "PATCH,admin/users/root1",
    "PUT,admin/users/root1/password",
    "DELETE,admin/users/root1",
    "DELETE,admin/users/root1/sessions",
    "DELETE,admin/users/root1/code",
    "GET,admin/groups",
    "POST,admin/groups/members",
    "DELETE,admin/groups/members?group=/a&user=root1",
    "GET,admin/clients",
    "POST,admin/clients",
    "PATCH,admin/clients/x",
    "POST,admin/clients/x/secret",
    "DELETE,admin/clients/x",
    "GET,admin/sessions",
    "DELETE,admin/sessions",
    "DELETE,admin/sessions/x",
    "GET,admin/grants?user=root1",
    "DELETE,admin/grants/x"
  })
  void onlyMembersWithABearerMay(String method, String path) {
    String body = method.startsWith("P") ? "{}" : "";
    var withoutToken =
        HttpRequest.newBuilder(authn.url().resolve(path))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    assertThat(authn.send(withoutToken.copy()).statusCode()).isEqualTo(401);
    HttpResponse<String> byCookie =
        authn.send(
            withoutToken.header(
                "Cookie",
                "staithe_session=%1$s; __Host-staithe=%1$s; iPlanetDirectoryPro=%1$s"
                    .formatted(administrator)));
    assertThat(byCookie.statusCode()).isEqualTo(401);
    assertThat(authn.as(administrator + "x", method, path, body).statusCode()).isEqualTo(401);
    assertThat(authn.as(authn.login("nobody1"), method, path, body).statusCode()).isEqualTo(403);
    assertThat(authn.isGood(administrator)).as("nothing was done").isTrue();
  }

  /** As curl sends it where it is told no type. */
  @Test
  void bodyThatIsSaidToBeNoJsonIsRefusedInOneLine() {
    HttpResponse<String> answer =
        authn.send(
            HttpRequest.newBuilder(authn.url().resolve("admin/groups/members"))
                .header("Authorization", "Bearer " + administrator)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("{\"user\":\"nobody1\"}")));

    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(json(answer).path("message").asString(""))
        .isEqualTo("the body is to be application/json");
  }

  @Test
  void refusalsAreInTheAuditLog() throws IOException {
    authn.as(authn.login("nobody1"), "DELETE", "admin/users/root1", "");
    assertThat(Files.readString(folder.resolve("audit.log")).lines())
        .anyMatch(
            line ->
                line.contains("\"event\":\"administration\"")
                    && line.contains("refused")
                    && line.contains("nobody1")
                    && line.contains("/admin/users/root1"));
  }

  @Test
  void whoeverIsRenamedLogsInUnderTheNewNameAlone() {
    authn.user("maiden").user("taken");
    String session = authn.login("maiden");
    String subject =
        json(admin("GET", "admin/users/maiden", "")).path("subject").asString("no subject");
    assertThat(admin("PATCH", "admin/users/maiden", "{\"name\":\"taken\"}").statusCode())
        .isEqualTo(409);
    assertThat(authn.isGood(session)).isTrue();
    assertThat(
            admin("PATCH", "admin/users/maiden", "{\"name\":\"married\",\"mail\":\"none\"}")
                .statusCode())
        .isEqualTo(400);
    assertThat(authn.isGood(session)).isTrue();
    HttpResponse<String> renamed = admin("PATCH", "admin/users/maiden", "{\"name\":\"married\"}");
    assertThat(renamed.statusCode()).as(renamed.body()).isEqualTo(200);
    assertThat(json(renamed).path("subject").asString("")).isEqualTo(subject);
    assertThat(authn.isGood(session)).isFalse();
    assertThat(authn.isGood(authn.login("married"))).isTrue();
    assertThat(authn.rest().attempt("maiden", RunningAuthn.PASSWORD).statusCode()).isEqualTo(401);
    inAudit("user.rename", "name=married", "maiden");
  }

  @Test
  void newUserInheritsNoSessionOfANamesakeOfTheDirectory() {
    SessionOpening opening =
        authn.bean(Sessions.class).open("namesake", Assurance.PASSWORD, "127.0.0.1", "test");
    String before = ((SessionOpening.Opened) opening).token();
    assertThat(authn.isGood(before)).isTrue();

    HttpResponse<String> made =
        admin(
            "POST",
            "admin/users",
            "{\"name\":\"namesake\",\"password\":\"%s\"}".formatted(RunningAuthn.PASSWORD));

    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    assertThat(authn.isGood(before)).isFalse();
    assertThat(authn.isGood(authn.login("namesake"))).isTrue();
  }

  @Test
  void whoIsNoLongerAMemberMayNothingAnyMore() {
    authn.user("former", "/staithe/administrators");
    String token = authn.login("former");
    assertThat(authn.as(token, "GET", "admin/users", "").statusCode()).isEqualTo(200);
    admin("DELETE", "admin/groups/members?group=/staithe/administrators&user=former", "");
    assertThat(authn.as(token, "GET", "admin/users", "").statusCode()).isEqualTo(403);
  }

  @Test
  void lifeOfAUser() {
    String password = RunningAuthn.PASSWORD;
    HttpResponse<String> made =
        admin(
            "POST",
            "admin/users",
            "{\"name\":\"ada\",\"displayName\":\"Ada\",\"groups\":[\"/a\"],\"password\":\"%s\"}"
                .formatted(password));
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    assertThat(made.body()).doesNotContain(password, "argon");
    inAudit("user.create", "ok", "ada");
    inAudit("user.create", "groups=/a", "ada");
    assertThat(admin("POST", "admin/users", "{\"name\":\"ada\"}").statusCode()).isEqualTo(409);
    assertThat(admin("POST", "admin/users", "{\"name\":\"a b\"}").statusCode()).isEqualTo(400);
    assertThat(admin("POST", "admin/users", "{").statusCode()).isEqualTo(400);
    assertThat(json(admin("GET", "admin/users/ada", "")).path("displayName").asString(""))
        .isEqualTo("Ada");
    String subject = json(made).path("subject").asString("");
    assertThat(subject).hasSize(36);
    assertThat(json(admin("GET", "admin/users/" + subject, "")).path("name").asString(""))
        .as("whom a service means by the subject of a token")
        .isEqualTo("ada");
    assertThat(admin("GET", "admin/users?limit=1000", "").body()).contains("\"ada\"");

    String token = authn.login("ada");
    admin("PATCH", "admin/users/ada", "{\"enabled\":false}");
    inAudit("user.change", "ok", "ada");
    inAudit("user.change", "enabled=false", "ada");
    inAudit("user.logout", "ok", "ada");
    // Who makes an administrator of somebody has done more than change a name.
    admin(
        "PATCH",
        "admin/users/ada",
        "{\"groups\":[\"/staithe/administrators\",\"/a\"],\"displayName\":\"Ada L.\"}");
    inAudit("user.change", "groups=/a,/staithe/administrators displayName", "ada");
    assertThat(authn.isGood(token)).isFalse();
    assertThat(authn.rest().attempt("ada", password).statusCode()).isEqualTo(401);
    admin("PATCH", "admin/users/ada", "{\"enabled\":true}");
    token = authn.login("ada");

    HttpResponse<String> set =
        admin("PUT", "admin/users/ada/password", "{\"password\":\"quite another one\"}");
    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    inAudit("user.password", "ok", "ada");
    assertThat(authn.isGood(token)).isFalse();
    assertThat(authn.rest().attempt("ada", password).statusCode()).isEqualTo(401);
    token = authn.rest().login("ada", "quite another one");

    assertThat(admin("DELETE", "admin/users/ada/sessions", "").statusCode()).isLessThan(300);
    assertThat(authn.isGood(token)).isFalse();
    admin("DELETE", "admin/users/ada/code", "");
    admin("DELETE", "admin/users/ada", "");
    inAudit("user.delete", "ok", "ada");
    assertThat(admin("GET", "admin/users/ada", "").statusCode()).isEqualTo(404);
  }

  @Test
  void passwordsAreNotInTheLogs() throws IOException {
    admin("POST", "admin/users", "{\"name\":\"pw\",\"password\":\"unmistakable password\"}");
    admin("PUT", "admin/users/pw/password", "{\"password\":\"unmistakable password\"}");
    assertThat(Files.readString(folder.resolve("audit.log")))
        .doesNotContain("unmistakable", administrator);
    assertThat(Files.readString(folder.resolve("access.log")))
        .doesNotContain("unmistakable", administrator);
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE,admin/groups/members?group=/g,user is missing",
    "GET,admin/users?limit=many,limit is not of the kind that is expected here"
  })
  void wrongParameterIsNamedInOneLine(String method, String path, String said) {
    HttpResponse<String> refused = admin(method, path, "");

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(json(refused).toString()).contains(said);
  }

  /** PostgreSQL takes no NUL, and that was answered as if the store were down. */
  @ParameterizedTest
  @CsvSource({
    "GET,admin/users?group=/g%00",
    "GET,admin/users?after=a%00",
    "GET,admin/grants?user=a%00",
    "GET,admin/sessions?user=a%00",
    "DELETE,admin/groups/members?group=/g%00&user=root1"
  })
  void whatCanBeNoNameAndNoGroupIsRefusedBeforeTheStoreIsAsked(String method, String path) {
    HttpResponse<String> refused = admin(method, path, "");

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
  }

  @Test
  void sessionsOfWhatCanBeNoNameAreNotSaidToEndSoon() {
    HttpResponse<String> refused =
        admin("DELETE", "admin/users/" + "x".repeat(65) + "/sessions", "");

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(404);
  }

  @Test
  void clientWhoseNameHasAControlCharacterIsNotRegistered() {
    HttpResponse<String> refused =
        admin(
            "POST",
            "admin/clients",
            """
            {"id":"nul","displayName":"a\\u0000b","grants":["client_credentials"]}
            """);

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "POST|admin/users|{'name':'hollow','groups':[null]}",
        "PATCH|admin/users/root1|{'groups':['/g/one',null]}",
        "POST|admin/clients|{'id':'hollow','grants':[null]}",
        "POST|admin/clients|{'id':'hollow','grants':['client_credentials'],'scopes':[null]}"
      })
  void listWithNullInItIsNotTheJsonThatIsExpected(String method, String path, String body) {
    HttpResponse<String> refused = admin(method, path, body.replace('\'', '"'));

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
  }

  @Test
  void sessionsAreFoundByEachSpellingOfAName() {
    authn.user("spelled");
    authn.login("spelled");

    Eventually.holds("they are listed", () -> !sessionsOf("Spelled").isEmpty());
  }

  @Test
  void groups() {
    authn.user("member");
    assertThat(
            admin("POST", "admin/groups/members", "{\"group\":\"/g/one\",\"user\":\"member\"}")
                .statusCode())
        .isEqualTo(200);
    inAudit("group.add /g/one", "ok", "member");
    assertThat(admin("GET", "admin/groups", "").body()).contains("\"/g/one\"");
    assertThat(admin("GET", "admin/users?group=/g/one", "").body()).contains("\"member\"");
    assertThat(
            admin("POST", "admin/groups/members", "{\"group\":\"g\",\"user\":\"member\"}")
                .statusCode())
        .isEqualTo(400);
    admin("DELETE", "admin/groups/members?group=/g/one&user=member", "");
    inAudit("group.remove /g/one", "ok", "member");
    assertThat(admin("GET", "admin/users?group=/g/one", "").body()).doesNotContain("\"member\"");
  }

  @Test
  void clients() {
    String draft =
        """
        {"id":"robot","grants":["client_credentials"],"scopes":["openid"]}
        """;
    HttpResponse<String> made = admin("POST", "admin/clients", draft);
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    String secret = json(made).path("secret").asString("");
    assertThat(secret).isNotEmpty();
    inAudit("client.create", "done", "robot");
    assertThat(admin("POST", "admin/clients", draft).statusCode()).isEqualTo(409);
    assertThat(admin("POST", "admin/clients", "{\"grants\":[\"magic\"]}").statusCode())
        .isEqualTo(400);
    assertThat(admin("GET", "admin/clients", "").body()).contains("robot").doesNotContain(secret);
    assertThat(json(admin("POST", "admin/clients/robot/secret", "")).path("secret").asString(""))
        .isNotEmpty()
        .isNotEqualTo(secret);
    inAudit("client.secret", "done", "robot");
    assertThat(admin("DELETE", "admin/clients/robot", "").statusCode()).isLessThan(300);
    inAudit("client.delete", "deleted", "robot");
    assertThat(admin("DELETE", "admin/clients/robot", "").statusCode()).isEqualTo(404);
  }

  @Test
  void changeOfAClientTouchesOnlyWhatItNamesAndNeverItsSecret() {
    String draft =
        """
        {"id":"portal","grants":["client_credentials"],"scopes":["openid","wlcg"],
         "audiences":["https://one.example"],"accessLifetime":"PT10M"}
        """;
    JsonNode before = json(admin("POST", "admin/clients", draft));
    String secret = before.path("secret").asString("");
    assertThat(secret).isNotEmpty();

    HttpResponse<String> changed =
        admin("PATCH", "admin/clients/portal", "{\"scopes\":[\"wlcg\"],\"consent\":false}");

    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    for (String field : before.propertyNames()) {
      JsonNode after = json(changed).path(field);
      switch (field) {
        case "secret" -> assertThat(after.isMissingNode()).as("not shown again").isTrue();
        case "scopes" -> assertThat(after.toString()).isEqualTo("[\"wlcg\"]");
        case "consent" -> assertThat(after.asBoolean()).isFalse();
        default -> assertThat(after).as(field).isEqualTo(before.path(field));
      }
    }
    inAudit("client.change", "done", "portal");
    assertThat(tokenFor("portal", secret, "openid")).as("no longer its scope").isEqualTo(400);
    assertThat(tokenFor("portal", secret, "wlcg")).as("with its secret of before").isEqualTo(200);
  }

  @Test
  void changesOfAClientAtTheSameTimeAreAllKept() throws Exception {
    admin("POST", "admin/clients", "{\"id\":\"shared\",\"grants\":[\"client_credentials\"]}");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 1; i <= 30; i++) {
        String name = "{\"displayName\":\"of round %d\"}".formatted(i);
        String lifetime = "{\"accessLifetime\":\"PT%dM\"}".formatted(i);
        List<Callable<HttpResponse<String>>> changes =
            List.of(
                () -> admin("PATCH", "admin/clients/shared", name),
                () -> admin("PATCH", "admin/clients/shared", lifetime));
        for (Future<HttpResponse<String>> change : threads.invokeAll(changes)) {
          assertThat(change.get().statusCode()).isEqualTo(200);
        }
        JsonNode after = json(admin("PATCH", "admin/clients/shared", "{}"));
        assertThat(after.path("displayName").asString("")).isEqualTo("of round " + i);
        assertThat(after.path("accessLifetime").asString("")).isEqualTo("PT" + i + "M");
      }
    }
  }

  @Test
  void clientIsRegisteredAndChangedToNeedNoPkce() {
    String draft =
        """
        {"id":"old","grants":["authorization_code"],"redirectUris":["https://old.example/cb"],
         "scopes":["openid"],"proofKey":%s}
        """;
    assertThat(json(admin("POST", "admin/clients", draft.formatted(false))).path("proofKey"))
        .hasToString("false");
    assertThat(admin("GET", "admin/clients", "").body()).contains("\"proofKey\":false");
    String on = "{\"proofKey\":true}";
    assertThat(json(admin("PATCH", "admin/clients/old", on)).path("proofKey")).hasToString("true");
    // Without a say it is as safe as can be.
    admin("DELETE", "admin/clients/old", "");
    assertThat(
            json(admin("POST", "admin/clients", draft.replace(",\"proofKey\":%s", "")))
                .path("proofKey"))
        .hasToString("true");
    String off = "{\"proofKey\":false}";
    assertThat(json(admin("PATCH", "admin/clients/old", off)).path("proofKey"))
        .hasToString("false");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"open\":true}",
        "{\"id\":\"other\"}",
        "{\"grants\":[]}",
        "{\"grants\":[\"magic\"]}",
        "{\"accessLifetime\":\"P1D\"}",
        "{\"redirectUris\":[\"http://far.example/cb\"]}",
        "{"
      })
  void clientIsNotChangedToWhatCouldNotBeRegistered(String change) {
    admin("POST", "admin/clients", "{\"id\":\"firm\",\"grants\":[\"client_credentials\"]}");
    String before = admin("GET", "admin/clients", "").body();
    assertThat(admin("PATCH", "admin/clients/firm", change).statusCode()).isEqualTo(400);
    assertThat(admin("PATCH", "admin/clients/nobody", "{}").statusCode()).isEqualTo(404);
    assertThat(admin("GET", "admin/clients", "").body()).isEqualTo(before);
  }

  private static int tokenFor(String client, String secret, String scope) {
    String basic =
        Base64.getEncoder()
            .encodeToString((client + ":" + secret).getBytes(StandardCharsets.US_ASCII));
    return authn
        .send(
            HttpRequest.newBuilder(authn.url().resolve("oauth2/token"))
                .header("Authorization", "Basic " + basic)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "grant_type=client_credentials&scope=" + scope)))
        .statusCode();
  }

  @Test
  void sessionsOfOthersAreListedWithoutTokensAndEnded() {
    authn.user("seen");
    String token = authn.login("seen");
    // A record may be written a moment after its login was answered.
    Eventually.holds("it is listed", () -> sessionsOf("seen").size() == 1);
    assertThat(admin("GET", "admin/sessions?user=seen", "").body()).doesNotContain(token, "v1.");
    String id = sessionsOf("seen").path(0).path("id").asString("");
    assertThat(admin("DELETE", "admin/sessions/" + id, "").statusCode()).isLessThan(300);
    inAudit("session.end", "ended", id);
    assertThat(authn.isGood(token)).isFalse();
    assertThat(admin("DELETE", "admin/sessions/rubbish", "").statusCode()).isEqualTo(404);
  }

  private static JsonNode sessionsOf(String name) {
    return json(admin("GET", "admin/sessions?user=" + name, "")).path("sessions");
  }

  @Test
  void endOfAllSessionsIsThatOfEverybodyAlsoOnesOwn(@TempDir Path other) {
    try (var elsewhere =
        RunningAuthn.start(other, Map.of()).user("root1", "/staithe/administrators").user("x")) {
      String own = elsewhere.login("root1");
      String token = elsewhere.login("x");
      assertThat(elsewhere.as(own, "DELETE", "admin/sessions", "").statusCode()).isLessThan(300);
      assertThat(elsewhere.isGood(token)).isFalse();
      assertThat(elsewhere.isGood(own)).isFalse();
      assertThat(elsewhere.isGood(elsewhere.login("x"))).isTrue();
    }
  }
}
