package dev.staithe.authn.rest;

import static dev.staithe.authn.RestClient.json;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.oauth.Codes;
import dev.staithe.authn.users.UserAdministration;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Logins in steps, with a second factor, in the wrong order and again. */
final class LoginStepsTests {
  private static final String TYPE = "application/json";

  @TempDir private static Path folder;
  private static RunningAuthn authn;

  @BeforeAll
  static void start() {
    authn = RunningAuthn.start(folder, Map.of("staithe.login.user.failures", 100));
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  private static final String BEGIN = "{\"password\":\"" + RunningAuthn.PASSWORD + "\"}";

  /** A user of their own for each test, with codes set up. */
  private record Enrolled(String name, String secret, List<String> recoveryCodes) {}

  private static Enrolled enrolled() {
    String name = "u" + UUID.randomUUID().toString().substring(0, 8);
    authn.user(name);
    String token = authn.login(name);
    String secret =
        json(authn.as(token, "POST", "json/code?_action=begin", BEGIN)).path("secret").asString("");
    HttpResponse<String> confirmed = confirm(token, Codes.now(secret, Clock.systemUTC()));
    assertThat(confirmed.statusCode()).as(confirmed.body()).isEqualTo(200);
    var codes = new java.util.ArrayList<String>();
    json(confirmed).path("recoveryCodes").forEach(each -> codes.add(each.asString("")));
    return new Enrolled(name, secret, codes);
  }

  private static HttpResponse<String> confirm(String token, String code) {
    return authn.as(token, "POST", "json/code?_action=confirm", "{\"code\":\"" + code + "\"}");
  }

  private static JsonNode begun() {
    return json(authn.post("json/authenticate", TYPE, ""));
  }

  private static HttpResponse<String> withPassword(String authId, String name) {
    return withPassword("json/authenticate", authId, name);
  }

  private static HttpResponse<String> withPassword(String path, String authId, String name) {
    return authn.post(
        path,
        TYPE,
        """
        {"authId":"%s","callbacks":[
          {"type":"NameCallback","input":[{"name":"IDToken1","value":"%s"}]},
          {"type":"PasswordCallback","input":[{"name":"IDToken2","value":"%s"}]}]}
        """
            .formatted(authId, name, RunningAuthn.PASSWORD));
  }

  private static HttpResponse<String> withCode(String authId, String code) {
    return authn.post(
        "json/authenticate",
        TYPE,
        """
        {"authId":"%s","callbacks":[
          {"type":"PasswordCallback","input":[{"name":"IDToken1","value":"%s"}]}]}
        """
            .formatted(authId, code));
  }

  @Test
  void codeIsAskedForAfterThePasswordAndGivesTheHigherAssurance() {
    Enrolled user = enrolled();
    JsonNode asked = json(withPassword(begun().path("authId").asString(""), user.name()));
    assertThat(asked.has("tokenId")).isFalse();
    assertThat(asked.path("callbacks").path(0).path("output").path(0).path("value").asString(""))
        .isEqualTo("One-time code");
    JsonNode answer =
        json(withCode(asked.path("authId").asString(""), user.recoveryCodes().getFirst()));
    JsonNode session = json(authn.validate(answer.path("tokenId").asString("")));
    assertThat(session.path("valid").asBoolean(false)).isTrue();
    assertThat(session.path("assurance").asInt()).isEqualTo(2);
  }

  @Test
  void replayedCodeIsRefusedAlsoInTheSameStep() {
    Enrolled user = enrolled();
    String step =
        json(withPassword(begun().path("authId").asString(""), user.name()))
            .path("authId")
            .asString("");
    // The code that confirmed the enrolment was used by that.
    String used = Codes.now(user.secret(), Clock.systemUTC());
    String recovery = user.recoveryCodes().getLast();
    assertThat(withCode(step, recovery).statusCode()).isEqualTo(200);
    assertThat(withCode(step, recovery).statusCode()).isEqualTo(401);
    assertThat(withCode(step, "000000".equals(used) ? "000001" : "000000").statusCode())
        .isEqualTo(401);
  }

  @Test
  void codeAfterAPasswordThatIsAnotherByNowGivesNothing() {
    Enrolled user = enrolled();
    String step =
        json(withPassword(begun().path("authId").asString(""), user.name()))
            .path("authId")
            .asString("");
    authn
        .bean(UserAdministration.class)
        .setPassword(user.name(), "another horse and its battery".getBytes(UTF_8));

    HttpResponse<String> answer = withCode(step, user.recoveryCodes().getFirst());

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.body()).doesNotContain("tokenId");
  }

  @Test
  void stepsInTheWrongOrderGiveNothing() {
    Enrolled user = enrolled();
    String first = begun().path("authId").asString("");
    // The code before the password: one callback where two are wanted.
    assertThat(withCode(first, user.recoveryCodes().getFirst()).statusCode()).isEqualTo(400);
    String second = json(withPassword(first, user.name())).path("authId").asString("");
    // The password again where a code is wanted: the name is taken for a wrong code.
    assertThat(withPassword(second, user.name()).statusCode()).isEqualTo(401);
    assertThat(json(withPassword(second, user.name())).has("tokenId")).isFalse();
  }

  /** Nobody is kept waiting, or told of our inside, by what does not fit into a step. */
  @Test
  void nameThatIsTooLongForAStepIsRefusedAsAnyOther() {
    for (int length : new int[] {64, 65, 3_500}) {
      HttpResponse<String> answer =
          withPassword(begun().path("authId").asString(""), "x".repeat(length));
      assertThat(answer.statusCode()).as(length + ": " + answer.body()).isEqualTo(401);
    }
  }

  @Test
  void stepOfOneUserIsOfNoUseForAnother() {
    Enrolled one = enrolled();
    Enrolled other = enrolled();
    String step =
        json(withPassword(begun().path("authId").asString(""), one.name()))
            .path("authId")
            .asString("");
    assertThat(withCode(step, other.recoveryCodes().getFirst()).statusCode()).isEqualTo(401);
  }

  @Test
  void sessionTokenIsNoStepAndAStepIsNoSessionToken() {
    Enrolled user = enrolled();
    authn.user("plain");
    assertThat(withCode(authn.login("plain"), "123456").statusCode()).isEqualTo(401);
    String step =
        json(withPassword(begun().path("authId").asString(""), user.name()))
            .path("authId")
            .asString("");
    assertThat(authn.isGood(step)).isFalse();
    String changed = step.substring(0, step.length() - 2) + (step.endsWith("AA") ? "BB" : "AA");
    assertThat(withCode(changed, user.recoveryCodes().getFirst()).statusCode()).isEqualTo(401);
  }

  @Test
  void headersWithoutACodeAreRefusedAndWithOneAccepted() {
    Enrolled user = enrolled();
    HttpResponse<String> without = authn.rest().attempt(user.name(), RunningAuthn.PASSWORD);
    assertThat(without.statusCode()).isEqualTo(401);
    assertThat(without.body()).contains("X-OpenAM-OTP");
    HttpResponse<String> with =
        authn.send(
            HttpRequest.newBuilder(authn.url().resolve("json/authenticate"))
                .header("X-OpenAM-Username", user.name())
                .header("X-OpenAM-Password", RunningAuthn.PASSWORD)
                .header("X-OpenAM-OTP", user.recoveryCodes().getFirst())
                .POST(HttpRequest.BodyPublishers.noBody()));
    assertThat(with.statusCode()).isEqualTo(200);
  }

  @Test
  void secondFactorIsNotSetUpOrReplacedByWhoOnlyHasTheSession() {
    authn.user("eve");
    String token = authn.login("eve");
    assertThat(confirm(token, "123456").statusCode()).isEqualTo(400);
    for (String body : List.of("", "{}", "{\"password\":\"wrong\"}")) {
      assertThat(authn.as(token, "POST", "json/code?_action=begin", body).statusCode())
          .isIn(400, 401);
    }
    String first =
        json(authn.as(token, "POST", "json/code?_action=begin", BEGIN)).path("secret").asString("");
    String right = Codes.now(first, Clock.systemUTC());
    String wrong = right.substring(0, 5) + (right.endsWith("0") ? '1' : '0');
    assertThat(confirm(token, wrong).statusCode()).isEqualTo(400);
    assertThat(confirm(token, right).statusCode()).as("nobody guesses on").isEqualTo(400);
    String secret =
        json(authn.as(token, "POST", "json/code?_action=begin", BEGIN)).path("secret").asString("");
    assertThat(confirm(token, Codes.now(secret, Clock.systemUTC())).statusCode()).isEqualTo(200);
    assertThat(authn.as(token, "POST", "json/code?_action=begin", "").statusCode()).isEqualTo(409);
    assertThat(authn.as("x", "POST", "json/code?_action=begin", "").statusCode()).isEqualTo(401);
    assertThat(authn.post("json/code?_action=begin", TYPE, "").statusCode()).isEqualTo(400);
  }

  private static HttpResponse<String> byHeaders(String path, String name, String... more) {
    var request =
        HttpRequest.newBuilder(authn.url().resolve(path))
            .header("X-OpenAM-Username", name)
            .header("X-OpenAM-Password", RunningAuthn.PASSWORD)
            .POST(HttpRequest.BodyPublishers.noBody());
    return authn.send(more.length == 0 ? request : request.headers(more));
  }

  /** OpenAM's clients ask so; whoever protects something by it counts on an answer in kind. */
  @ParameterizedTest
  @ValueSource(strings = {"json/authenticate", "json/realms/root/authenticate"})
  void whoAsksForASecondFactorGetsNoSessionByAPassword(String address) {
    String level = address + "?authIndexType=level&authIndexValue=2";
    String plain = "u" + UUID.randomUUID().toString().substring(0, 8);
    authn.user(plain);
    HttpResponse<String> byHeaders = byHeaders(level, plain);
    assertThat(byHeaders.statusCode()).as(byHeaders.body()).isEqualTo(401);
    assertThat(byHeaders.body()).contains("has no second factor").doesNotContain("tokenId");
    String first = json(authn.post(level, TYPE, "")).path("authId").asString("");
    // The first step has told what is wanted; the second does not say it again.
    HttpResponse<String> inSteps = withPassword(address, first, plain);
    assertThat(inSteps.statusCode()).as(inSteps.body()).isEqualTo(401);
    assertThat(inSteps.body()).contains("has no second factor").doesNotContain("tokenId");
    // Nor is it forgotten where only the second step says it.
    String unasked = json(authn.post(address, TYPE, "")).path("authId").asString("");
    assertThat(withPassword(level, unasked, plain).statusCode()).isEqualTo(401);

    Enrolled user = enrolled();
    assertThat(byHeaders(level, user.name()).statusCode()).isEqualTo(401);
    HttpResponse<String> with =
        byHeaders(level, user.name(), "X-OpenAM-OTP", user.recoveryCodes().getFirst());
    assertThat(assurance(with)).isEqualTo(2);
    String begun = json(authn.post(level, TYPE, "")).path("authId").asString("");
    JsonNode asked = json(withPassword(address, begun, user.name()));
    assertThat(asked.has("tokenId")).isFalse();
    assertThat(
            assurance(withCode(asked.path("authId").asString(""), user.recoveryCodes().getLast())))
        .isEqualTo(2);
  }

  private static int assurance(HttpResponse<String> login) {
    assertThat(login.statusCode()).as(login.body()).isEqualTo(200);
    return json(authn.validate(json(login).path("tokenId").asString(""))).path("assurance").asInt();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "authIndexType=service&authIndexValue=twoFactor",
        "authIndexType=module&authIndexValue=OATH",
        "authIndexType=level&authIndexValue=3",
        "authIndexType=level&authIndexValue=1",
        "authIndexType=level&authIndexValue=",
        "authIndexType=level",
        "authIndexType=LEVEL&authIndexValue=2",
        "authIndexType=composite_advice&authIndexValue=x",
        "authIndexType=",
        "authIndexValue=2",
        "service=twoFactor",
        "module=OATH",
        "authIndexType=level&authIndexValue=2&service=twoFactor"
      })
  void whoAsksForALoginThatThereIsNotGetsNone(String query) {
    authn.user("asks");
    for (String address : List.of("json/authenticate?", "json/realms/root/authenticate?")) {
      HttpResponse<String> byHeaders = byHeaders(address + query, "asks");
      assertThat(byHeaders.statusCode()).as(byHeaders.body()).isEqualTo(400);
      assertThat(json(byHeaders).path("message").asString("")).contains("no services, modules");
      assertThat(authn.post(address + query, TYPE, "").statusCode()).isEqualTo(400);
      assertThat(
              withPassword(address + query, begun().path("authId").asString(""), "asks")
                  .statusCode())
          .isEqualTo(400);
    }
  }
}
