package dev.staithe.gateway.attack;

import static dev.staithe.gateway.attack.Stage.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.attack.Stage.Judge;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.client.SecuredRequest;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.Binding;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/** Weaker algorithms, tokens of another kind, and messages whose time is over. */
class DowngradeAttackTests {
  private static final String SAML_2 = "urn:oasis:names:tc:SAML:2.0:assertion";
  private static final String SAML_1 = "urn:oasis:names:tc:SAML:1.0:assertion";

  private Stage stage;

  @BeforeEach
  void raise() {
    stage = new Stage();
  }

  static Stream<Arguments> cases() {
    return Stream.of("x509", "conversation")
        .map(name -> BuiltInPolicies.policy(name, AlgorithmList.MODERN))
        .flatMap(policy -> Stream.of(Judge.values()).map(judge -> Arguments.of(judge, policy)));
  }

  /** A client that still follows the standard's suites, at an endpoint that does not. */
  @ParameterizedTest
  @MethodSource("cases")
  void wholeMessageOfAnOldSuite(Judge judge, EndpointPolicy policy) {
    EndpointPolicy old =
        BuiltInPolicies.policy(
            policy.binding() instanceof Binding.Asymmetric ? "x509" : "conversation",
            AlgorithmList.INTEROP);
    refused(stage.open(judge, policy, stage.ofAda(old).envelope()), Refusal.ALGORITHM);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void signatureMethodDowngraded(Judge judge, EndpointPolicy policy) {
    for (String each :
        List.of(
            Namespaces.DS + "rsa-sha1",
            Namespaces.DS + "hmac-sha1",
            Namespaces.DS + "dsa-sha1",
            "http://www.w3.org/2001/04/xmldsig-more#rsa-md5",
            "http://www.w3.org/2001/04/xmldsig-more#hmac-md5",
            "urn:none",
            "")) {
      refused(
          stage.attack(
              judge,
              policy,
              cut -> cut.first(Namespaces.DS, "SignatureMethod").setAttribute("Algorithm", each)),
          Refusal.ALGORITHM);
    }
  }

  /** The public key of a certificate is no secret: never the key of a MAC. */
  @ParameterizedTest
  @EnumSource
  void macInTheNameOfACertificate(Judge judge) {
    refused(
        stage.attack(
            judge,
            Stage.x509(),
            cut ->
                cut.first(Namespaces.DS, "SignatureMethod")
                    .setAttribute(
                        "Algorithm", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256")),
        Refusal.ALGORITHM);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void digestDowngraded(Judge judge, EndpointPolicy policy) {
    for (String each :
        List.of(Namespaces.DS + "sha1", "http://www.w3.org/2001/04/xmldsig-more#md5", "urn:none")) {
      refused(
          stage.attack(
              judge,
              policy,
              cut ->
                  Cut.child(cut.first(Namespaces.DS, "Reference"), "DigestMethod")
                      .setAttribute("Algorithm", each)),
          Refusal.ALGORITHM);
    }
  }

  /** CVE-2009-0217: a MAC of eight bits is guessed. */
  @ParameterizedTest
  @EnumSource
  void macTruncated(Judge judge) {
    for (String bits : List.of("0", "8", "160")) {
      refused(
          stage.attack(
              judge,
              Stage.conversation(),
              cut -> {
                Element length = cut.document.createElementNS(Namespaces.DS, "ds:HMACOutputLength");
                length.setTextContent(bits);
                cut.first(Namespaces.DS, "SignatureMethod").appendChild(length);
              }),
          Refusal.ALGORITHM,
          Refusal.POLICY);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void canonicalizationOfSignedInfoWithCommentsOrInclusive(Judge judge, EndpointPolicy policy) {
    for (String each :
        List.of(
            Namespaces.EXC_C14N + "WithComments",
            "http://www.w3.org/TR/2001/REC-xml-c14n-20010315")) {
      refused(
          stage.attack(
              judge,
              policy,
              cut ->
                  cut.first(Namespaces.DS, "CanonicalizationMethod")
                      .setAttribute("Algorithm", each)),
          Refusal.ALGORITHM);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void samlWhereNoneIsExpected(Judge judge, EndpointPolicy policy) {
    for (String namespace : List.of(SAML_1, SAML_2)) {
      refused(
          stage.attack(
              judge,
              policy,
              cut -> {
                Element assertion = cut.document.createElementNS(namespace, "saml:Assertion");
                assertion.setAttribute("ID", "a");
                cut.security().insertBefore(assertion, cut.security().getFirstChild());
              }),
          Refusal.TOKEN);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void signatureOfNothing(Judge judge, EndpointPolicy policy) {
    refused(
        stage.attack(
            judge,
            policy,
            cut -> {
              for (Element each : cut.all(Namespaces.DS, "Reference")) {
                each.getParentNode().removeChild(each);
              }
            }),
        Refusal.SIGNATURE,
        Refusal.COVERAGE,
        Refusal.POLICY,
        Refusal.MALFORMED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void signatureTakenAway(Judge judge, EndpointPolicy policy) {
    refused(
        stage.attack(
            judge,
            policy,
            cut -> cut.security().removeChild(Cut.child(cut.security(), "Signature"))),
        Refusal.COVERAGE,
        Refusal.POLICY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void securityTakenAway(Judge judge, EndpointPolicy policy) {
    refused(
        stage.attack(judge, policy, cut -> cut.header().removeChild(cut.security())),
        Refusal.NO_SECURITY);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void tamperedTimestamp(Judge judge, EndpointPolicy policy) {
    refused(
        stage.attack(
            judge,
            policy,
            cut ->
                Cut.child(Cut.child(cut.security(), "Timestamp"), "Expires")
                    .setTextContent("2026-11-21T12:04:59.999Z")),
        Refusal.SIGNATURE);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void staleTimestamp(Judge judge, EndpointPolicy policy) {
    SecuredRequest good = stage.ofAda(policy);
    stage.clock.advance(Duration.ofMinutes(7));
    refused(stage.open(judge, policy, good.envelope()), Refusal.STALE);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void timestampFromTheFuture(Judge judge, EndpointPolicy policy) {
    stage.clock.advance(Duration.ofMinutes(10));
    SecuredRequest early = stage.ofAda(policy);
    stage.clock.advance(Duration.ofMinutes(-10));
    refused(stage.open(judge, policy, early.envelope()), Refusal.STALE);
  }

  /** The engines remember nothing: what comes again gives the same mark, and another another. */
  @ParameterizedTest
  @MethodSource("cases")
  void replayIsKnownByItsSignature(Judge judge, EndpointPolicy policy) {
    SecuredRequest good = stage.ofAda(policy);
    byte[] first = mark(judge, policy, good.envelope());
    byte[] again = mark(judge, policy, good.envelope());
    byte[] other = mark(judge, policy, stage.ofAda(policy).envelope());

    assertThat(Arrays.equals(first, again)).isTrue();
    assertThat(Arrays.equals(first, other)).isFalse();
  }

  private byte[] mark(Judge judge, EndpointPolicy policy, byte[] envelope) {
    List<Findings.Once> once =
        ((Opening.Opened) stage.open(judge, policy, envelope)).findings().once();
    assertThat(once).isNotEmpty();
    return once.getFirst().digest();
  }

  /**
   * The prefix of an xsi:type is not covered where nothing says so: another meaning fits as well.
   */
  @ParameterizedTest
  @MethodSource("cases")
  void declarationInjectedIntoAPrefixOfSignedContent(Judge judge, EndpointPolicy policy) {
    EndpointPolicy open = Stage.signedOnly(policy);
    String typed =
        "<p:pay xmlns:p=\"urn:pay\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
            + " xsi:type=\"t:small\"></p:pay>";
    byte[] message =
        stage.secured(open, stage.ada, stage.context(Stage.ADA_CONTEXT, null), typed).envelope();
    String text = new String(message, StandardCharsets.UTF_8);
    int at = text.indexOf("Envelope") + "Envelope".length();
    String injected = text.substring(0, at) + " xmlns:t=\"urn:mallory\"" + text.substring(at);
    refused(
        stage.open(judge, open, injected.getBytes(StandardCharsets.UTF_8)),
        Refusal.COVERAGE,
        Refusal.MALFORMED);
  }

  @ParameterizedTest
  @EnumSource
  void signerOfAnotherAuthority(Judge judge) {
    var other = Stage.elsewhere();
    byte[] message = other.secured(Stage.x509(), stage.ada, null, Stage.PAYLOAD).envelope();
    // Encrypted for somebody else's key: not even the key is unwrapped.
    refused(
        stage.open(judge, Stage.x509(), message),
        Refusal.SIGNATURE,
        Refusal.DECRYPTION,
        Refusal.TOKEN,
        Refusal.UNTRUSTED);
    EndpointPolicy open = Stage.signedOnly(Stage.x509());
    refused(
        stage.open(judge, open, stage.secured(open, other.ada, null, Stage.PAYLOAD).envelope()),
        Refusal.UNTRUSTED);
  }
}
