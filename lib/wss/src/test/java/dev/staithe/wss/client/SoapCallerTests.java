package dev.staithe.wss.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.trust.ContextName;
import dev.staithe.wss.trust.TokenAnswer;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contexts over their whole life, with a service that forgets, refuses and lies. */
class SoapCallerTests {
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

  private SoapResponse call() throws IOException {
    return caller.call(
        PlainRequest.of(
            SoapVersion.SOAP_1_1,
            "urn:say",
            service.address().toString(),
            "<say xmlns=\"urn:t\">psst</say>"));
  }

  private void answered() throws IOException {
    assertThat(call())
        .isInstanceOfSatisfying(
            SoapResponse.Message.class,
            it -> assertThat(it.payload()).isEqualTo(ConversationService.PAYLOAD));
  }

  private static UnaryOperator<TokenAnswer> named(String identifier) {
    return answer ->
        answer instanceof TokenAnswer.Issued issued
            ? new TokenAnswer.Issued(
                issued.version(),
                issued.context(),
                issued.tokenVersion(),
                new ContextName(identifier, null),
                issued.tokenId(),
                issued.appliesTo(),
                issued.key(),
                issued.keyBits(),
                issued.created(),
                issued.expires())
            : answer;
  }

  @Test
  void contextIsAskedForOnceAndServesAllCalls() throws IOException {
    answered();
    answered();
    answered();

    assertThat(service.asked).containsExactly("issue", "call", "call", "call");
    assertThat(service.calls()).allMatch(each -> !each.contains("psst"));
  }

  /** As one that staithe cert makes where nobody says of which kind. */
  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation"})
  void ownKeyThatTakesNoAnswerIsToldBeforeAnythingIsSent(String name) {
    Credential curved =
        ThrowAwayAuthority.in(folder.resolve("curved"), clock)
            .host(
                new HostCertificateRequest(List.of("curved"), KeyKind.EC_P256, Duration.ofDays(1)))
            .credential();

    assertThatThrownBy(
            () ->
                new SoapCaller(
                    service.address(),
                    BuiltInPolicies.policy(name, AlgorithmList.MODERN),
                    Holder.of(curved, curved.certificate()),
                    null,
                    clock))
        .isInstanceOf(UnusableMessage.class)
        .hasMessageContaining("not RSA");
    assertThat(service.asked).isEmpty();
  }

  @Test
  void callsAtOnceAskForOneContext() throws Exception {
    Callable<SecurityContext> asking = () -> caller.context(SoapVersion.SOAP_1_1);
    Set<SecurityContext> contexts = ConcurrentHashMap.newKeySet();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var each : threads.invokeAll(Collections.nCopies(8, asking))) {
        contexts.add(each.get());
      }
    }

    assertThat(contexts).hasSize(1);
    assertThat(service.asked).containsExactly("issue");
  }

  @Test
  void contextIsRenewedBeforeItEndsAndKeepsItsName() throws IOException {
    answered();
    String before = caller.context(SoapVersion.SOAP_1_1).identifier();

    clock.advance(Duration.ofMinutes(9).plusSeconds(45));
    answered();

    assertThat(service.asked).containsExactly("issue", "call", "renew", "call");
    SecurityContext after = caller.context(SoapVersion.SOAP_1_1);
    assertThat(after.identifier()).isEqualTo(before);
    assertThat(after.expires()).isEqualTo(clock.instant().plus(service.lifetime));
  }

  @Test
  void contextWithTimeLeftIsNotRenewed() throws IOException {
    answered();

    clock.advance(Duration.ofMinutes(9));
    answered();

    assertThat(service.asked).containsExactly("issue", "call", "call");
  }

  @Test
  void contextThatEndedIsReplaced() throws IOException {
    answered();

    clock.advance(service.lifetime);
    answered();

    assertThat(service.asked).containsExactly("issue", "call", "issue", "call");
  }

  @Test
  void contextThatIsNotRenewedIsReplaced() throws IOException {
    answered();
    Duration before = service.lifetime;
    service.lifetime = Duration.ZERO;
    clock.advance(before.minusSeconds(10));
    assertThatThrownBy(() -> caller.renew(SoapVersion.SOAP_1_1))
        .isInstanceOf(IOException.class)
        .hasMessage(service.address() + " renews no context");

    service.lifetime = before;
    service.contexts.clear();
    answered();

    assertThat(service.count("issue")).isEqualTo(2);
  }

  @Test
  void contextThatTheServiceForgotIsReplacedAndTheCallMadeAgain() throws IOException {
    answered();
    service.contexts.clear();

    answered();

    assertThat(service.asked).containsExactly("issue", "call", "call", "issue", "call");
  }

  @Test
  void serviceThatForgetsEachContextIsNotAskedForEver() throws IOException {
    service.forgetful = true;

    assertThat(call())
        .isInstanceOfSatisfying(
            SoapResponse.Fault.class,
            it -> {
              assertThat(it.code()).isEqualTo("BadContextToken");
              assertThat(it.secured()).isFalse();
            });

    assertThat(service.asked).containsExactly("issue", "call", "issue", "call");
  }

  @Test
  void cancelledContextHasNoSecretAndIsNotUsedAgain() throws IOException {
    answered();
    SecurityContext context = caller.context(SoapVersion.SOAP_1_1);

    assertThat(caller.cancel(SoapVersion.SOAP_1_1)).isTrue();

    assertThat(context.secret()).isNull();
    assertThat(service.contexts).isEmpty();
    assertThat(caller.cancel(SoapVersion.SOAP_1_1)).isFalse();
    answered();
    assertThat(service.asked).containsExactly("issue", "call", "cancel", "issue", "call");
  }

  @Test
  void closedCallerHasNoSecret() throws IOException {
    SecurityContext context = caller.context(SoapVersion.SOAP_1_1);

    caller.close();

    assertThat(context.secret()).isNull();
    assertThat(service.contexts).as("the service keeps it to its end").hasSize(1);
  }

  @Test
  void renewalThatSpeaksOfAnotherContextIsNotTaken() throws IOException {
    answered();
    service.telling = named("urn:uuid:mine");

    assertThatThrownBy(() -> caller.renew(SoapVersion.SOAP_1_1)).isInstanceOf(IOException.class);

    service.telling = UnaryOperator.identity();
    answered();
    assertThat(service.count("issue")).as("what was known goes on").isEqualTo(1);
  }

  @Test
  void answerToAnotherCallIsNotBelieved() throws IOException {
    byte[][] recorded = new byte[1][];
    service.sending = answer -> recorded[0] = answer;
    answered();
    answered();

    service.sending = answer -> recorded[0];

    assertThat(call()).isEqualTo(new SoapResponse.Untrusted("the answer is to another request"));
  }

  @Test
  void answerInClearIsNotBelieved() throws IOException {
    answered();
    service.sending =
        answer ->
            ("<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>"
                    + ConversationService.PAYLOAD
                    + "</s:Body></s:Envelope>")
                .getBytes(StandardCharsets.UTF_8);

    assertThat(call()).isEqualTo(new SoapResponse.Untrusted("the answer is not protected"));
  }

  @Test
  void contextThatIsGivenInClearIsNotTaken() {
    service.sending =
        answer ->
            ("<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>"
                    + new TokenAnswer.Issued(
                            dev.staithe.wss.trust.TrustVersion.OASIS,
                            null,
                            dev.staithe.wss.trust.TrustVersion.OASIS,
                            new ContextName("urn:uuid:mine", null),
                            "token",
                            null,
                            new TokenAnswer.Key.Chosen(new byte[32]),
                            256,
                            null,
                            null)
                        .payload()
                    + "</s:Body></s:Envelope>")
                .getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(this::call)
        .isInstanceOf(IOException.class)
        .hasMessage(service.address() + " gives no context: the answer is not protected");
    assertThat(service.asked).containsExactly("issue");
  }

  /** RFC 9110 section 8.3.1. */
  @Test
  void typeOfAnAnswerMayBeInCapitals() throws IOException {
    service.type = "Text/XML;charset=UTF-8";

    answered();
  }

  @Test
  void whatIsNoSoapIsOneLine() {
    service.type = "text/html";

    assertThatThrownBy(this::call)
        .isInstanceOf(IOException.class)
        .hasMessage(service.address() + " answers HTTP 200 with text/html");
  }

  @Test
  void serviceThatIsNotThereIsOneLine() throws IOException {
    URI nobody = URI.create("http://127.0.0.1:" + FreePort.next() + "/");
    try (var lost = new SoapCaller(nobody, service.policy, service.holder(), null, clock)) {
      assertThatThrownBy(() -> lost.context(SoapVersion.SOAP_1_1))
          .isInstanceOf(IOException.class)
          .message()
          .startsWith(nobody + ": ")
          .doesNotContain("\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"transport", "transport-username", "conversation-bearer"})
  void policyThatDemandsTlsIsNotSpokenInClear(String name) {
    var policy = BuiltInPolicies.policy(name, AlgorithmList.MODERN);

    assertThat(SoapCaller.demandsTls(policy)).isTrue();
    assertThatThrownBy(
            () ->
                new SoapCaller(
                    service.address(), policy, Holder.of("ada", new byte[] {'x'}), null, clock))
        .isInstanceOf(UnusableMessage.class)
        .hasMessageContaining("demands TLS");
    assertThat(service.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "encrypted-key", "username"})
  void whatIsMissingIsSaidBeforeAnythingIsSent(String name) {
    var policy = BuiltInPolicies.policy(name, AlgorithmList.MODERN);

    assertThatThrownBy(() -> new SoapCaller(service.address(), policy, Holder.NOBODY, null, clock))
        .isInstanceOf(UnusableMessage.class);
    assertThat(service.asked).isEmpty();
  }

  @Test
  void everyCallIsAnotherMessage() throws IOException {
    PlainRequest same =
        PlainRequest.of(SoapVersion.SOAP_1_1, "urn:say", service.address().toString(), "<s></s>");
    caller.call(same);
    caller.call(same);

    List<String> calls = service.calls();
    assertThat(calls).hasSize(2).doesNotHaveDuplicates();
    assertThat(calls.stream().map(SoapCallerTests::messageId)).doesNotHaveDuplicates();
  }

  private static String messageId(String envelope) {
    int at = envelope.indexOf("MessageID");
    return at < 0 ? envelope : envelope.substring(at, envelope.indexOf("</", at));
  }
}
