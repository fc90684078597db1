package dev.staithe.wss.policy;

import static dev.staithe.wss.policy.PolicyText.BODY;
import static dev.staithe.wss.policy.PolicyText.SP_12;
import static dev.staithe.wss.policy.PolicyText.accepted;
import static dev.staithe.wss.policy.PolicyText.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class AlgorithmSuitesTests {
  private static final String CXF = "c xmlns:c='http://cxf.apache.org/custom/security-policy'";

  static Set<String> standard() {
    return AlgorithmSuites.standardNames();
  }

  static Stream<String> broken() {
    return standard().stream().filter(it -> it.startsWith("TripleDes") || it.endsWith("Rsa15"));
  }

  @Test
  void standardHasSixteen() {
    assertThat(standard()).hasSize(16);
  }

  @ParameterizedTest
  @CsvSource({
    "Basic256, sha1, aes256-cbc, 32, 24",
    "Basic192, sha1, aes192-cbc, 24, 24",
    "Basic128, sha1, aes128-cbc, 16, 16",
    "Basic256Sha256, sha256, aes256-cbc, 32, 24",
    "Basic192Sha256, sha256, aes192-cbc, 24, 24",
    "Basic128Sha256, sha256, aes128-cbc, 16, 16"
  })
  void suiteOfTheStandardIsTakenUnderInterop(
      String name, String digest, String encryption, int key, int signatureKey) {
    AlgorithmSuite suite = accepted(document("<sp:" + name + "/>")).suite();

    assertThat(suite.digest()).endsWith("#" + digest);
    assertThat(suite.encryption()).endsWith("#" + encryption);
    assertThat(suite.encryptionKeyBytes()).isEqualTo(key);
    assertThat(suite.signatureKeyBytes()).isEqualTo(signatureKey);
    assertThat(suite.asymmetricSignature()).isEqualTo(Algorithms.RSA_SHA1);
    assertThat(suite.symmetricSignature()).isEqualTo(Algorithms.HMAC_SHA1);
    assertThat(suite.keyTransport()).isEqualTo(Algorithms.RSA_OAEP_MGF1P);
  }

  @ParameterizedTest
  @MethodSource("standard")
  void suiteOfTheStandardIsRefusedUnderModern(String name) {
    assertThat(refused(document("<sp:" + name + "/>"), AlgorithmList.MODERN)).contains(name);
  }

  @ParameterizedTest
  @MethodSource("broken")
  void tripleDesAndRsa15AreRefusedEverywhere(String name) {
    assertThat(refused(document("<sp:" + name + "/>"))).contains(name).contains("broken");
    byte[] tls = SP_12.document(SP_12.transport("<sp:HttpsToken/>").replace("Basic256", name));
    assertThat(refused(tls)).contains(name).contains("broken");
  }

  @ParameterizedTest
  @CsvSource({"Basic128GCM, 16, 16", "Basic192GCM, 24, 24", "Basic256GCM, 32, 24"})
  void gcmSuitesOfCxfSignWithSha1(String name, int key, int signatureKey) {
    String assertion = "<" + CXF.replaceFirst("c ", "c:" + name + " ") + "/>";

    AlgorithmSuite suite = accepted(document(assertion)).suite();

    assertThat(suite.encryption()).endsWith("-gcm");
    assertThat(suite.digest()).isEqualTo(Algorithms.SHA1);
    assertThat(suite.encryptionKeyBytes()).isEqualTo(key);
    assertThat(suite.signatureKeyBytes()).isEqualTo(signatureKey);
    assertThat(refused(document(assertion), AlgorithmList.MODERN)).contains("modern");
  }

  @ParameterizedTest
  @CsvSource({
    "c:CustomAlgorithmSuite, http://cxf.apache.org/custom/security-policy, 32, 24",
    "c:Basic256GcmSha256, urn:staithe:policy, 32, 24",
    "c:Basic128GcmSha256, urn:staithe:policy, 16, 16"
  })
  void modernSuitesUseNothingOld(String name, String namespace, int key, int signatureKey) {
    byte[] document = document("<" + name + " xmlns:c='" + namespace + "'/>");

    assertThat(PolicyReader.read(document, AlgorithmList.MODERN))
        .isInstanceOfSatisfying(
            PolicyOutcome.Accepted.class,
            it -> {
              AlgorithmSuite suite = it.policy().suite();
              assertThat(suite.digest()).isEqualTo(Algorithms.SHA256);
              assertThat(suite.asymmetricSignature()).isEqualTo(Algorithms.RSA_SHA256);
              assertThat(suite.symmetricSignature()).isEqualTo(Algorithms.HMAC_SHA256);
              assertThat(suite.encryption()).endsWith("-gcm");
              assertThat(suite.encryptionKeyBytes()).isEqualTo(key);
              assertThat(suite.signatureKeyBytes()).isEqualTo(signatureKey);
            });
  }

  @Test
  void nameOfAnotherNamespaceIsNoSuite() {
    assertThat(refused(document("<x:Basic128/>"))).contains("{urn:x}Basic128");
    assertThat(refused(document("<sp:Basic128GCM/>"))).contains("sp:Basic128GCM");
  }

  @Test
  void suiteThatTlsMakesNoUseOfIsTakenUnderModern() {
    byte[] document = SP_12.document(SP_12.transport("<sp:HttpsToken/>"));

    assertThat(PolicyReader.read(document, AlgorithmList.MODERN))
        .isInstanceOf(PolicyOutcome.Accepted.class);
  }

  @Test
  void listsTakeNeitherMd5NorRsa15NorTripleDes() {
    for (AlgorithmList list : AlgorithmList.values()) {
      assertThat(list.allowsDigest("http://www.w3.org/2001/04/xmldsig-more#md5")).isFalse();
      assertThat(list.allowsSignature("http://www.w3.org/2001/04/xmldsig-more#rsa-md5")).isFalse();
      assertThat(list.allowsMac("http://www.w3.org/2001/04/xmldsig-more#hmac-md5")).isFalse();
      assertThat(list.allowsKeyTransport(Algorithms.RSA_1_5)).isFalse();
      assertThat(list.allowsEncryption(Algorithms.TRIPLE_DES)).isFalse();
      assertThat(list.allowsMac(Algorithms.RSA_SHA256)).isFalse();
      assertThat(list.allowsSignature(Algorithms.HMAC_SHA256)).isFalse();
    }
  }

  @Test
  void modernTakesSha1OnlyWithinOaep() {
    assertThat(AlgorithmList.MODERN.allowsDigest(Algorithms.SHA1)).isFalse();
    assertThat(AlgorithmList.MODERN.allowsSignature(Algorithms.RSA_SHA1)).isFalse();
    assertThat(AlgorithmList.MODERN.allowsSignature(Algorithms.ECDSA_SHA1)).isFalse();
    assertThat(AlgorithmList.MODERN.allowsMac(Algorithms.HMAC_SHA1)).isFalse();
    assertThat(AlgorithmList.MODERN.allowsEncryption(Algorithms.AES128_CBC)).isFalse();
    assertThat(AlgorithmList.INTEROP.allowsDigest(Algorithms.SHA1)).isTrue();
  }

  private static byte[] document(String suite) {
    return SP_12.document(SP_12.asymmetric().replace("<sp:Basic256/>", suite), BODY);
  }
}
