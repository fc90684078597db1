package dev.staithe.gateway.trust;

import static dev.staithe.gateway.trust.Asking.ADA;
import static dev.staithe.gateway.trust.Asking.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.trust.Lifetime;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.wss.trust.TokenRequest;
import dev.staithe.wss.trust.TrustAction;
import dev.staithe.wss.trust.TrustVersion;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests for new contexts, and their ends. */
class TokenDoorTests extends TokenDoorFixture {
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
