package dev.staithe.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.backend.BackEnd;
import dev.staithe.gateway.backend.CallerFields;
import dev.staithe.gateway.publish.Published;
import dev.staithe.gateway.publish.Wsdl;
import dev.staithe.gateway.trust.MemoryReplays;
import dev.staithe.gateway.trust.PasswordBrake;
import dev.staithe.testkit.MutableClock;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whether a message may have been here before anybody remembered. */
final class AgeOfMessagesTests {
  private static final URI ADDRESS = URI.create("https://gate.example.org/jobs");
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  private final MutableClock clock = MutableClock.at(START);

  private Admission.Verdict judge(MemoryReplays replays, Findings findings) {
    byte[] document = BuiltInPolicies.document("x509", AlgorithmList.MODERN);
    EndpointPolicy policy = BuiltInPolicies.policy("x509", AlgorithmList.MODERN);
    var expectation =
        new Expectation("/jobs", policy, AlgorithmList.MODERN, Expectation.Limits.DEFAULT, false);
    var endpoint =
        new Endpoint(
            new Endpoint.Settings(
                "/jobs", ADDRESS, Set.of(), Set.of(), CallerFields.NOTHING, 1 << 20),
            new BackEnd(URI.create("http://127.0.0.1:1/"), null, Duration.ofSeconds(1), 1 << 20),
            Wsdl.ofFile(
                Path.of("no.wsdl"),
                () -> new Published("x509", document, policy),
                Duration.ofMinutes(1),
                clock),
            new InForce("x509", document, expectation, null, new PassingEngine()));
    var message =
        new PlainMessage(
            SoapVersion.SOAP_1_1,
            List.of(),
            new byte[0],
            Map.of(),
            null,
            new PlainMessage.Addressing(
                Namespaces.WSA, "urn:do", "urn:1", ADDRESS.toString(), null, null));
    var opened =
        new Opening.Opened(
            message,
            new Caller.Anonymous(),
            new Reply(message.version(), new Reply.Keys.None(), List.of(), "urn:1"),
            findings);
    return new Admission(
            new Judges(
                chain -> null,
                token -> null,
                new PasswordBrake(clock),
                replays,
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

  /**
   * A store that several gateways share may lose its memory between the two, and another message
   * learn of that: by what was known before its own mark an old message would be a new one.
   */
  @Test
  void messageIsTooOldByWhatIsKnownOnceItIsMarked() {
    var once = new Findings.Once(new byte[] {1, 2, 3}, START.plusSeconds(60));
    var findings =
        new Findings(
            "stream",
            List.of(),
            List.of(),
            List.of(),
            START.minusSeconds(30),
            null,
            List.of(once),
            null);
    try (var replays = new MemoryReplays(10, clock)) {
      assertThat(judge(replays, findings))
          .isInstanceOfSatisfying(
              Admission.Verdict.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Refusal.STALE));
      assertThat(judge(replays, findings))
          .as("it is marked all the same")
          .isInstanceOfSatisfying(
              Admission.Verdict.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Refusal.REPLAY));
    }
  }

  /** Who knows passwords is asked in between: the mark of the first one may be forgotten by now. */
  @Test
  void messageThatBecameTooOldWhileItWasJudgedIsRefused() {
    var findings =
        new Findings(
            "dom",
            List.of(),
            List.of(),
            List.of(),
            START,
            null,
            List.of(new Findings.Once(new byte[] {1, 2, 3}, START)),
            null);
    try (var replays = new MemoryReplays(10, clock)) {
      assertThat(judge(replays, findings))
          .isInstanceOfSatisfying(
              Admission.Verdict.Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Refusal.STALE));
    }
  }
}
