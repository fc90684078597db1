package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.delegation.door.RestClient.Answer;
import dev.staithe.delegation.door.Shape.Open;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.GridAuthority;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is refused: with a status, one clear line and a line of the audit log, and nothing else. */
final class RestRefusalsIT {
  @TempDir static Path folder;

  private static GridAuthority grid;
  private static RunningDelegation service;
  private static Somebody ada;
  private static Somebody bob;
  private static Somebody robot;
  private static BadChain.Cast cast;

  @BeforeAll
  static void start() {
    grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    GridAuthority stranger = GridAuthority.in(folder.resolve("stranger"), Clock.systemUTC());
    GridAuthority.Holder before = grid.person("/C=DE/O=Example/CN=Ada");
    grid.revoke(before);
    grid.publishRevocations();
    service = RunningDelegation.start(folder, grid.trust(), Map.of("staithe.keys.kind", "p-256"));
    ada = Somebody.of(service, grid.person("/C=DE/O=Example/CN=Ada"));
    bob = Somebody.of(service, grid.person("/C=DE/O=Example/CN=Bob"));
    robot = Somebody.of(service, grid.person("/C=DE/O=Example/CN=robot.example.org"));
    cast =
        new BadChain.Cast(
            ada.credential(),
            bob.credential(),
            Somebody.credential(before),
            Somebody.credential(stranger.person("/C=DE/O=Example/CN=Ada")));
  }

  @AfterAll
  static void stop() {
    List.of(ada, bob, robot).forEach(Somebody::close);
    service.close();
  }

  @AfterEach
  void forget() {
    for (Somebody each : List.of(ada, bob)) {
      for (JsonNode one : each.client().get("/api/delegations").json().get("delegations")) {
        each.client().send("DELETE", "/api/delegations/" + one.get("id").asString(), "");
      }
    }
  }

  /** Makes the call and checks what holds for every refusal. */
  private static Answer refused(int status, String says, Supplier<Answer> call) {
    Map<String, List<String>> rows = Store.rows(service);
    int lines = service.audit().size();

    Answer answer = call.get();

    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.body()).matches("[ -~]{10,300}\n").containsPattern(says);
    assertThat(Store.rows(service)).as("the store").isEqualTo(rows);
    List<String> told = service.audit().subList(lines, service.audit().size());
    assertThat(told).as("a line of the audit log").hasSizeGreaterThanOrEqualTo(1);
    JsonNode last = JsonMapper.shared().readTree(told.getLast());
    assertThat(last.get("outcome").asString()).isNotEqualTo("ok");
    assertThat(last.get("event").asString()).startsWith("delegation.");
    assertThat(told.toString()).doesNotContain("PRIVATE KEY");
    return answer;
  }

  private static Open delegated(Shape shape, Somebody who) {
    Open open = shape.begin(who.client());
    Answer put =
        shape.put(
            who.client(), open.id(), Forger.below(who.credential()).forRequest(open.request()));
    assertThat(put.status()).as(put.body()).isBetween(200, 201);
    return open;
  }

  private static void allow(Somebody owner, String id, Somebody acquirer, String more) {
    Answer answer =
        owner
            .client()
            .json(
                "PUT",
                "/api/delegations/" + id + "/rules",
                "{\"acquirers\":[\"" + acquirer.name() + "\"]" + more + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private static Answer acquire(Somebody who, String id) {
    return acquire(who, id, RequestedKey.make(KeyKind.EC_P256).pem());
  }

  private static Answer acquire(Somebody who, String id, String request) {
    var json = JsonMapper.shared().createObjectNode();
    json.put("request", request);
    return who.client().json("POST", "/api/delegations/" + id + "/acquire", json.toString());
  }

  // --- what is put ---------------------------------------------------------------------------

  static Stream<Arguments> badChainsByEveryShape() {
    return Arrays.stream(BadChain.values())
        .flatMap(chain -> Arrays.stream(Shape.values()).map(shape -> Arguments.of(chain, shape)));
  }

  @ParameterizedTest
  @MethodSource("badChainsByEveryShape")
  void badChainIsRefusedAndAGoodOneIsStillTaken(BadChain bad, Shape shape) {
    Open open = shape.begin(ada.client());
    String chain = bad.make(cast, open.request());

    refused(bad.status(), bad.says(), () -> shape.put(ada.client(), open.id(), chain));

    Answer good =
        shape.put(
            ada.client(), open.id(), Forger.below(ada.credential()).forRequest(open.request()));
    assertThat(good.status()).as(good.body()).isBetween(200, 201);
  }

  @ParameterizedTest
  @EnumSource
  void badRenewalLeavesWhatThereWas(Shape shape) {
    Open first = delegated(shape, ada);
    Open again =
        shape == Shape.AREX
            ? new Open(
                first.id(),
                ada.client()
                    .send("POST", "/delegations/" + first.id() + "?action=renew", "")
                    .body())
            : shape.begin(ada.client());
    String before = shape.look(ada.client(), first.id()).body();

    refused(
        400,
        "",
        () ->
            shape.put(
                ada.client(), first.id(), BadChain.WIDENED_POLICY.make(cast, again.request())));

    assertThat(shape.look(ada.client(), first.id()).body()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void putIsTakenOnceOnly(Shape shape) {
    Open open = shape.begin(ada.client());
    String chain = Forger.below(ada.credential()).forRequest(open.request());
    assertThat(shape.put(ada.client(), open.id(), chain).status()).isBetween(200, 201);

    refused(shape == Shape.FTS ? 400 : 409, "", () -> shape.put(ada.client(), open.id(), chain));
  }

  @ParameterizedTest
  @EnumSource
  void putBeforeARequestIsRefused(Shape shape) {
    Open open = shape.withoutRequest(ada.client());

    refused(
        shape == Shape.FTS ? 400 : 409,
        "",
        () ->
            shape.put(
                ada.client(),
                open.id(),
                Forger.below(ada.credential())
                    .forKey(RequestedKey.make(KeyKind.EC_P256).publicKey())));
  }

  // --- whose it is ---------------------------------------------------------------------------

  @Test
  void idOfSomebodyElseAndOneThatThereIsNotGetTheSameAnswer() {
    Open bobs = delegated(Shape.AREX, bob);
    allow(bob, bobs.id(), robot, "");
    String chain =
        Forger.below(ada.credential()).forKey(RequestedKey.make(KeyKind.EC_P256).publicKey());
    List<Function<String, Answer>> calls =
        List.of(
            id -> ada.client().get("/api/delegations/" + id),
            id -> ada.client().send("DELETE", "/api/delegations/" + id, ""),
            id -> ada.client().send("POST", "/api/delegations/" + id + "/request", ""),
            id -> ada.client().send("PUT", "/api/delegations/" + id + "/credential", chain),
            id -> ada.client().json("PUT", "/api/delegations/" + id + "/rules", "{}"),
            id -> ada.client().send("PUT", "/delegations/" + id, chain),
            id -> ada.client().send("POST", "/delegations/" + id + "?action=get", ""),
            id -> ada.client().send("POST", "/delegations/" + id + "?action=renew", ""),
            id -> ada.client().send("POST", "/delegations/" + id + "?action=delete", ""),
            id -> ada.client().get("/delegation/" + id),
            id -> ada.client().get("/delegation/" + id + "/request"),
            id -> ada.client().send("PUT", "/delegation/" + id + "/credential", chain),
            id -> ada.client().send("DELETE", "/delegation/" + id, ""),
            id -> acquire(ada, id));
    for (Function<String, Answer> call : calls) {
      Map<String, List<String>> rows = Store.rows(service);

      Answer others = call.apply(bobs.id());
      Answer nobodys = call.apply("ffffffffffffffffffffffffffffffff");

      assertThat(others.status()).as(others.body()).isBetween(400, 409);
      assertThat(others.status()).isEqualTo(nobodys.status());
      assertThat(others.body()).isEqualTo(nobodys.body());
      assertThat(Store.rows(service)).isEqualTo(rows);
    }
  }

  @Test
  void whoIsNotNamedGetsTheAnswerForWhatThereIsNot() {
    Open open = delegated(Shape.AREX, ada);
    allow(ada, open.id(), robot, "");
    Answer unknown = refused(404, "", () -> acquire(bob, "ffffffffffffffffffffffffffffffff"));

    Answer notNamed = refused(404, "", () -> acquire(bob, open.id()));

    assertThat(notNamed.body()).isEqualTo(unknown.body());
    // Nor does its owner acquire unless named: who has the key needs nobody to act.
    assertThat(refused(404, "", () -> acquire(ada, open.id())).body()).isEqualTo(unknown.body());
  }

  @Test
  void whoIsNoLongerNamedAcquiresNoMore() {
    Open open = delegated(Shape.AREX, ada);
    allow(ada, open.id(), robot, "");
    assertThat(acquire(robot, open.id()).status()).isEqualTo(200);

    allow(ada, open.id(), bob, "");

    refused(404, "", () -> acquire(robot, open.id()));
  }

  @Test
  void usesEnd() {
    Open open = delegated(Shape.AREX, ada);
    allow(ada, open.id(), robot, ",\"uses\":1");
    assertThat(acquire(robot, open.id()).status()).isEqualTo(200);

    Map<String, List<String>> rows = Store.rows(service);
    assertThat(acquire(robot, open.id()).status()).isBetween(403, 429);
    assertThat(Store.rows(service)).isEqualTo(rows);
  }

  @Test
  void requestThatIsNotSignedWithItsKeyBuysNothing() {
    Open open = delegated(Shape.AREX, ada);
    allow(ada, open.id(), robot, "");
    String honest = RequestedKey.make(KeyKind.EC_P256).pem();
    int last = honest.indexOf("\n-----END") - 6;
    String broken =
        honest.substring(0, last)
            + (honest.charAt(last) == 'A' ? 'B' : 'A')
            + honest.substring(last + 1);

    refused(400, "", () -> acquire(robot, open.id(), broken));
    refused(400, "", () -> acquire(robot, open.id(), "-----BEGIN CERTIFICATE REQUEST-----"));
    refused(400, "", () -> acquire(robot, open.id(), ""));
  }

  // --- who calls -----------------------------------------------------------------------------

  private static final List<String[]> ALL_CALLS =
      List.of(
          new String[] {"GET", "/whoami"},
          new String[] {"GET", "/whoami/certificate"},
          new String[] {"GET", "/delegation/0123456789abcdef"},
          new String[] {"GET", "/delegation/0123456789abcdef/request"},
          new String[] {"PUT", "/delegation/0123456789abcdef/credential"},
          new String[] {"POST", "/delegation/0123456789abcdef/credential"},
          new String[] {"POST", "/delegation/0123456789abcdef/voms"},
          new String[] {"DELETE", "/delegation/0123456789abcdef"},
          new String[] {"GET", "/delegations"},
          new String[] {"POST", "/delegations?action=new"},
          new String[] {"PUT", "/delegations/mine"},
          new String[] {"POST", "/delegations/mine?action=get"},
          new String[] {"POST", "/delegations/mine?action=renew"},
          new String[] {"POST", "/arex/rest/1.0/delegations/mine?action=delete"},
          new String[] {"GET", "/api/delegations"},
          new String[] {"POST", "/api/delegations"},
          new String[] {"GET", "/api/delegations/mine"},
          new String[] {"DELETE", "/api/delegations/mine"},
          new String[] {"POST", "/api/delegations/mine/request"},
          new String[] {"PUT", "/api/delegations/mine/credential"},
          new String[] {"PUT", "/api/delegations/mine/rules"},
          new String[] {"POST", "/api/delegations/mine/acquire"});

  @Test
  void nobodyGetsInWithoutACertificate() {
    var nobody = RestClient.anonymous(service.url(), service.authority().issuer().certificate());
    try (nobody) {
      Map<String, List<String>> rows = Store.rows(service);
      for (String[] call : ALL_CALLS) {
        Answer answer = nobody.send(call[0], call[1], "");
        assertThat(answer.status()).as("%s %s", call[0], call[1]).isEqualTo(403);
        assertThat(answer.body()).matches("[ -~]{10,300}\n").contains("certificate");
      }
      assertThat(Store.rows(service)).isEqualTo(rows);
    }
  }

  @Test
  void certificatesThatAreNotBelievedGetNobodyIn() {
    var expired = Somebody.of(service, grid.expiredPerson("/C=DE/O=Example/CN=Ada"));
    var revoked =
        RestClient.of(service.url(), service.authority().issuer().certificate(), cast.revokedAda());
    var strange =
        RestClient.of(
            service.url(), service.authority().issuer().certificate(), cast.strangersAda());
    try (expired;
        revoked;
        strange) {
      refused(403, "expired", () -> expired.client().get("/whoami"));
      refused(403, "revoked", () -> revoked.get("/whoami"));
      refused(403, "", () -> strange.send("POST", "/delegations?action=new", ""));
    }
  }

  @Test
  void whoseNameIsLongerThanIsKeptIsToldSo() {
    String unit = "/OU=" + "x".repeat(60);
    var longest =
        Somebody.of(service, grid.person("/C=DE/O=Example" + unit.repeat(20) + "/CN=Ada"));
    try (longest) {
      refused(403, "longer than 1100", () -> longest.client().send("POST", "/api/delegations", ""));
    }
  }

  @Test
  void pageOfAnotherSiteCannotUseAPersonsCertificate() {
    for (String[] call : ALL_CALLS) {
      for (String[] header :
          List.of(
              new String[] {"Sec-Fetch-Site", "cross-site"},
              new String[] {"Sec-Fetch-Site", "same-site"},
              new String[] {"Origin", "https://evil.example.org"},
              new String[] {"Origin", "null"})) {
        refused(403, "page", () -> ada.client().send(call[0], call[1], "", header));
        Trials.held();
      }
    }
  }

  @Test
  void ownPagesMayAsk() {
    assertThat(
            ada.client()
                .get("/whoami", "Sec-Fetch-Site", "same-origin", "Origin", service.url().toString())
                .status())
        .isEqualTo(200);
  }

  // --- JSON ----------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{",
        "\"text\"",
        "{\"id\":\"a\",\"id\":\"b\"}",
        "{\"ID\":\"a\"}",
        "{\"id\":7}",
        "{\"id\":\"../../etc\"}",
        "{\"id\":\"\"}",
        "{\"key\":\"rsa-512\"}",
        "{\"rules\":[]}",
        "{\"rules\":{\"acquirer\":[]}}",
        "{\"rules\":{\"acquirers\":\"CN=x\"}}",
        "{\"rules\":{\"acquirers\":[\"\"]}}",
        "{\"rules\":{\"acquirers\":[7]}}",
        "{\"rules\":{\"uses\":0}}",
        "{\"rules\":{\"uses\":-1}}",
        "{\"rules\":{\"uses\":1.5}}",
        "{\"rules\":{\"uses\":99999999999}}",
        "{\"rules\":{\"hops\":6}}",
        "{\"rules\":{\"hops\":-1}}",
        "{\"rules\":{\"limited\":\"yes\"}}",
        "{\"rules\":{\"longest\":0}}",
        "{\"rules\":{\"longest\":\"forever\"}}"
      })
  void beginningThatCannotBeReadIsRefusedInOneLine(String body) {
    refused(400, "", () -> ada.client().json("POST", "/api/delegations", body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"lifetime\":-1",
        "{\"lifetime\":\"\"",
        "{\"pathLength\":-1",
        "{\"pathLength\":\"1\"",
        "{\"limited\":1",
        "{\"delegator\":\"nobody\"",
        "{\"policy\":\"1.2.3\""
      })
  void acquiringThatCannotBeReadIsRefusedInOneLine(String begin) {
    Open open = delegated(Shape.AREX, ada);
    allow(ada, open.id(), robot, "");
    var json = JsonMapper.shared().createObjectNode();
    json.put("request", RequestedKey.make(KeyKind.EC_P256).pem());
    String body = begin + "," + json.toString().substring(1);

    refused(
        400,
        "",
        () -> robot.client().json("POST", "/api/delegations/" + open.id() + "/acquire", body));
  }

  @Test
  void fiftyOneAcquirersAreTooMany() {
    String names =
        String.join(",", java.util.Collections.nCopies(51, "\"CN=robot,O=Example,C=DE\""));

    refused(
        400,
        "50",
        () ->
            ada.client()
                .json("POST", "/api/delegations", "{\"rules\":{\"acquirers\":[" + names + "]}}"));
  }

  @Test
  void formIsNoJson() {
    Map<String, List<String>> rows = Store.rows(service);

    Answer answer =
        ada.client()
            .send("POST", "/api/delegations", "{}", "Content-Type", "text/plain;charset=UTF-8");

    assertThat(answer.status()).isEqualTo(415);
    assertThat(Store.rows(service)).isEqualTo(rows);
  }

  @Test
  void questionOfAHundredKibibytesIsTooLarge() {
    refused(
        413,
        "bytes",
        () ->
            ada.client()
                .json("POST", "/api/delegations", "{\"id\":\"" + "a".repeat(100_000) + "\"}"));
  }

  @Test
  void refusalIsJsonForWhoPrefersIt() {
    Answer answer = ada.client().get("/api/delegations/none", "Accept", "application/json");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.json().get("error").asString()).isEqualTo("unknown");
    assertThat(answer.json().get("message").asString()).isNotBlank();
  }

  @Test
  void pathsThatAreNoIdAreNobodys() {
    for (String path :
        List.of(
            "/api/delegations/",
            "/api/delegations/-x",
            "/api/delegations/a/b/c",
            "/api/delegations/a/nothing",
            "/delegations/-x",
            "/delegation/")) {
      assertThat(ada.client().send("DELETE", path, "").status()).as(path).isBetween(400, 405);
    }
  }
}
