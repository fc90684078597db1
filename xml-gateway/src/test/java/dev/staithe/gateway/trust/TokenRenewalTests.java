package dev.staithe.gateway.trust;

import static dev.staithe.gateway.trust.Asking.ADA;
import static dev.staithe.gateway.trust.Asking.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.trust.ContextName;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.wss.trust.TokenRequest;
import dev.staithe.wss.trust.TrustVersion;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Renewals: by whoever shows the key of a context, or logs in anew as its owner. */
class TokenRenewalTests extends TokenDoorFixture {
  @Test
  void renewWhenOnlyTheContextProtectsItThenKeyStaysAndNoneIsSent() {
    SecurityContext context = context();
    byte[] secret = context.secret();
    asking.clock.advance(Duration.ofMinutes(5));
    TokenOutcome.Granted granted = asking.granted(Asking.renew(context), context);
    TokenAnswer.Issued issued = Asking.issued(granted);
    assertThat(issued.key()).isEqualTo(new TokenAnswer.Key.Unspecified());
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
    asking.signers = chain -> new Surroundings.Judgement.Untrusted("revoked");
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
}
