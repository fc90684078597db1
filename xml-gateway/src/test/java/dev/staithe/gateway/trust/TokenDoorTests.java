package dev.staithe.gateway.trust;

import static dev.staithe.gateway.trust.Asking.ADA;
import static dev.staithe.gateway.trust.Asking.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.CertificateIssuer;
import dev.staithe.pki.Credential;
import dev.staithe.pki.HostCertificateRequest;
import dev.staithe.pki.KeyKind;
import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.trust.ContextName;
import dev.staithe.wss.trust.Lifetime;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.wss.trust.TokenRequest;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.wss.trust.TrustVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenDoorTests {
  private static final ContextLimits LIMITS =
      new ContextLimits(Duration.ofMinutes(10), Duration.ofHours(1), 5, 3);

  @TempDir Path folder;
  private Asking asking;

  @BeforeEach
  void open() throws IOException {
    asking = new Asking(folder, LIMITS);
  }

  private static byte[] entropy() {
    byte[] entropy = new byte[32];
    entropy[0] = 7;
    return entropy;
  }

  private SecurityContext context() {
    return asking.granted(Asking.issue(TrustVersion.OASIS, null), null).context();
  }

  private static String text(byte @Nullable [] envelope) {
    return envelope == null ? "" : new String(envelope, StandardCharsets.UTF_8);
  }

  private void assertRefused(TokenOutcome outcome, Refusal reason, String fault) {
    TokenOutcome.Refused refused = Asking.refused(outcome);
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(text(refused.envelope())).contains("t:" + fault + "<");
  }

  @ParameterizedTest
  @EnumSource
  void issueWhenBothSidesAddEntropyThenBothHaveTheSameSecret(TrustVersion version) {
    byte[] mine = entropy();
    TokenOutcome.Granted granted = asking.granted(Asking.issue(version, mine), null);
    TokenAnswer.Issued issued = Asking.issued(granted);
    assertThat(issued.key()).isInstanceOf(TokenAnswer.Key.Computed.class);
    assertThat(issued.secret(mine, null, 256)).hasSize(32).isEqualTo(granted.context().secret());
    assertThat(issued.version()).isEqualTo(version);
    assertThat(granted.context().namespace()).isEqualTo(version.conversation());
    assertThat(granted.action()).isEqualTo(version.trust() + "/RSTR/SCT");
    assertThat(asking.contexts.find(issued.name().identifier(), null)).isSameAs(granted.context());
  }

  @Test
  void issueWhenOnlyTheServiceAddsThenItsSecretIsInTheAnswerAndNeverTheSameTwice() {
    TokenOutcome.Granted one = asking.granted(Asking.issue(TrustVersion.OASIS, null), null);
    TokenOutcome.Granted two = asking.granted(Asking.issue(TrustVersion.OASIS, null), null);
    assertThat(Asking.issued(one).secret(null, null, 0)).isEqualTo(one.context().secret());
    assertThat(one.context().secret()).isNotEqualTo(two.context().secret());
    assertThat(one.context().identifier()).isNotEqualTo(two.context().identifier());
  }

  @Test
  void issueWhenGrantedThenBelongsToItsAskerEndpointAndPolicy() throws IOException {
    SecurityContext context = context();
    assertThat(context.owner()).isEqualTo(ADA);
    assertThat(context.endpoint()).isEqualTo("orders");
    assertThat(context.policyVersion()).isEqualTo("0123456789abcdef");
    assertThat(context.expires()).isEqualTo(asking.clock.instant().plus(LIMITS.lifetime()));
    assertThat(asking.audit())
        .singleElement()
        .asString()
        .contains("\"event\":\"context.issue\"", "\"outcome\":\"ok\"", "\"subject\":\"ada\"")
        .contains(context.identifier(), "\"endpoint\":\"orders\"", "0123456789abcdef");
    assertThat(asking.count("issue", "ok")).isEqualTo(1);
  }

  @Test
  void issueWhenRequestIsAddressedThenAnswerRelatesToIt() {
    String envelope = text(asking.granted(Asking.issue(TrustVersion.OASIS, null), null).envelope());
    assertThat(envelope)
        .contains(">http://docs.oasis-open.org/ws-sx/ws-trust/200512/RSTR/SCT</wsa:Action>")
        .contains(">urn:uuid:m1</wsa:RelatesTo>");
  }

  @Test
  void issueWhenPolicyWantsEntropyOfTheClientAndNoneComesThenIsRefused() {
    assertRefused(
        asking.ask(
            Asking.issue(TrustVersion.OASIS, null),
            ADA,
            null,
            Asking.endpoint(true, true, true),
            false),
        Refusal.POLICY,
        "BadRequest");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://gateway.example.org/payments",
        "https://other.example.org/orders",
        "http://gateway.example.org/orders",
        "https://gateway.example.org:8443/orders",
        "https://gateway.example.org@evil.example.org/orders",
        "https://u@gateway.example.org/orders",
        "orders",
        "urn:x"
      })
  void issueWhenItAppliesToAnotherServiceThenIsRefused(String address) {
    var request =
        new TokenRequest.Issue(
            TrustVersion.OASIS, null, TrustVersion.OASIS, address, 0, null, null);
    assertRefused(asking.ask(request, ADA, null), Refusal.POLICY, "InvalidScope");
    assertThat(asking.contexts.live()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"HTTPS://Gateway.Example.ORG:443/orders", "https://gateway.example.org/orders/"})
  void issueWhenTheAddressIsOnlyWrittenOtherwiseThenIsGranted(String address) {
    var request =
        new TokenRequest.Issue(
            TrustVersion.OASIS, null, TrustVersion.OASIS, address, 128, null, null);
    assertThat(asking.granted(request, null).context().secret()).hasSize(16);
  }

  @Test
  void issueWhenActionIsOfAnotherKindOrDialectThanTheBodyThenIsRefused() throws IOException {
    var opened = Asking.opened(Asking.issue(TrustVersion.FEBRUARY_2005, null).payload(), ADA, null);
    assertRefused(
        asking.door.answer(
            new TrustAction(TrustVersion.OASIS, TrustAction.Kind.ISSUE), opened, ORDERS, false),
        Refusal.ACTION,
        "InvalidRequest");
    assertRefused(
        asking.door.answer(
            new TrustAction(TrustVersion.FEBRUARY_2005, TrustAction.Kind.CANCEL),
            opened,
            ORDERS,
            false),
        Refusal.ACTION,
        "InvalidRequest");
    assertThat(asking.audit())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("\"outcome\":\"action\"", "\"detail\""));
    assertThat(asking.count("cancel", "action")).isEqualTo(1);
  }

  @Test
  void issueWhenEndpointHasNoConversationThenIsRefused() {
    var endpoint =
        new TokenEndpoint(
            "orders", Asking.policy(new Binding.Asymmetric(), false), List.of(Asking.ADDRESS));
    TokenOutcome.Refused refused =
        Asking.refused(
            asking.ask(Asking.issue(TrustVersion.OASIS, null), ADA, null, endpoint, false));
    assertThat(refused.reason()).isEqualTo(Refusal.ACTION);
    assertThat(refused.envelope()).isNull();
  }

  @Test
  void issueWhenAskedForInAContextThenIsRefused() {
    assertRefused(
        asking.ask(Asking.issue(TrustVersion.OASIS, null), ADA, context()),
        Refusal.POLICY,
        "InvalidRequest");
  }

  @Test
  void issueWhenSubjectHasTooManyThenIsRefusedWhileOthersAreServed() {
    for (int i = 0; i < LIMITS.mostPerSubject(); i++) {
      context();
    }
    assertRefused(
        asking.ask(Asking.issue(TrustVersion.OASIS, null), ADA, null),
        Refusal.NOT_ALLOWED,
        "RequestFailed");
    Asking.granted(
        asking.ask(Asking.issue(TrustVersion.OASIS, null), new Caller.Username("grace"), null));
    asking.clock.advance(LIMITS.lifetime());
    context();
  }

  @Test
  void issueWhenThereAreTooManyInAllThenIsRefusedAsUnavailable() {
    for (int i = 0; i < LIMITS.most(); i++) {
      Asking.granted(
          asking.ask(
              Asking.issue(TrustVersion.OASIS, null), new Caller.Username("user" + i), null));
    }
    TokenOutcome.Refused refused =
        Asking.refused(asking.ask(Asking.issue(TrustVersion.OASIS, null), ADA, null));
    assertThat(refused.reason()).isEqualTo(Refusal.UNAVAILABLE);
    assertThat(refused.envelope()).isNull();
  }

  private TokenRequest.Issue lasting(@Nullable Instant created, Instant expires) {
    return new TokenRequest.Issue(
        TrustVersion.OASIS,
        null,
        TrustVersion.OASIS,
        null,
        0,
        null,
        new Lifetime(created, expires));
  }

  @Test
  void issueWhenLifetimeIsAskedForThenIsALengthOfTimeAndCut() {
    Instant now = asking.clock.instant();
    Instant theirs = now.minus(Duration.ofHours(5));
    assertThat(asking.granted(lasting(theirs, theirs.plusSeconds(60)), null).context().expires())
        .isEqualTo(now.plusSeconds(60));
    assertThat(
            asking
                .granted(lasting(null, Instant.parse("9999-01-01T00:00:00Z")), null)
                .context()
                .expires())
        .isEqualTo(now.plus(LIMITS.longest()));
    assertRefused(asking.ask(lasting(now, now), ADA, null), Refusal.POLICY, "InvalidTimeRange");
  }

  @Test
  void issueWhenCertificateOfTheOwnerEndsBeforeThenSoDoesTheContext() {
    Credential credential =
        ThrowAwayAuthority.in(folder.resolve("ca"), asking.clock).localhost().credential();
    Instant end = credential.certificate().getNotAfter().toInstant();
    var owner = new Caller.Certificate("/CN=localhost", credential.chain());
    asking.clock.set(end.minusSeconds(30));
    assertThat(
            Asking.granted(asking.ask(Asking.issue(TrustVersion.OASIS, null), owner, null))
                .context()
                .expires())
        .isEqualTo(end);
    asking.clock.set(end);
    assertRefused(
        asking.ask(Asking.issue(TrustVersion.OASIS, null), owner, null),
        Refusal.POLICY,
        "RequestFailed");
  }

  @Test
  void renewWhenOnlyTheContextProtectsItThenKeyStaysAndNoneIsSent() {
    SecurityContext context = context();
    byte[] secret = context.secret();
    asking.clock.advance(Duration.ofMinutes(5));
    TokenOutcome.Granted granted = asking.granted(Asking.renew(context), context);
    TokenAnswer.Issued issued = Asking.issued(granted);
    assertThat(issued.key()).isEqualTo(new TokenAnswer.Key.Unsaid());
    assertThat(issued.name()).isEqualTo(new ContextName(context.identifier(), null));
    assertThat(granted.context().secret()).isEqualTo(secret);
    asking.clock.advance(Duration.ofMinutes(9));
    assertThat(asking.contexts.find(context.identifier(), null)).isSameAs(granted.context());
    assertThat(asking.contexts.live()).isEqualTo(1);
  }

  @Test
  void renewWhenTlsProtectsItTooThenNewKeyHasAnInstanceAndTheOldOneEndsInTime() {
    SecurityContext context = context();
    byte[] secret = context.secret();
    asking.clock.advance(Duration.ofMinutes(5));
    byte[] mine = entropy();
    var request =
        new TokenRequest.Renew(
            TrustVersion.OASIS,
            null,
            new ContextName(context.identifier(), null),
            null,
            256,
            mine,
            null);
    TokenOutcome.Granted granted = Asking.granted(asking.ask(request, ADA, context, ORDERS, true));
    TokenAnswer.Issued issued = Asking.issued(granted);
    assertThat(issued.name().instance()).isNotNull();
    assertThat(issued.secret(mine, secret, 0))
        .isEqualTo(granted.context().secret())
        .isNotEqualTo(secret);
    assertThat(asking.contexts.find(context.identifier(), issued.name().instance()))
        .isSameAs(granted.context());
    assertThat(asking.contexts.find(context.identifier(), null)).isSameAs(context);
    asking.clock.advance(Duration.ofMinutes(5));
    assertThat(asking.contexts.find(context.identifier(), null)).isNull();
    assertThat(asking.contexts.find(context.identifier(), issued.name().instance())).isNotNull();
    assertThat(asking.contexts.find(context.identifier(), "another")).isNull();
  }

  @Test
  void renewWhenRepeatedForeverThenContextStillEndsAtTheLongestLifetime() {
    SecurityContext context = context();
    Instant end = asking.clock.instant().plus(LIMITS.longest());
    for (int i = 0; i < 10; i++) {
      asking.clock.advance(Duration.ofMinutes(5));
      context = asking.granted(Asking.renew(context), context).context();
      assertThat(context.expires()).isBeforeOrEqualTo(end);
    }
    assertThat(context.expires()).isEqualTo(end);
    assertRefused(asking.ask(Asking.renew(context), ADA, context), Refusal.POLICY, "UnableToRenew");
  }

  @Test
  void renewWhenOwnersCertificateWasRevokedSinceThenIsRefused() {
    Credential credential =
        ThrowAwayAuthority.in(folder.resolve("ca"), asking.clock).localhost().credential();
    var owner = new Caller.Certificate("/CN=localhost", credential.chain());
    SecurityContext context =
        Asking.granted(asking.ask(Asking.issue(TrustVersion.OASIS, null), owner, null)).context();
    asking.signers = chain -> new Surroundings.Judgement.Doubted("revoked");
    assertRefused(
        asking.ask(Asking.renew(context), owner, context), Refusal.UNTRUSTED, "UnableToRenew");
  }

  @Test
  void renewWhenPolicyDoesNotAllowItThenIsRefused() {
    SecurityContext context = context();
    TokenEndpoint endpoint = Asking.endpoint(true, false, false);
    assertRefused(
        asking.ask(Asking.renew(context), ADA, context, endpoint, false),
        Refusal.POLICY,
        "UnableToRenew");
  }

  @Test
  void renewWhenAnotherContextIsNamedThenIsRefused() {
    SecurityContext mine = context();
    SecurityContext theirs =
        Asking.granted(
                asking.ask(
                    Asking.issue(TrustVersion.OASIS, null), new Caller.Username("grace"), null))
            .context();
    assertRefused(asking.ask(Asking.renew(theirs), ADA, mine), Refusal.CONTEXT, "BadContextToken");
  }

  private static TokenRequest.Renew withEntropy(SecurityContext context, byte[] mine) {
    return new TokenRequest.Renew(
        TrustVersion.OASIS,
        null,
        new ContextName(context.identifier(), context.instance()),
        null,
        256,
        mine,
        null);
  }

  /** What a request by the bootstrap policy looks like: nothing of the context protects it. */
  @Test
  void renewWhenOwnerLogsInAnewThenNewKeyHasAnInstance() {
    SecurityContext context = context();
    byte[] secret = context.secret();
    asking.clock.advance(Duration.ofMinutes(5));
    byte[] mine = entropy();
    TokenOutcome.Granted granted =
        Asking.granted(asking.ask(withEntropy(context, mine), ADA, null));
    TokenAnswer.Issued issued = Asking.issued(granted);
    assertThat(issued.name().identifier()).isEqualTo(context.identifier());
    assertThat(issued.name().instance()).isNotNull();
    assertThat(issued.secret(mine, null, 0))
        .isEqualTo(granted.context().secret())
        .isNotEqualTo(secret);
    assertThat(asking.contexts.find(context.identifier(), issued.name().instance()))
        .isSameAs(granted.context());
    assertThat(asking.contexts.find(context.identifier(), null)).isSameAs(context);
    assertThat(asking.contexts.live()).isEqualTo(1);
  }

  @Test
  void renewWhenOwnerLogsInAfterTheEndThenItLivesOnUnderANewKeyAlone() {
    SecurityContext context = context();
    for (boolean swept : new boolean[] {false, true}) {
      asking.clock.advance(Duration.ofMinutes(11));
      if (swept) {
        assertThat(asking.contexts.live()).isZero();
      }
      TokenOutcome.Granted granted =
          Asking.granted(asking.ask(withEntropy(context, entropy()), ADA, null));
      assertThat(granted.context().instance()).isNotNull();
      assertThat(granted.context().created()).isEqualTo(context.created());
      assertThat(asking.contexts.find(context.identifier(), null)).isNull();
      assertThat(asking.contexts.find(context.identifier(), granted.context().instance()))
          .isSameAs(granted.context());
      assertThat(asking.contexts.live()).isEqualTo(1);
    }
  }

  @Test
  void renewWhenOwnerLogsInAgainAndAgainThenContextStillEndsAtTheLongestLifetime() {
    SecurityContext context = context();
    asking.clock.advance(Duration.ofMinutes(11));
    assertThat(asking.contexts.live()).isZero();
    asking.clock.advance(LIMITS.longest());
    assertRefused(
        asking.ask(withEntropy(context, entropy()), ADA, null), Refusal.POLICY, "RequestFailed");
    assertThat(asking.contexts.live()).isZero();
  }

  @Test
  void renewWhenSomebodyElseLogsInThenIsRefusedAsIfThereWereNoSuchContext() throws IOException {
    SecurityContext context = context();
    byte[] secret = context.secret();
    var nobody = new Caller.Anonymous();
    for (boolean ended : new boolean[] {false, true}) {
      if (ended) {
        asking.clock.advance(Duration.ofMinutes(11));
        assertThat(asking.contexts.live()).isZero();
      }
      for (Caller each :
          List.of(
              new Caller.Username("grace"),
              new Caller.Username("Ada"),
              new Caller.Username(""),
              nobody,
              new Caller.Token("ada"),
              new Caller.Certificate("ada", List.of()))) {
        TokenOutcome theirs = asking.ask(withEntropy(context, entropy()), each, null);
        assertRefused(theirs, Refusal.CONTEXT, "BadContextToken");
        var unknown =
            new TokenRequest.Renew(
                TrustVersion.OASIS,
                null,
                new ContextName("urn:uuid:99999999-9999-4999-8999-999999999999", null),
                null,
                256,
                entropy(),
                null);
        assertThat(text(Asking.refused(asking.ask(unknown, each, null)).envelope()))
            .isEqualTo(text(Asking.refused(theirs).envelope()));
        Trials.held();
      }
    }
    assertThat(context.secret()).isEqualTo(secret);
    assertThat(asking.audit()).anySatisfy(line -> assertThat(line).contains("somebody else"));
  }

  @Test
  void renewWhenNamesakeOfAnotherAuthorityLogsInThenIsRefused() throws IOException {
    var one = certified("one");
    SecurityContext context =
        Asking.granted(asking.ask(Asking.issue(TrustVersion.OASIS, null), one, null)).context();
    assertRefused(
        asking.ask(withEntropy(context, entropy()), certified("two"), null),
        Refusal.CONTEXT,
        "BadContextToken");
    Asking.granted(asking.ask(withEntropy(context, entropy()), one, null));
  }

  private Caller.Certificate certified(String authority) {
    var issuer =
        CertificateIssuer.create(authority, KeyKind.EC_P256, Duration.ofDays(1), asking.clock);
    Credential credential =
        issuer.issueHost(
            new HostCertificateRequest(
                List.of("localhost"), KeyKind.EC_P256, Duration.ofHours(12)));
    return new Caller.Certificate("/CN=localhost", credential.chain());
  }

  @Test
  void renewWhenContextWasCancelledThenLoggingInDoesNotBringItBack() {
    SecurityContext context = context();
    asking.granted(Asking.cancel(context.identifier()), context);
    assertRefused(
        asking.ask(withEntropy(context, entropy()), ADA, null), Refusal.CONTEXT, "BadContextToken");
  }

  @Test
  void renewWhenContextIsOfAnotherEndpointThenLoggingInIsNotEnough() {
    SecurityContext context = context();
    var payments =
        new TokenEndpoint("payments", ORDERS.policy(), List.of("https://gateway.example.org/p"));
    assertRefused(
        asking.ask(withEntropy(context, entropy()), ADA, null, payments, false),
        Refusal.CONTEXT,
        "BadContextToken");
  }

  @Test
  void renewWhenOwnerLogsInAndAddsNoEntropyWherePolicyWantsItThenIsRefused() {
    SecurityContext context = context();
    assertRefused(
        asking.ask(Asking.renew(context), ADA, null, Asking.endpoint(true, true, true), false),
        Refusal.POLICY,
        "BadRequest");
  }

  @Test
  void renewWhenOwnerHasTooManyMeanwhileThenOneThatEndedDoesNotComeBack() {
    SecurityContext context = context();
    asking.clock.advance(Duration.ofMinutes(11));
    for (int i = 0; i < LIMITS.mostPerSubject(); i++) {
      context();
    }
    assertThat(Asking.refused(asking.ask(withEntropy(context, entropy()), ADA, null)).reason())
        .isEqualTo(Refusal.NOT_ALLOWED);
  }

  @Test
  void cancelWhenAnotherContextIsNamedThenIsRefusedAndBothLiveOn() {
    SecurityContext mine = context();
    SecurityContext theirs =
        Asking.granted(
                asking.ask(
                    Asking.issue(TrustVersion.OASIS, null), new Caller.Username("grace"), null))
            .context();
    assertRefused(
        asking.ask(Asking.cancel(theirs.identifier()), ADA, mine),
        Refusal.CONTEXT,
        "BadContextToken");
    assertThat(asking.contexts.live()).isEqualTo(2);
    assertThat(theirs.secret()).isNotNull();
  }

  @Test
  void cancelWhenMessageDoesNotProvePossessionThenIsRefused() {
    SecurityContext context = context();
    assertRefused(
        asking.ask(Asking.cancel(context.identifier()), ADA, null),
        Refusal.CONTEXT,
        "BadContextToken");
    assertThat(asking.contexts.find(context.identifier(), null)).isNotNull();
  }

  @Test
  void cancelWhenContextIsOfAnotherEndpointThenIsRefused() {
    SecurityContext context = context();
    var payments =
        new TokenEndpoint("payments", ORDERS.policy(), List.of("https://gateway.example.org/p"));
    assertRefused(
        asking.ask(Asking.cancel(context.identifier()), ADA, context, payments, false),
        Refusal.CONTEXT,
        "BadContextToken");
  }

  @Test
  void cancelWhenPolicyDoesNotAllowItThenIsRefused() {
    SecurityContext context = context();
    assertRefused(
        asking.ask(
            Asking.cancel(context.identifier()),
            ADA,
            context,
            Asking.endpoint(false, true, false),
            false),
        Refusal.POLICY,
        "RequestFailed");
  }

  @Test
  void cancelWhenGrantedThenNobodyFindsItAndSecretIsOverwrittenAfterTheAnswer() {
    SecurityContext context = context();
    TokenOutcome.Granted granted = asking.granted(Asking.cancel(context.identifier()), context);
    assertThat(text(granted.envelope())).contains("RequestedTokenCancelled");
    assertThat(asking.contexts.find(context.identifier(), null)).isNull();
    assertThat(context.secret()).isNotNull();
    granted.settle();
    assertThat(context.secret()).isNull();
    TokenOutcome.Refused again =
        Asking.refused(asking.ask(Asking.cancel(context.identifier()), ADA, context));
    assertThat(again.reason()).isEqualTo(Refusal.CONTEXT);
  }

  @Test
  void cancelWhenTokenInTheHeaderIsNamedByItsIdThenItIsThatOfTheMessage() {
    SecurityContext context = context();
    asking.granted(Asking.cancel("#sct-1"), context);
    assertThat(asking.contexts.live()).isZero();
  }

  @Test
  void issueWhenNotGrantedThenAnswersIssuesFaultInTheDialectOfTheAction() {
    var request =
        new TokenRequest.Issue(
            TrustVersion.FEBRUARY_2005,
            null,
            TrustVersion.FEBRUARY_2005,
            "https://other.example.org/",
            0,
            null,
            null);
    assertThat(text(Asking.refused(asking.ask(request, ADA, null)).envelope()))
        .contains(Namespaces.TRUST_2005)
        .contains("http://www.w3.org/2005/08/addressing/soap/fault")
        .doesNotContain("other.example.org");
  }
}
