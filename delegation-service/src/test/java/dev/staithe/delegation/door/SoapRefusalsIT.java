package dev.staithe.delegation.door;

import static dev.staithe.delegation.door.SoapCaller.ARC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.delegation.RunningDelegation;
import dev.staithe.delegation.door.SoapCaller.Answer;
import dev.staithe.delegation.door.SoapShape.Open;
import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.GridAuthority;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is refused by SOAP: with the fault that the description names, and nothing else changes. */
final class SoapRefusalsIT {
  private static final String ADA = GridAuthority.NAMESPACE + "/CN=Ada";
  private static final String ROBOT = GridAuthority.NAMESPACE + "/CN=robot.example.org";

  @TempDir static Path folder;

  private static RunningDelegation service;
  private static BadChain.Cast cast;
  private static SoapCaller ada;
  private static SoapCaller bob;
  private static SoapCaller robot;

  @BeforeAll
  static void start() {
    GridAuthority grid = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    GridAuthority stranger = GridAuthority.in(folder.resolve("stranger"), Clock.systemUTC());
    GridAuthority.Holder before = grid.person(ADA);
    grid.revoke(before);
    grid.publishRevocations();
    service =
        RunningDelegation.start(
            folder,
            grid.trust(),
            Map.of("staithe.keys.kind", "p-256", "staithe.delegations.acquirers[0]", ROBOT));
    cast =
        new BadChain.Cast(
            Somebody.credential(grid.person(ADA)),
            Somebody.credential(grid.person(GridAuthority.NAMESPACE + "/CN=Bob")),
            Somebody.credential(before),
            Somebody.credential(stranger.person(ADA)));
    ada = new SoapCaller(service, cast.ada());
    bob = new SoapCaller(service, cast.bob());
    robot = new SoapCaller(service, Somebody.credential(grid.person(ROBOT)));
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  /** Makes the call and checks what holds for every refusal of an operation. */
  private static Answer refused(String fault, String says, Supplier<Answer> call) {
    return refused(500, fault, says, call);
  }

  /** Makes the call and checks what holds for every refusal. */
  private static Answer refused(int status, String fault, String says, Supplier<Answer> call) {
    Map<String, List<String>> rows = Store.rows(service);
    int lines = service.audit().size();

    Answer answer = call.get();

    assertThat(answer.fault(status)).as(answer.whole()).isEqualTo(fault);
    assertThat(answer.line()).matches("[ -~]{10,300}").containsPattern(says);
    assertThat(Store.rows(service)).as("the store").isEqualTo(rows);
    List<String> told = service.audit().subList(lines, service.audit().size());
    assertThat(told).as("a line of the audit log").isNotEmpty();
    JsonNode last = JsonMapper.shared().readTree(told.getLast());
    assertThat(last.get("outcome").asString()).isNotEqualTo("ok");
    assertThat(last.get("event").asString()).startsWith("delegation.");
    assertThat(told.toString()).doesNotContain("PRIVATE KEY");
    return answer;
  }

  private static Open delegated(SoapShape shape, SoapCaller caller, Credential by) {
    Open open = shape.begin(caller);
    shape.put(caller, open.id(), Forger.below(by).forRequest(open.request())).done();
    return open;
  }

  static Stream<Arguments> badChainsByEveryShape() {
    return Arrays.stream(BadChain.values())
        .filter(chain -> chain != BadChain.FOUR_MEBIBYTES)
        .flatMap(
            chain -> Arrays.stream(SoapShape.values()).map(shape -> Arguments.of(chain, shape)));
  }

  @ParameterizedTest
  @MethodSource("badChainsByEveryShape")
  void badChainIsRefusedAndAGoodOneIsStillTaken(BadChain bad, SoapShape shape) {
    Open open = shape.begin(ada);
    String chain = bad.make(cast, open.request());

    refused(shape.badProxy(), bad.says(), () -> shape.put(ada, open.id(), chain));

    shape.put(ada, open.id(), Forger.below(cast.ada()).forRequest(open.request())).done();
  }

  @ParameterizedTest
  @EnumSource
  void envelopeBeyondAnyChainIsRefusedUnread(SoapShape shape) {
    Open open = shape.begin(ada);
    String chain = BadChain.FOUR_MEBIBYTES.make(cast, open.request());

    refused(shape.badProxy(), "large", () -> shape.put(ada, open.id(), chain));
  }

  @ParameterizedTest
  @EnumSource
  void malformedEnvelopeGetsTheFaultOfWhatItBeganToAskFor(SoapShape shape) {
    String whole = SoapCaller.envelope("<d:x xmlns:d=\"" + shape.namespace() + "\"><a>b</a></d:x>");

    for (String broken :
        new String[] {
          whole.substring(0, whole.indexOf("b</a>")),
          whole.replace("</a>", "</b>"),
          whole.replace("b</a>", "&entity;</a>"),
          whole.replace("</s:Body>", "<second/></s:Body>")
        }) {
      refused(shape.badProxy(), "", () -> ada.read(post(ada, broken)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void envelopeThatTellsNothingGetsTheFaultOfItsAction(SoapShape shape) {
    String action = shape == SoapShape.ARC_SOAP ? "UpdateCredentials" : shape.namespace();

    refused(
        shape.badProxy(),
        "",
        () ->
            ada.read(
                ada.postWithAction(
                    SoapDelegationDoor.PATH, "text/xml", "<!DOCTYPE x><x/>", action)));
  }

  @ParameterizedTest
  @EnumSource
  void pageOfAnotherSiteGetsTheFaultOfWhatItAskedFor(SoapShape shape) {
    String body = SoapCaller.envelope("<d:x xmlns:d=\"" + shape.namespace() + "\"/>");

    refused(
        403,
        shape.badProxy(),
        "another site",
        () ->
            ada.read(
                ada.post(
                    SoapDelegationDoor.PATH, "text/xml", body, "Sec-Fetch-Site", "cross-site")));
  }

  private static HttpResponse<byte[]> post(SoapCaller by, String envelope) {
    return by.post(SoapDelegationDoor.PATH, "text/xml", envelope);
  }

  @ParameterizedTest
  @EnumSource
  void putIsTakenOnceOnly(SoapShape shape) {
    Open open = shape.begin(ada);
    String chain = Forger.below(cast.ada()).forRequest(open.request());
    shape.put(ada, open.id(), chain).done();

    refused(shape.unknown(), "", () -> shape.put(ada, open.id(), chain));
  }

  @ParameterizedTest
  @EnumSource
  void putBeforeARequestIsRefused(SoapShape shape) {
    String chain = Forger.below(cast.ada()).forKey(RequestedKey.make(KeyKind.EC_P256).publicKey());

    refused(shape.unknown(), "", () -> shape.put(ada, "nothing-begun", chain));
  }

  @ParameterizedTest
  @EnumSource
  void idOfSomebodyElseAndOneThatThereIsNotGetTheSameAnswer(SoapShape shape) {
    Open bobs = delegated(shape, bob, cast.bob());
    String chain = Forger.below(cast.ada()).forKey(RequestedKey.make(KeyKind.EC_P256).publicKey());

    Answer others = refused(shape.unknown(), "", () -> shape.put(ada, bobs.id(), chain));
    Answer nobodys = refused(shape.unknown(), "", () -> shape.put(ada, "ffffffffffff", chain));

    assertThat(others.whole()).isEqualTo(nobodys.whole());
  }

  @ParameterizedTest
  @EnumSource(names = "ARC_SOAP", mode = EnumSource.Mode.EXCLUDE)
  void nothingIsLearntOfTheDelegationsOfOthers(SoapShape shape) {
    Open bobs = delegated(shape, bob, cast.bob());

    for (String operation : new String[] {"getTerminationTime", "renewProxyReq", "destroy"}) {
      Answer others =
          refused(
              shape.unknown(),
              "",
              () -> ada.call(shape.namespace(), operation, "delegationID", bobs.id()));
      Answer nobodys =
          refused(
              shape.unknown(),
              "",
              () -> ada.call(shape.namespace(), operation, "delegationID", "ffffffffffff"));
      assertThat(others.whole()).as(operation).isEqualTo(nobodys.whole());
      Trials.held();
    }
    bob.call(shape.namespace(), "getTerminationTime", "delegationID", bobs.id()).done();
  }

  @ParameterizedTest
  @EnumSource(names = "ARC_SOAP", mode = EnumSource.Mode.EXCLUDE)
  void badRenewalLeavesWhatThereWas(SoapShape shape) {
    Open first = delegated(shape, ada, cast.ada());
    String time = "getTerminationTime";
    String before = ada.call(shape.namespace(), time, "delegationID", first.id()).done().whole();
    String again =
        ada.call(shape.namespace(), "renewProxyReq", "delegationID", first.id())
            .done()
            .text("renewProxyReqReturn");

    refused(
        shape.badProxy(),
        "",
        () -> shape.put(ada, first.id(), BadChain.WIDENED_POLICY.make(cast, again)));

    assertThat(ada.call(shape.namespace(), time, "delegationID", first.id()).whole())
        .isEqualTo(before);
  }

  @Test
  void whoIsNotNamedAcquiresNothing() {
    Open open = delegated(SoapShape.ARC_SOAP, ada, cast.ada());

    Answer notNamed = refused("WrongReferenceFault", "", () -> acquire(bob, open.id()));
    Answer unknown = refused("WrongReferenceFault", "", () -> acquire(bob, "ffffffffffff"));

    assertThat(notNamed.whole()).isEqualTo(unknown.whole());
    acquire(robot, open.id()).done();
  }

  @Test
  void requestThatCannotBeReadBuysNothing() {
    Open open = delegated(SoapShape.ARC_SOAP, ada, cast.ada());

    refused(
        "ProcessingFault",
        "",
        () -> acquire(robot, open.id(), "-----BEGIN CERTIFICATE REQUEST-----"));
  }

  @ParameterizedTest
  @EnumSource
  void certificateThatIsRevokedOrMissingGetsNobodyIn(SoapShape shape) {
    var revoked = new SoapCaller(service, cast.revokedAda());
    var nobody = new SoapCaller(service, service.authority().clientContext());
    String body = SoapCaller.envelope("<d:x xmlns:d=\"" + shape.namespace() + "\"/>");

    refused(403, shape.badProxy(), "revoked", () -> revoked.read(post(revoked, body)));
    refused(403, shape.badProxy(), "certificate is needed", () -> nobody.read(post(nobody, body)));
  }

  @ParameterizedTest
  @EnumSource
  void whoIsNotLetInGetsTheFaultOfALongEnvelopeToo(SoapShape shape) {
    var nobody = new SoapCaller(service, service.authority().clientContext());
    String padding = "x".repeat(1 << 20);
    String body =
        SoapCaller.envelope("<d:x xmlns:d=\"" + shape.namespace() + "\">" + padding + "</d:x>");

    refused(403, shape.badProxy(), "certificate is needed", () -> nobody.read(post(nobody, body)));
  }

  private static Answer acquire(SoapCaller by, String id) {
    return acquire(by, id, RequestedKey.make(KeyKind.EC_P256).pem());
  }

  private static Answer acquire(SoapCaller by, String id, String request) {
    return by.call(
        ARC,
        "AcquireCredentials",
        "<d:DelegatedTokenLookup><d:Id>"
            + id
            + "</d:Id><d:Value>"
            + request
            + "</d:Value></d:DelegatedTokenLookup>");
  }
}
