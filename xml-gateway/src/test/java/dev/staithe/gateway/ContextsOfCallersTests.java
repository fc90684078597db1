package dev.staithe.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.Credential;
import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.RequestedKey;
import dev.staithe.pki.ca.CertificateProfile;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.pki.ca.PersonCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.SecurityContext;
import dev.staithe.wss.client.Holder;
import dev.staithe.wss.client.Initiator;
import dev.staithe.wss.client.PlainRequest;
import dev.staithe.wss.client.SoapCaller;
import dev.staithe.wss.client.SoapResponse;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import dev.staithe.xml.SoapVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Contexts from their beginning to their end, over the wire. */
final class ContextsOfCallersTests {
  private static final EndpointPolicy POLICY =
      BuiltInPolicies.policy("conversation", AlgorithmList.MODERN);
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir private static Path folder;
  private static RunningGateway gateway;
  private static Holder holder;
  private static URI at;

  @BeforeAll
  static void start() throws IOException {
    ThrowAwayAuthority people = ThrowAwayAuthority.in(folder.resolve("people"), CLOCK);
    Credential own =
        people
            .issuer()
            .issueHost(
                new HostCertificateRequest(
                    List.of("gateway"), KeyKind.RSA_2048, Duration.ofDays(1)));
    own.write(folder.resolve("message.pem"), folder.resolve("message-key.pem"));
    RequestedKey key = RequestedKey.make(KeyKind.RSA_2048);
    Credential ada =
        new Credential(
            key.key(),
            List.of(
                people
                    .issuer()
                    .issuePerson(
                        PersonCertificateRequest.of(
                            DistinguishedName.parse("/DC=org/DC=staithe/CN=Ada"),
                            key.publicKey(),
                            Duration.ofHours(1)),
                        CertificateProfile.plain())));
    holder = Holder.of(ada, own.certificate());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("staithe.message.certificate", folder.resolve("message.pem"));
    settings.put("staithe.message.key", folder.resolve("message-key.pem"));
    settings.put("staithe.message.trust", people.certificateFile());
    settings.put("staithe.endpoints[0].path", "/echo");
    settings.put("staithe.endpoints[0].policy", "conversation");
    gateway = RunningGateway.start(folder.resolve("gateway"), settings);
    at = URI.create(gateway.url() + "/echo");
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static SoapCaller caller() throws IOException {
    return new SoapCaller(at, POLICY, holder, gateway.authority().clientContext(), CLOCK);
  }

  private static PlainRequest say(SoapVersion version) {
    return PlainRequest.of(
        version,
        "",
        at.toString(),
        "<echo xmlns=\"http://www.nordugrid.org/schemas/echo\"><say>hello</say></echo>");
  }

  private static void assertHeard(SoapResponse heard) {
    assertThat(heard)
        .isInstanceOfSatisfying(
            SoapResponse.Message.class, answer -> assertThat(answer.payload()).contains(">hello<"));
  }

  @ParameterizedTest
  @EnumSource
  void contextIsRenewedAndCallsGoOnInIt(SoapVersion version) throws IOException {
    try (SoapCaller caller = caller()) {
      assertHeard(caller.call(say(version)));
      SecurityContext before = caller.context(version);
      SecurityContext after = caller.renew(version);
      assertThat(after.identifier()).isEqualTo(before.identifier());
      assertThat(after.expires()).isAfter(before.expires());
      assertHeard(caller.call(say(version)));
      assertThat(caller.context(version)).isSameAs(after);
      assertThat(caller.cancel(version)).isTrue();
      assertThat(caller.cancel(version)).isFalse();
    }
  }

  @Test
  void contextThatTheGatewayHasForgottenIsReplacedWithoutTheCallerNoticing() throws IOException {
    try (SoapCaller caller = caller()) {
      SecurityContext before = caller.context(SoapVersion.SOAP_1_1);
      var kept = gateway.bean(MessageParts.class).contexts();
      SecurityContext forgotten = kept.find(before.identifier(), before.instance());
      assertThat(forgotten).isNotNull();
      kept.end(forgotten);
      assertHeard(caller.call(say(SoapVersion.SOAP_1_1)));
      assertThat(caller.context(SoapVersion.SOAP_1_1).identifier())
          .isNotEqualTo(before.identifier());
    }
  }

  @Test
  void messageInACancelledContextIsRefused() throws IOException {
    try (SoapCaller caller = caller()) {
      SecurityContext context = caller.context(SoapVersion.SOAP_1_1);
      var stolen = new Initiator(POLICY, Holder.NOBODY, copy(context), CLOCK);
      assertThat(post(stolen).statusCode()).isEqualTo(200);
      assertThat(caller.cancel(SoapVersion.SOAP_1_1)).isTrue();
      var answer = post(stolen);
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains("BadContextToken").doesNotContain("hello");
    }
  }

  private static HttpResponse<String> post(Initiator initiator) throws IOException {
    byte[] envelope = initiator.secure(say(SoapVersion.SOAP_1_1)).envelope();
    return gateway.post("/echo", new String(envelope, StandardCharsets.UTF_8));
  }

  private static SecurityContext copy(SecurityContext context) {
    byte[] secret = context.secret();
    assertThat(secret).isNotNull();
    return new SecurityContext(
        context.identifier(),
        context.instance(),
        context.namespace(),
        context.endpoint(),
        context.policyVersion(),
        context.owner(),
        context.created(),
        context.expires(),
        secret);
  }
}
