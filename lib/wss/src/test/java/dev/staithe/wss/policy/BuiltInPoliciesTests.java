package dev.staithe.wss.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.wss.policy.SupportingToken.Kind;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BuiltInPoliciesTests {
  private static final QName ADDRESSING = new QName("http://www.w3.org/2005/08/addressing", "*");

  static Stream<Arguments> all() {
    return BuiltInPolicies.NAMES.stream()
        .flatMap(
            name -> Stream.of(AlgorithmList.values()).map(list -> Arguments.arguments(name, list)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void documentIsReadUnderItsOwnList(String name, AlgorithmList list) {
    EndpointPolicy policy = BuiltInPolicies.policy(name, list);

    assertThat(policy.suite()).isEqualTo(list.usual());
    assertThat(policy.version()).matches("[0-9a-f]{16}");
  }

  @Test
  void interopDocumentIsRefusedUnderTheModernListWhereItsAlgorithmsAreUsed() {
    byte[] document = BuiltInPolicies.document("x509", AlgorithmList.INTEROP);

    assertThat(PolicyReader.read(document, AlgorithmList.MODERN))
        .isEqualTo(
            new PolicyOutcome.Refused(
                "the suite Basic128 uses http://www.w3.org/2000/09/xmldsig#sha1,"
                    + " which the list modern does not allow"));
  }

  @Test
  void noneDemandsNothing() {
    assertThat(policy("none"))
        .returns(new Binding.None(), EndpointPolicy::binding)
        .returns(false, EndpointPolicy::timestamp)
        .returns(Parts.NONE, EndpointPolicy::signed);
  }

  @Test
  void transportDemandsTlsWithoutAClientCertificate() {
    assertThat(policy("transport"))
        .returns(new Binding.Transport(false), EndpointPolicy::binding)
        .returns(false, EndpointPolicy::timestamp);
  }

  @Test
  void x509SignsBodyAndAddressingAndEncryptsTheBody() {
    assertThat(policy("x509"))
        .returns(new Binding.Asymmetric(false), EndpointPolicy::binding)
        .returns(true, EndpointPolicy::timestamp)
        .returns(true, EndpointPolicy::entireHeadersAndBody)
        .returns(new Parts(true, List.of(ADDRESSING), false), EndpointPolicy::signed)
        .returns(Parts.BODY, EndpointPolicy::encrypted);
  }

  @Test
  void conversationIsBootstrappedByX509() {
    EndpointPolicy policy = policy("conversation");

    assertThat(policy.binding())
        .isInstanceOfSatisfying(
            Binding.Conversation.class,
            it -> {
              assertThat(it.derivedKeys()).isTrue();
              assertThat(it.cancel()).isTrue();
              assertThat(it.renew()).isTrue();
              assertThat(it.bootstrap().binding()).isEqualTo(new Binding.Asymmetric(false));
              assertThat(it.bootstrap().version()).isEqualTo(policy.version());
            });
    assertThat(policy.clientEntropy()).isTrue();
    assertThat(policy.serverEntropy()).isTrue();
  }

  @Test
  void conversationMayBeBootstrappedByPasswordOrTokenOverTls() {
    assertThat(bootstrap("conversation-username"))
        .returns(new Binding.Transport(false), EndpointPolicy::binding)
        .extracting(it -> it.supporting().getFirst().kind())
        .isEqualTo(Kind.USERNAME_TEXT);
    assertThat(bootstrap("conversation-bearer"))
        .returns(new Binding.Transport(false), EndpointPolicy::binding)
        .extracting(it -> it.supporting().getFirst().kind())
        .isEqualTo(Kind.BEARER);
  }

  @Test
  void encryptedKeyIsConfirmedAndAsksNoCertificateOfTheClient() {
    assertThat(policy("encrypted-key"))
        .returns(new Binding.EncryptedKey(true), EndpointPolicy::binding)
        .returns(true, EndpointPolicy::signatureConfirmation)
        .returns(List.of(), EndpointPolicy::supporting);
  }

  @Test
  void usernameDerivesKeys() {
    assertThat(policy("username").binding()).isEqualTo(new Binding.UsernameKeys(true));
  }

  @Test
  void unknownNameIsRefused() {
    assertThatThrownBy(() -> BuiltInPolicies.document("../none", AlgorithmList.MODERN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static EndpointPolicy policy(String name) {
    return BuiltInPolicies.policy(name, AlgorithmList.MODERN);
  }

  private static EndpointPolicy bootstrap(String name) {
    return ((Binding.Conversation) policy(name).binding()).bootstrap();
  }
}
