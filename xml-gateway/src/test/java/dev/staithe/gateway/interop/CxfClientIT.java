package dev.staithe.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.gateway.echo.EchoBackEnd;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import jakarta.xml.ws.soap.SOAPFaultException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cxf.ws.security.SecurityConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Apache CXF's client, given the documents that the gateway publishes. */
final class CxfClientIT {
  @TempDir static Path folder;
  private static InteropSite site;

  @BeforeAll
  static void start() throws IOException {
    site =
        new InteropSite(
            folder,
            null,
            List.of(
                "none",
                "transport",
                "x509",
                "encrypted-key",
                "username",
                "transport-username",
                "conversation",
                "conversation-username"),
            strict());
  }

  private static final List<String> STRICT =
      List.of("x509", "encrypted-key", "username", "transport-username", "conversation");

  /** Endpoints more, behind those of the built-in policies. */
  private static Map<String, Object> strict() throws IOException {
    Map<String, Object> settings = new LinkedHashMap<>();
    int number = 16;
    for (String each : STRICT) {
      Path file = Files.write(folder.resolve("strict-" + each + ".xml"), strict(each));
      settings.put("staithe.endpoints[" + number + "].path", "/strict-" + each);
      settings.put("staithe.endpoints[" + number++ + "].policy", file);
    }
    return settings;
  }

  private static byte[] strict(String policy) {
    String text =
        new String(BuiltInPolicies.document(policy, AlgorithmList.MODERN), StandardCharsets.UTF_8);
    assertThat(text).contains("<sp:Lax/>");
    return text.replace("<sp:Lax/>", "<sp:Strict/>").getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x509", "encrypted-key", "username", "transport-username", "conversation"})
  void clientKeepsTheOrderOfTheLayoutStrictAndTakesAnswersInIt(String policy) throws Exception {
    try (CxfClient client = strictClient(policy)) {
      assertThat(client.call(say("in order"))).contains("in order");
    }
  }

  private static CxfClient strictClient(String policy) throws Exception {
    return site.client(
            URI.create(site.url() + "/strict-" + policy), "1.1", site.caller().credential())
        .user(InteropSite.USER, InteropSite.PASSWORD)
        .with(SecurityConstants.VALIDATE_TOKEN, !policy.equals("username"))
        .policy(strict(policy));
  }

  @AfterAll
  static void stop() {
    site.close();
  }

  @ParameterizedTest
  @CsvSource({
    "none, 1.1, MODERN",
    "none, 1.2, INTEROP",
    "transport, 1.1, MODERN",
    "transport, 1.2, INTEROP",
    "x509, 1.1, MODERN",
    "x509, 1.2, MODERN",
    "x509, 1.2, INTEROP",
    "encrypted-key, 1.1, MODERN",
    "encrypted-key, 1.2, INTEROP",
    "username, 1.1, MODERN",
    "username, 1.2, INTEROP",
    "transport-username, 1.1, MODERN",
    "transport-username, 1.2, INTEROP",
    "conversation, 1.1, MODERN",
    "conversation, 1.2, MODERN",
    "conversation, 1.2, INTEROP",
    "conversation-username, 1.1, MODERN",
    "conversation-username, 1.2, INTEROP"
  })
  void clientOfThePolicyIsAnswered(String policy, String soap, AlgorithmList list)
      throws Exception {
    try (CxfClient client =
        site.client(policy, soap, list)
            .user(InteropSite.USER, InteropSite.PASSWORD)
            // The token in an answer under a password's keys is without the password itself.
            .with(SecurityConstants.VALIDATE_TOKEN, !policy.equals("username"))
            .policy(BuiltInPolicies.document(policy, list))) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.call(say("Größe <π> " + i))).contains("Größe &lt;π").contains("" + i);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "x509, EchoPort",
    "x509, EchoPort12",
    "encrypted-key, EchoPort",
    "conversation, EchoPort12"
  })
  void clientThatReadsTheDescriptionNeedsNoOtherDocument(String policy, String port)
      throws Exception {
    try (CxfClient client =
        site.client(policy, "", AlgorithmList.MODERN)
            .described(EchoBackEnd.NAMESPACE, "EchoService", port)) {
      assertThat(client.call(say("described"))).contains("described");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "x509, 1.1, MODERN",
    "x509, 1.2, INTEROP",
    "encrypted-key, 1.2, MODERN",
    "conversation, 1.1, INTEROP",
    "conversation, 1.2, MODERN"
  })
  void faultOfTheServiceComesBackProtected(String policy, String soap, AlgorithmList list)
      throws Exception {
    try (CxfClient client =
        site.client(policy, soap, list).policy(BuiltInPolicies.document(policy, list))) {
      assertThatThrownBy(() -> client.call("<nobody xmlns=\"urn:x\"/>"))
          .isInstanceOf(SOAPFaultException.class)
          .hasMessageContaining("with a say is expected");
      assertThat(client.call(say("and on"))).contains("and on");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x509", "conversation"})
  void callerOfAnUnknownAuthorityIsRefused(String policy) throws Exception {
    ThrowAwayAuthority.Host stranger =
        ThrowAwayAuthority.in(folder.resolve("strangers-" + policy), Clock.systemUTC())
            .host(
                new HostCertificateRequest(
                    List.of("stranger"), KeyKind.RSA_2048, Duration.ofDays(7)));
    try (CxfClient client =
        site.client(site.url(policy, AlgorithmList.MODERN), "1.1", stranger.credential())
            .policy(BuiltInPolicies.document(policy, AlgorithmList.MODERN))) {
      assertThatThrownBy(() -> client.call(say("hello")))
          .hasMessageContaining("the message's security is not valid");
    }
  }

  @Test
  void contextServesManyCalls() throws Exception {
    int before = audited("context.issue");
    try (CxfClient client = conversation(Map.of())) {
      for (int i = 0; i < 5; i++) {
        client.call(say("call " + i));
      }
    }

    assertThat(audited("context.issue") - before).isEqualTo(1);
  }

  /**
   * CXF asks under the bootstrap policy as the owner, but adds nothing to the new key, as the
   * policy demands: refused. It asks anew then.
   */
  @Test
  void contextThatEndsIsAskedForAnewWhereCxfAddsNothingToItsKey() throws Exception {
    String before = site.gateway().audit();
    int issued = audited("context.issue");
    try (CxfClient client = conversation(Map.of())) {
      client.call(say("first"));
      // CXF looks at its own clock only.
      client.context().setExpires(Instant.now().minusSeconds(1));
      assertThat(client.call(say("second"))).contains("second");
      assertThat(client.call(say("third"))).contains("third");
      assertThat(client.context().getExpires()).isAfter(Instant.now());
    }

    assertThat(audited("context.issue") - issued).isEqualTo(2);
    site.gateway().auditsAfter(before, "the requester adds no entropy");
  }

  @Test
  void cancelOfCxfIsRefusedAndItsCallAnsweredAllTheSame() throws Exception {
    try (CxfClient client = conversation(Map.of(SecurityConstants.STS_TOKEN_DO_CANCEL, "true"))) {
      assertThat(client.call(say("once"))).contains("once");
    }

    assertThat(audited("context.cancel")).isZero();
  }

  @Test
  void wrongPasswordIsRefused() throws Exception {
    try (CxfClient client =
        site.client("transport-username", "1.1", AlgorithmList.MODERN)
            .user(InteropSite.USER, "something else")
            .policy(BuiltInPolicies.document("transport-username", AlgorithmList.MODERN))) {
      assertThatThrownBy(() -> client.call(say("hello")))
          .hasMessageContaining("the caller is not authenticated");
    }
  }

  private static CxfClient conversation(Map<String, Object> properties) throws Exception {
    CxfClient.Draft draft = site.client("conversation", "1.2", AlgorithmList.MODERN);
    for (Map.Entry<String, Object> each : properties.entrySet()) {
      draft = draft.with(each.getKey(), each.getValue());
    }
    return draft.policy(BuiltInPolicies.document("conversation", AlgorithmList.MODERN));
  }

  private static int audited(String event) {
    return (int)
        site.gateway()
            .audit()
            .lines()
            .filter(line -> line.contains("\"event\":\"" + event + "\""))
            .count();
  }

  private static String say(String text) {
    return "<e:echo xmlns:e=\"http://www.nordugrid.org/schemas/echo\"><e:say>"
        + text.replace("<", "&lt;")
        + "</e:say></e:echo>";
  }
}
