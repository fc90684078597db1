package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.backend.BackEnd;
import dev.staithe.gateway.backend.CallerFields;
import dev.staithe.gateway.publish.Published;
import dev.staithe.gateway.publish.Wsdl;
import dev.staithe.gateway.trust.MemoryReplays;
import dev.staithe.gateway.trust.PasswordBrake;
import dev.staithe.testkit.Trials;
import dev.staithe.wss.Caller;
import dev.staithe.wss.Expectation;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.PlainMessage;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.Reply;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.wss.stream.PassingEngine;
import dev.staithe.xml.SoapVersion;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where answers and faults may be wanted, whatever protects a message. */
final class AddressingTests {
  private static final String ANONYMOUS = "http://www.w3.org/2005/08/addressing/anonymous";
  private static final String NONE = "http://www.w3.org/2005/08/addressing/none";
  private static final String ANONYMOUS_2004 =
      "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous";
  private static final URI ADDRESS = URI.create("https://gate.example.org/jobs");

  static Stream<String> policies() {
    return BuiltInPolicies.NAMES.stream();
  }

  private static Admission.Verdict judge(
      String name, @Nullable String replyTo, @Nullable String faultTo) {
    Clock clock = Clock.systemUTC();
    byte[] document = BuiltInPolicies.document(name, AlgorithmList.MODERN);
    EndpointPolicy policy = BuiltInPolicies.policy(name, AlgorithmList.MODERN);
    var expectation =
        new Expectation("/jobs", policy, AlgorithmList.MODERN, Expectation.Limits.DEFAULT, false);
    var endpoint =
        new Endpoint(
            new Endpoint.Settings(
                "/jobs", ADDRESS, Set.of(), Set.of(), CallerFields.NOTHING, 1 << 20),
            new BackEnd(URI.create("http://127.0.0.1:1/"), null, Duration.ofSeconds(1), 1 << 20),
            Wsdl.ofFile(
                Path.of("no.wsdl"),
                () -> new Published(name, document, policy),
                Duration.ofMinutes(1),
                clock),
            new InForce(name, document, expectation, null, new PassingEngine()));
    var message =
        new PlainMessage(
            SoapVersion.SOAP_1_1,
            List.of(),
            new byte[0],
            Map.of(),
            null,
            new PlainMessage.Addressing(
                Namespaces.WSA, "urn:do", "urn:1", ADDRESS.toString(), replyTo, faultTo));
    var opened =
        new Opening.Opened(
            message,
            new Caller.Anonymous(),
            new Reply(message.version(), new Reply.Keys.None(), List.of(), "urn:1"),
            Findings.NOTHING);
    return new Admission(
            new Judges(
                chain -> null,
                token -> null,
                new PasswordBrake(clock),
                new MemoryReplays(10, clock),
                false,
                null,
                clock))
        .judge(
            endpoint,
            expectation,
            new Incoming(SoapVersion.SOAP_1_1, "text/xml", null, null),
            Optional.empty(),
            opened);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void answerOrFaultThatIsWantedElsewhereIsRefused(String policy) {
    for (String each : List.of("http://attacker/", ANONYMOUS + "/", "", ADDRESS.toString())) {
      assertThat(List.of(judge(policy, null, each), judge(policy, ANONYMOUS, each)))
          .as("faults to " + each)
          .allSatisfy(AddressingTests::assertRefused);
      assertThat(List.of(judge(policy, each, null), judge(policy, each, NONE)))
          .as("answers to " + each)
          .allSatisfy(AddressingTests::assertRefused);
      Trials.held();
    }
  }

  private static void assertRefused(Admission.Verdict verdict) {
    assertThat(verdict)
        .isEqualTo(
            new Admission.Verdict.Refused(Refusal.ACTION, "the answer is wanted somewhere else"));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void answerAndFaultThatAreWantedTheSameWayOrNotAtAllAreNoTrouble(String policy) {
    for (String each : List.of(ANONYMOUS, ANONYMOUS_2004, NONE)) {
      assertThat(judge(policy, each, each)).isEqualTo(new Admission.Verdict.Admitted("urn:do"));
    }
    assertThat(judge(policy, null, null)).isEqualTo(new Admission.Verdict.Admitted("urn:do"));
  }
}
