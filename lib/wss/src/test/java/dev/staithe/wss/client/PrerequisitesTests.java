package dev.staithe.wss.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** What callers are told that they need is what they need, and it is told in sentences. */
class PrerequisitesTests {
  static final List<String> NAMES = BuiltInPolicies.NAMES;
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir static Path folder;
  private static Credential client;
  private static Credential service;

  @BeforeAll
  static void make() {
    var authority = ThrowAwayAuthority.in(folder, CLOCK);
    client = authority.host(request("client")).credential();
    service = authority.host(request("service")).credential();
  }

  private static HostCertificateRequest request(String name) {
    return new HostCertificateRequest(List.of(name), KeyKind.RSA_2048, Duration.ofDays(1));
  }

  private static EndpointPolicy policy(String name) {
    return BuiltInPolicies.policy(name, AlgorithmList.MODERN);
  }

  @ParameterizedTest
  @CsvSource({
    "none,''",
    "transport,tls",
    "x509,certificate service",
    "conversation,certificate service",
    "encrypted-key,service",
    "transport-username,user password tls",
    "conversation-bearer,token tls",
  })
  void eachPolicySaysWhatItNeeds(String name, String expected) {
    Prerequisites all = Prerequisites.of(policy(name));
    List<String> found = new ArrayList<>();
    if (all.certificate() || all.tlsCertificate()) {
      found.add("certificate");
    }
    if (all.service()) {
      found.add("service");
    }
    if (all.user()) {
      found.add("user");
    }
    if (all.password()) {
      found.add("password");
    }
    if (all.token()) {
      found.add("token");
    }
    if (all.tls()) {
      found.add("tls");
    }

    assertThat(String.join(" ", found)).isEqualTo(expected);
  }

  private static Holder holder(Prerequisites needed) {
    return new Holder(
        needed.certificate() ? client : null,
        needed.service() ? service.certificate() : null,
        needed.user() ? "ada" : null,
        needed.password() ? new byte[] {'p'} : null,
        needed.token() ? "token" : null);
  }

  /** The part of a policy that is met before there is any context. */
  private static EndpointPolicy first(EndpointPolicy policy) {
    return policy.binding() instanceof Binding.Conversation conversation
        ? conversation.bootstrap()
        : policy;
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void whoHasWhatIsNeededCanBegin(String name) {
    EndpointPolicy policy = policy(name);

    assertThatCode(
            () -> new Initiator(first(policy), holder(Prerequisites.of(policy)), null, CLOCK))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "x509,certificate",
    "x509,service",
    "conversation,certificate",
    "conversation,service",
    "encrypted-key,service",
    "username,user",
    "username,password",
    "transport-username,user",
    "transport-username,password",
  })
  void whoLacksOneThingCannotSecureAnything(String name, String lacking) {
    EndpointPolicy policy = policy(name);
    Holder all = holder(Prerequisites.of(policy));
    Holder less =
        new Holder(
            lacking.equals("certificate") ? null : all.credential(),
            lacking.equals("service") ? null : all.service(),
            lacking.equals("user") ? null : all.user(),
            lacking.equals("password") ? null : all.password(),
            all.token());

    assertThatThrownBy(
            () ->
                new Initiator(first(policy), less, null, CLOCK)
                    .secure(
                        PlainRequest.of(
                            dev.staithe.xml.SoapVersion.SOAP_1_1, "urn:a", "http://t", "<a/>")))
        .isInstanceOf(UnusableMessage.class)
        .message()
        .isNotBlank()
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void policyIsToldInWholeSentences(String name) {
    assertThat(PolicyInWords.of(policy(name)))
        .isNotEmpty()
        .allMatch(each -> each.matches("[A-Z].*\\."), "a sentence")
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void wordsNameWhatIsNeeded(String name) {
    Prerequisites needed = Prerequisites.of(policy(name));
    String words = PolicyInWords.of(policy(name)).stream().collect(Collectors.joining("\n"));

    assertThat(words.contains("password")).isEqualTo(needed.password());
    assertThat(words.contains("token of authn-service")).isEqualTo(needed.token());
    assertThat(words.contains("asks for first"))
        .isEqualTo(policy(name).binding() instanceof Binding.Conversation);
  }

  @Test
  void wordsOfConversationTellHowAContextIsComeBy() {
    assertThat(PolicyInWords.of(policy("conversation")))
        .anyMatch(each -> each.startsWith("A context "))
        .anyMatch(each -> each.startsWith("To ask for one: Both sides sign"))
        .anyMatch(each -> each.startsWith("Signed must be: "))
        .anyMatch(each -> each.startsWith("Encrypted must be: "));
  }

  @Test
  void nothingIsToldOfSuitesWhereOnlyTlsProtects() {
    assertThat(PolicyInWords.of(policy("transport")))
        .first()
        .asString()
        .startsWith("TLS protects messages");
    assertThat(PolicyInWords.of(policy("transport"))).noneMatch(each -> each.startsWith("By "));
  }
}
