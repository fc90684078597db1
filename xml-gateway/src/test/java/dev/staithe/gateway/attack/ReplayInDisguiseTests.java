package dev.staithe.gateway.attack;

import static dev.staithe.gateway.attack.Stage.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.gateway.attack.Stage.Judge;
import dev.staithe.pki.Credential;
import dev.staithe.wss.Findings;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.Opening;
import dev.staithe.wss.Refusal;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.BuiltInPolicies;
import dev.staithe.wss.policy.EndpointPolicy;
import java.math.BigInteger;
import java.security.cert.CertificateEncodingException;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Element;

/** What a thief of a message can change in it so that it still verifies: it is the same message. */
class ReplayInDisguiseTests {
  private static final EndpointPolicy SIGNED = Stage.signedOnly(Stage.x509());

  private static Stage stage;

  @BeforeAll
  static void raise() {
    stage = new Stage();
  }

  private static List<String> marks(Opening opening) {
    assertThat(opening).isInstanceOf(Opening.Opened.class);
    return ((Opening.Opened) opening)
        .findings().once().stream()
            .map(Findings.Once::digest)
            .map(Base64.getEncoder()::encodeToString)
            .toList();
  }

  private static byte[] signed(Credential who) {
    return stage.secured(SIGNED, who, null, Stage.PAYLOAD).envelope();
  }

  private static byte[] with(byte[] envelope, UnaryOperator<byte[]> change) {
    var cut = new Cut(envelope);
    Element value = cut.first(Namespaces.DS, "SignatureValue");
    byte[] before = Base64.getMimeDecoder().decode(value.getTextContent());
    value.setTextContent(Base64.getEncoder().encodeToString(change.apply(before)));
    return cut.bytes();
  }

  private static byte[] numbers(BigInteger r, BigInteger s, int size) {
    byte[] both = new byte[2 * size];
    int at = size;
    for (BigInteger each : List.of(r, s)) {
      byte[] octets = each.toByteArray();
      int zero = octets[0] == 0 ? 1 : 0;
      int length = octets.length - zero;
      System.arraycopy(octets, zero, both, at - length, length);
      at += size;
    }
    return both;
  }

  private static BigInteger half(byte[] value, int which) {
    int size = value.length / 2;
    return new BigInteger(1, Arrays.copyOfRange(value, which * size, (which + 1) * size));
  }

  /** Of each signature (r, s) by an elliptic curve there is a second, (r, n - s). */
  @ParameterizedTest
  @EnumSource
  void signatureWhoseSecondNumberIsNegated(Judge judge) {
    byte[] good = signed(stage.ellen);
    BigInteger order =
        ((ECPublicKey) stage.ellen.certificate().getPublicKey()).getParams().getOrder();
    byte[] other = with(good, value -> numbers(half(value, 0), order.subtract(half(value, 1)), 32));

    assertThat(marks(stage.open(judge, SIGNED, other)))
        .isEqualTo(marks(stage.open(judge, SIGNED, good)));
  }

  @ParameterizedTest
  @EnumSource
  void signatureWithZerosInFront(Judge judge) {
    byte[] good = signed(stage.ellen);
    byte[] other = with(good, value -> numbers(half(value, 0), half(value, 1), 40));

    Opening opening = stage.open(judge, SIGNED, other);

    if (opening instanceof Opening.Opened) {
      assertThat(marks(opening)).isEqualTo(marks(stage.open(judge, SIGNED, good)));
    } else {
      refused(opening, Refusal.SIGNATURE);
    }
  }

  /** The signature names its key, and does not cover the certificate that brings it. */
  @ParameterizedTest
  @EnumSource
  void otherCertificateOfTheSameKey(Judge judge) throws CertificateEncodingException {
    byte[] good = signed(stage.before);
    var cut = new Cut(good);
    cut.first(Namespaces.WSSE, "BinarySecurityToken")
        .setTextContent(Base64.getEncoder().encodeToString(stage.after.certificate().getEncoded()));

    assertThat(stage.after.certificate()).isNotEqualTo(stage.before.certificate());
    assertThat(marks(stage.open(judge, SIGNED, cut.bytes())))
        .isEqualTo(marks(stage.open(judge, SIGNED, good)));
  }

  /** A wrapped key is known by how it is written; one of 256 begins with a zero. */
  @ParameterizedTest
  @EnumSource
  void wrappedKeyWithoutTheZeroInFront(Judge judge) {
    EndpointPolicy policy = BuiltInPolicies.policy("encrypted-key", AlgorithmList.MODERN);
    Cut cut;
    Element value;
    byte[] wrapped;
    do {
      cut = new Cut(stage.secured(policy, stage.ada, null, Stage.PAYLOAD).envelope());
      value = cut.first(Namespaces.XENC, "CipherValue");
      wrapped = Base64.getMimeDecoder().decode(value.getTextContent());
    } while (wrapped[0] != 0);
    assertThat(stage.open(judge, policy, cut.bytes())).isInstanceOf(Opening.Opened.class);
    value.setTextContent(
        Base64.getEncoder().encodeToString(Arrays.copyOfRange(wrapped, 1, wrapped.length)));

    refused(stage.open(judge, policy, cut.bytes()), Refusal.DECRYPTION);
  }

  /** What one reader takes for the value another does not: nothing is within one but text. */
  @ParameterizedTest
  @EnumSource
  void signatureValueWithAnElementInside(Judge judge) {
    var cut = new Cut(signed(stage.ada));
    cut.first(Namespaces.DS, "SignatureValue")
        .appendChild(cut.document.createElementNS("urn:x", "x:x"));

    refused(stage.open(judge, SIGNED, cut.bytes()), Refusal.POLICY);
  }

  /** Whether a token was seen before must not change what it is. */
  @ParameterizedTest
  @EnumSource
  void tokenOfAnotherTypeThatWasBelievedAsACertificate(Judge judge) {
    byte[] good = signed(stage.ada);
    assertThat(stage.open(judge, SIGNED, good)).isInstanceOf(Opening.Opened.class);
    var cut = new Cut(good);
    cut.first(Namespaces.WSSE, "BinarySecurityToken").setAttribute("ValueType", "urn:x#Other");

    refused(stage.open(judge, SIGNED, cut.bytes()), Refusal.TOKEN);
  }

  /** An authority that gives certificates to clients and gateways makes both believed. */
  @ParameterizedTest
  @EnumSource
  void signatureOfOurOwn(Judge judge) {
    refused(stage.open(judge, SIGNED, signed(stage.service)), Refusal.UNTRUSTED);
  }
}
