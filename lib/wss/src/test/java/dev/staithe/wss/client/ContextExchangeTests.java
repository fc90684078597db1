package dev.staithe.wss.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.testkit.MutableClock;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client makes of what is told of contexts, all of it well protected. */
class ContextExchangeTests {
  @TempDir Path folder;
  private final MutableClock clock = MutableClock.at(Instant.now().truncatedTo(ChronoUnit.SECONDS));
  private ConversationService service;
  private SoapCaller caller;

  @BeforeEach
  void start() throws IOException {
    service = new ConversationService(folder, clock);
    caller = service.caller();
  }

  @AfterEach
  void stop() {
    caller.close();
    service.close();
  }

  private SecurityContext context() throws IOException {
    return caller.context(SoapVersion.SOAP_1_1);
  }

  private static UnaryOperator<TokenAnswer> telling(
      TokenAnswer.Key key, int bits, @Nullable Instant created, @Nullable Instant expires) {
    return answer ->
        answer instanceof TokenAnswer.Issued issued
            ? new TokenAnswer.Issued(
                issued.version(),
                issued.context(),
                issued.tokenVersion(),
                issued.name(),
                issued.tokenId(),
                issued.appliesTo(),
                key,
                bits,
                created,
                expires)
            : answer;
  }

  @Test
  void bothSidesComputeTheSameSecretThatWasNeverSent() throws IOException {
    SecurityContext own = context();

    byte[] theirs = service.contexts.get(own.identifier()).secret();
    assertThat(own.secret()).hasSize(32).isEqualTo(theirs);
    assertThat(own.created()).isEqualTo(clock.instant());
    assertThat(own.expires()).isEqualTo(clock.instant().plus(service.lifetime));
    assertThat(new String(service.envelopes.getFirst(), StandardCharsets.UTF_8))
        .doesNotContain("Entropy")
        .doesNotContain("BinarySecret");
  }

  /** WS-Trust 1.4 section 4.4.3: a service may choose the whole key. */
  @Test
  void keyThatTheServiceChoseIsTaken() throws IOException {
    byte[] chosen = Primitives.random(32);
    service.telling =
        telling(new TokenAnswer.Key.Chosen(chosen), 256, clock.instant(), clock.instant());

    assertThat(context().secret()).isEqualTo(chosen);
  }

  @Test
  void timeThatIsNotSaidIsFiveMinutes() throws IOException {
    service.telling = telling(new TokenAnswer.Key.Chosen(Primitives.random(32)), 256, null, null);

    SecurityContext own = context();
    assertThat(own.created()).isEqualTo(clock.instant());
    assertThat(own.expires()).isEqualTo(clock.instant().plus(Duration.ofMinutes(5)));
  }

  @Test
  void cancellationIsNoNewContext() {
    service.telling = answer -> new TokenAnswer.Cancelled(answer.version(), answer.context());

    assertThatThrownBy(this::context)
        .isInstanceOf(IOException.class)
        .message()
        .startsWith(service.address() + " gives no context")
        .doesNotContain("\n");
  }

  @Test
  void newContextIsNoCancellationAndTheSecretIsGoneAnyhow() throws IOException {
    SecurityContext own = context();
    service.telling =
        answer ->
            new TokenAnswer.Issued(
                answer.version(),
                null,
                answer.version(),
                new dev.staithe.wss.trust.ContextName(own.identifier(), null),
                "token",
                null,
                new TokenAnswer.Key.Chosen(Primitives.random(32)),
                256,
                null,
                null);

    assertThat(caller.cancel(SoapVersion.SOAP_1_1)).isFalse();

    assertThat(own.secret()).isNull();
  }

  @Test
  void renewalKeepsTheSecretWhereNothingIsSaidOfIt() throws IOException {
    byte[] before = context().secret();

    clock.advance(Duration.ofMinutes(1));
    SecurityContext renewed = caller.renew(SoapVersion.SOAP_1_1);

    assertThat(renewed.secret()).isEqualTo(before);
    assertThat(renewed.expires()).isEqualTo(clock.instant().plus(service.lifetime));
  }

  @Test
  void contextThatHasEndedIsNeitherRenewedNorCancelled() throws IOException {
    SecurityContext own = context();
    own.end();

    for (String each : List.of("renew", "cancel")) {
      assertThatThrownBy(
              () -> {
                if (each.equals("renew")) {
                  ContextExchange.renew(
                      service.policy, own, SoapVersion.SOAP_1_1, "http://t", null, clock);
                } else {
                  ContextExchange.cancel(
                      service.policy, own, SoapVersion.SOAP_1_1, "http://t", clock);
                }
              })
          .as(each)
          .isInstanceOf(UnusableMessage.class);
    }
  }

  @Test
  void policyWithoutContextsGivesNone() {
    var policy = BuiltInPolicies.policy("x509", AlgorithmList.MODERN);

    assertThatThrownBy(
            () ->
                ContextExchange.issue(
                    policy, service.holder(), SoapVersion.SOAP_1_1, "http://t", null, clock))
        .hasMessage("the policy has nothing to do with contexts");
  }

  @Test
  void lifetimeThatIsWantedIsAskedFor() throws IOException {
    var exchange =
        ContextExchange.issue(
            service.policy,
            service.holder(),
            SoapVersion.SOAP_1_1,
            service.address().toString(),
            Duration.ofHours(1),
            clock);

    assertThat(exchange).hasToString("ContextExchange[" + exchange.request().messageId() + "]");
    assertThat(exchange.request().action()).endsWith("/RST/SCT");
  }

  @Test
  void answerToAnotherQuestionIsNotTaken() throws IOException {
    var answers = new byte[1][];
    service.sending = answer -> answers[0] = answer;
    context();
    var exchange =
        ContextExchange.issue(
            service.policy,
            service.holder(),
            SoapVersion.SOAP_1_1,
            service.address().toString(),
            null,
            clock);

    assertThat(exchange.read(answers[0]))
        .isInstanceOfSatisfying(
            ContextExchange.Outcome.NotGranted.class,
            it -> assertThat(it.heard()).isInstanceOf(SoapResponse.Untrusted.class));
  }
}
