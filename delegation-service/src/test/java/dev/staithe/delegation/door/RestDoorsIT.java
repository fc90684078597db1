package dev.staithe.delegation.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.delegation.door.RestClient.Answer;
import dev.staithe.delegation.door.Shape.Open;
import dev.staithe.pki.GridSubject;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.Pem;
import dev.staithe.pki.RequestedKey;
import dev.staithe.testkit.trust.GridAuthority;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every call of the three shapes, over TLS with the caller's certificate. */
final class RestDoorsIT {
  @TempDir static Path folder;

  private static RunningDelegation service;
  private static Somebody ada;
  private static Somebody bob;
  private static Somebody robot;

  @BeforeAll
  static void start() {
    GridAuthority grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    service = RunningDelegation.start(folder, grid.trust(), Map.of("staithe.keys.kind", "p-256"));
    ada = Somebody.of(service, grid.person("/C=DE/O=Example/CN=Ada"));
    bob = Somebody.of(service, grid.person("/C=DE/O=Example/CN=Bob"));
    robot = Somebody.of(service, grid.person("/C=DE/O=Example/CN=robot.example.org"));
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

  private static Open delegated(Shape shape, Somebody who) {
    Open open = shape.begin(who.client());
    Answer put =
        shape.put(
            who.client(), open.id(), Forger.below(who.credential()).forRequest(open.request()));
    assertThat(put.status()).as(put.body()).isBetween(200, 201);
    return open;
  }

  private static String rules(Somebody acquirer, String more) {
    return "{\"acquirers\":[\"" + acquirer.name() + "\"]" + more + "}";
  }

  private static Answer acquire(Somebody who, String id, RequestedKey key, String more) {
    var json = JsonMapper.shared().createObjectNode();
    json.put("request", key.pem());
    String body = json.toString();
    return who.client()
        .json(
            "POST",
            "/api/delegations/" + id + "/acquire",
            body.substring(0, body.length() - 1) + more + "}");
  }

  // --- all -----------------------------------------------------------------------------------

  /** {@code curl --data-binary} says that whatever it sends is a form. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/delegation/%s/credential", "/delegations/%s", "/api/delegations/%s/credential"})
  void chainIsTakenAlsoWhereItsSenderSaysThatItIsAForm(String path) {
    Open open = Shape.FTS.begin(ada.client());
    String chain = Forger.below(ada.credential()).forRequest(open.request());

    Answer put =
        ada.client()
            .send(
                "PUT",
                path.formatted(open.id()),
                chain,
                "Content-Type",
                "application/x-www-form-urlencoded");

    assertThat(put.status()).as(put.body()).isBetween(200, 201);
  }

  // --- FTS -----------------------------------------------------------------------------------

  @Test
  void whoamiTellsTheNameAndTheIdThatFtsWouldGive() {
    JsonNode told = ada.client().get("/whoami").json();

    assertThat(told.get("user_dn").asString()).isEqualTo("/C=DE/O=Example/CN=Ada");
    assertThat(told.get("dn").get(0).asString()).isEqualTo("/C=DE/O=Example/CN=Ada");
    assertThat(told.get("method").asString()).isEqualTo("certificate");
    // printf %s /C=DE/O=Example/CN=Ada | sha1sum | cut -c1-16
    assertThat(told.get("delegation_id").asString()).isEqualTo("13264e88ea72278a");
    assertThat(told.get("voms_cred").isEmpty()).isTrue();
    assertThat(told.get("base_id").asString()).hasSize(36);
  }

  @Test
  void whoamiOfAProxyIsItsOwner() {
    Somebody proxy =
        new Somebody(
            ada.files(),
            Forger.below(ada.credential()).withNewKey(),
            RestClient.of(
                service.url(),
                service.authority().issuer().certificate(),
                Forger.below(ada.credential()).withNewKey()));
    try (proxy) {
      assertThat(proxy.client().get("/whoami").body())
          .isEqualTo(ada.client().get("/whoami").body());
    }
  }

  @Test
  void certificateThatWasShownComesBack() throws Exception {
    Answer answer = ada.client().get("/whoami/certificate");

    assertThat(answer.header("Content-Type")).isEqualTo("application/x-pem-file");
    assertThat(Pem.parseCertificates(answer.body(), "the answer").getFirst())
        .isEqualTo(ada.credential().certificate());
  }

  @Test
  void addressTellsFtsClientsWhichInterfaceItHas() {
    Answer answer = ada.client().get("/", "Accept", "application/json");

    assertThat(answer.json().get("api").get("major").asInt()).isEqualTo(3);
  }

  @Test
  void ftsClientReadsNullBeforeAndTheEndAfterwardsInItsOwnForm() {
    String id = ada.client().get("/whoami").json().get("delegation_id").asString();
    assertThat(ada.client().get("/delegation/" + id).body()).isEqualTo("null");

    delegated(Shape.FTS, ada);

    JsonNode told = ada.client().get("/delegation/" + id).json();
    Instant end =
        LocalDateTime.parse(told.get("termination_time").asString()).toInstant(ZoneOffset.UTC);
    assertThat(end.toString())
        .isEqualTo(ada.client().get("/api/delegations/" + id).json().get("notAfter").asString());
    assertThat(told.get("voms_attrs").isArray()).isTrue();
  }

  @Test
  void ftsTakesTheProxyByPostToo() {
    Open open = Shape.FTS.begin(ada.client());

    Answer put =
        ada.client()
            .send(
                "POST",
                "/delegation/" + open.id() + "/credential",
                Forger.below(ada.credential()).forRequest(open.request()));

    assertThat(put.status()).isEqualTo(201);
    assertThat(put.body()).isEmpty();
  }

  @Test
  void twoFtsClientsOfOnePersonAtOnceBothSucceed() {
    Open one = Shape.FTS.begin(ada.client());
    Open two = Shape.FTS.begin(ada.client());

    for (Open each : List.of(one, two)) {
      assertThat(
              Shape.FTS
                  .put(
                      ada.client(),
                      each.id(),
                      Forger.below(ada.credential()).forRequest(each.request()))
                  .status())
          .isEqualTo(201);
    }
  }

  @Test
  void vomsServersAreNotAskedAndThatIsSaid() {
    Open open = delegated(Shape.FTS, ada);
    String voms = "/delegation/" + open.id() + "/voms";

    Answer answer = ada.client().json("POST", voms, "[\"dteam:/dteam/Role=production\"]");
    assertThat(answer.status()).isEqualTo(424);
    assertThat(answer.body()).contains("delegate with a proxy that has the attributes");
    assertThat(ada.client().json("POST", voms, "{}").status()).isEqualTo(400);
    assertThat(ada.client().json("POST", voms, "[1]").status()).isEqualTo(400);
    Shape.FTS.destroy(ada.client(), open.id());
    assertThat(ada.client().json("POST", voms, "[\"dteam\"]").status()).isEqualTo(404);
  }

  // --- A-REX ---------------------------------------------------------------------------------

  @Test
  void versionsAreToldAsJsonAndAsXml() {
    assertThat(ada.client().get("/arex/rest").json().get("version").get(0).asString())
        .isEqualTo("1.0");
    assertThat(ada.client().get("/arex/rest", "Accept", "text/xml").body())
        .isEqualTo("<versions><version>1.0</version><version>1.1</version></versions>");
  }

  @Test
  void listIsOfOnesOwnAsJsonAndAsXml() {
    Open mine = delegated(Shape.AREX, ada);
    delegated(Shape.AREX, bob);

    for (String path :
        List.of("/delegations", "/arex/rest/1.0/delegations", "/arex/rest/1.1/delegations")) {
      JsonNode told = ada.client().get(path).json().get("delegation");
      assertThat(told.size()).isEqualTo(1);
      assertThat(told.get(0).get("id").asString()).isEqualTo(mine.id());
      assertThat(told.get(0).get("type").asString()).isEqualTo("x509");
    }
    assertThat(ada.client().get("/delegations", "Accept", "application/xml").body())
        .isEqualTo(
            "<delegations><delegation><id>%s</id><type>x509</type></delegation></delegations>"
                .formatted(mine.id()));
    assertThat(ada.client().get("/delegations?type=jwt").json().get("delegation").isEmpty())
        .isTrue();
  }

  @Test
  void requestSaysWhereTheProxyGoesBelowTheAddressThatWasAsked() {
    Answer one = ada.client().send("POST", "/delegations?action=new", "");
    Answer two = ada.client().send("POST", "/arex/rest/1.1/delegations?action=new&type=x509", "");

    assertThat(one.header("Location")).matches("/delegations/[0-9a-f]{32}");
    assertThat(one.header("Content-Type")).isEqualTo("application/x-pem-file");
    assertThat(two.header("Location")).matches("/arex/rest/1.1/delegations/[0-9a-f]{32}");
    assertThat(Forger.keyOf(one.body())).isNotEqualTo(Forger.keyOf(two.body()));
  }

  @Test
  void tokensAreNotDelegatedHere() {
    assertThat(ada.client().send("POST", "/delegations?action=new&type=jwt", "").status())
        .isEqualTo(501);
  }

  @Test
  void certificatesOfADelegationComeBackWithoutAKey() throws Exception {
    Open open = Shape.AREX.begin(ada.client());
    String chain = Forger.below(ada.credential()).forRequest(open.request());
    Shape.AREX.put(ada.client(), open.id(), chain);

    Answer answer = Shape.AREX.look(ada.client(), open.id());

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).doesNotContain("PRIVATE");
    assertThat(Pem.parseCertificates(answer.body(), "the answer").getFirst())
        .isEqualTo(Pem.parseCertificates(chain, "the chain").getFirst());
  }

  @Test
  void clientThatGivesUpCanDeleteWhatItHasOnlyBegun() {
    Open open = Shape.AREX.begin(ada.client());

    assertThat(Shape.AREX.destroy(ada.client(), open.id()).status()).isEqualTo(202);

    assertThat(
            Shape.AREX
                .put(
                    ada.client(),
                    open.id(),
                    Forger.below(ada.credential()).forRequest(open.request()))
                .status())
        .isGreaterThanOrEqualTo(400);
  }

  @Test
  void unknownActionsAreNamed() {
    Open open = delegated(Shape.AREX, ada);

    assertThat(ada.client().send("POST", "/delegations?action=old", "").body())
        .contains("the action is new");
    Answer answer = ada.client().send("POST", "/delegations/" + open.id() + "?action=old", "");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).isEqualTo("the action is one of get, renew, delete\n");
  }

  // --- all three -----------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void delegationIsThereAndThenIsNot(Shape shape) {
    Open open = delegated(shape, ada);
    assertThat(shape.look(ada.client(), open.id()).status()).isEqualTo(200);

    assertThat(shape.destroy(ada.client(), open.id()).status()).isBetween(200, 204);

    assertThat(ada.client().get("/api/delegations/" + open.id()).status()).isEqualTo(404);
    assertThat(shape.destroy(ada.client(), open.id()).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @EnumSource
  void methodsThatThereAreNotAreAnsweredWithThoseThatThereAre(Shape shape) {
    String path =
        switch (shape) {
          case FTS -> "/whoami";
          case AREX -> "/delegations";
          case API -> "/api/delegations";
        };
    Answer answer = ada.client().send("PATCH", path, "");

    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("Allow")).contains("GET");
  }

  @Test
  void renewalByAnyShapeReplacesWhatTheOtherBegan() {
    Open open = delegated(Shape.AREX, ada);
    String before = Shape.AREX.look(ada.client(), open.id()).body();

    Answer request = ada.client().send("POST", "/delegations/" + open.id() + "?action=renew", "");
    assertThat(request.status()).isEqualTo(201);
    assertThat(Shape.AREX.look(ada.client(), open.id()).body()).isEqualTo(before);
    Answer put =
        Shape.API.put(
            ada.client(), open.id(), Forger.below(ada.credential()).forRequest(request.body()));

    assertThat(put.status()).isEqualTo(200);
    assertThat(Shape.AREX.look(ada.client(), open.id()).body()).isNotEqualTo(before);
    assertThat(put.json().get("renewed").asString())
        .isGreaterThanOrEqualTo(put.json().get("created").asString());
  }

  // --- our own -------------------------------------------------------------------------------

  @Test
  void rulesAreToldAsTheyWereGiven() {
    Answer begun =
        ada.client()
            .json(
                "POST",
                "/api/delegations",
                """
                {"id":"night","key":"rsa-2048","rules":{"acquirers":["/C=DE/O=Example/CN=robot.example.org"],
                 "uses":3,"hops":1,"limited":true,"longest":"2h"}}
                """);
    assertThat(begun.status()).as(begun.body()).isEqualTo(201);
    assertThat(begun.header("Location")).isEqualTo("/api/delegations/night");
    String request = begun.json().get("request").asString();
    assertThat(Forger.keyOf(request).getAlgorithm()).isEqualTo("RSA");

    JsonNode told =
        Shape.API
            .put(ada.client(), "night", Forger.below(ada.credential()).forRequest(request))
            .json();

    assertThat(told.get("id").asString()).isEqualTo("night");
    assertThat(told.get("owner").asString()).isEqualTo(ada.name());
    assertThat(told.get("used").asInt()).isZero();
    JsonNode rules = told.get("rules");
    assertThat(rules.get("acquirers").get(0).asString()).isEqualTo(robot.name());
    assertThat(rules.get("uses").asInt()).isEqualTo(3);
    assertThat(rules.get("hops").asInt()).isEqualTo(1);
    assertThat(rules.get("limited").asBoolean()).isTrue();
    assertThat(rules.get("longest").asInt()).isEqualTo(7200);
  }

  @Test
  void whoIsNamedAcquiresAsOftenAsAllowedAndGetsAChainForItsOwnKey() throws Exception {
    Open open = delegated(Shape.API, ada);
    Answer ruled =
        ada.client()
            .json("PUT", "/api/delegations/mine/rules", rules(robot, ",\"uses\":1,\"hops\":0"));
    assertThat(ruled.status()).as(ruled.body()).isEqualTo(200);
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    Answer acquired = acquire(robot, open.id(), key, ",\"lifetime\":\"1h\"");

    assertThat(acquired.status()).as(acquired.body()).isEqualTo(200);
    List<X509Certificate> chain =
        Pem.parseCertificates(acquired.json().get("chain").asString(), "the chain");
    assertThat(chain.getFirst().getPublicKey()).isEqualTo(key.publicKey());
    assertThat(GridSubject.of(chain.getLast().getSubjectX500Principal()).name())
        .isEqualTo(ada.name());
    assertThat(Instant.parse(acquired.json().get("notAfter").asString()))
        .isEqualTo(chain.getFirst().getNotAfter().toInstant());
    assertThat(ada.client().get("/api/delegations/mine").json().get("used").asInt()).isEqualTo(1);
    assertThat(acquire(robot, open.id(), RequestedKey.make(KeyKind.EC_P256), "").status())
        .isGreaterThanOrEqualTo(400);
  }

  @Test
  void delegatorTellsTwoOfOneIdApart() throws Exception {
    for (Somebody each : List.of(ada, bob)) {
      delegated(Shape.API, each);
      each.client().json("PUT", "/api/delegations/mine/rules", rules(robot, ""));
    }
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);

    assertThat(acquire(robot, "mine", key, "").status()).isEqualTo(409);
    Answer acquired = acquire(robot, "mine", key, ",\"delegator\":\"" + bob.name() + "\"");

    assertThat(acquired.status()).as(acquired.body()).isEqualTo(200);
    List<X509Certificate> chain =
        Pem.parseCertificates(acquired.json().get("chain").asString(), "the chain");
    assertThat(GridSubject.of(chain.getLast().getSubjectX500Principal()).name())
        .isEqualTo(bob.name());
  }

  @Test
  void delegatorAloneIsEnoughWhereOneDelegationNamesTheAcquirer() {
    Open open = delegated(Shape.AREX, ada);
    ada.client().json("PUT", "/api/delegations/" + open.id() + "/rules", rules(robot, ""));
    RequestedKey key = RequestedKey.make(KeyKind.EC_P256);
    String byAda = ",\"delegator\":\"" + ada.name() + "\"";

    assertThat(acquire(robot, "-", key, "").status()).isEqualTo(400);
    assertThat(acquire(bob, "-", key, byAda).status()).isEqualTo(404);
    Answer acquired = acquire(robot, "-", key, byAda);
    assertThat(acquired.status()).as(acquired.body()).isEqualTo(200);
    assertThat(acquired.json().get("id").asString()).isEqualTo(open.id());

    Open second = delegated(Shape.AREX, ada);
    ada.client().json("PUT", "/api/delegations/" + second.id() + "/rules", rules(robot, ""));
    assertThat(acquire(robot, "-", key, byAda).status()).isEqualTo(409);
  }

  @Test
  void listHasOnesOwn() {
    delegated(Shape.API, ada);
    delegated(Shape.FTS, ada);
    delegated(Shape.API, bob);

    JsonNode told = ada.client().get("/api/delegations").json().get("delegations");

    assertThat(told.size()).isEqualTo(2);
    told.forEach(each -> assertThat(each.get("owner").asString()).isEqualTo(ada.name()));
  }

  @Test
  void requestForMoreOfTheSameIsForWhatThereIs() {
    assertThat(ada.client().send("POST", "/api/delegations/mine/request", "").status())
        .isEqualTo(404);
    delegated(Shape.API, ada);

    Answer renewal = ada.client().send("POST", "/api/delegations/mine/request", "");

    assertThat(renewal.status()).isEqualTo(201);
    assertThat(renewal.json().get("id").asString()).isEqualTo("mine");
  }
}
