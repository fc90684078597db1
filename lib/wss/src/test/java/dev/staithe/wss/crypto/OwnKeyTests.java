package dev.staithe.wss.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.pki.Credential;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.HostCertificateRequest;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.wss.Namespaces;
import dev.staithe.wss.SecurityElements;
import dev.staithe.wss.Surroundings;
import dev.staithe.wss.policy.AlgorithmList;
import dev.staithe.wss.policy.AlgorithmSuite;
import dev.staithe.wss.policy.BuiltInPolicies;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.crypto.spec.OAEPParameterSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Signatures and wrapped keys, with the Java runtime as the other side. */
class OwnKeyTests {
  private static final byte[] DATA = "0123456789 what is signed".getBytes(StandardCharsets.UTF_8);
  private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";
  @TempDir static Path folder;
  private static Credential rsa;
  private static Credential curved;

  @BeforeAll
  static void make() {
    var authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    rsa = authority.host(request("rsa", KeyKind.RSA_2048)).credential();
    curved = authority.host(request("ec", KeyKind.EC_P256)).credential();
  }

  private static HostCertificateRequest request(String name, KeyKind kind) {
    return new HostCertificateRequest(List.of(name), kind, Duration.ofDays(1));
  }

  @ParameterizedTest
  @CsvSource({
    "rsa-sha256, SHA256withRSA",
    "rsa-sha384, SHA384withRSA",
    "rsa-sha512, SHA512withRSA",
    "ecdsa-sha256, SHA256withECDSAinP1363Format",
    "ecdsa-sha384, SHA384withECDSAinP1363Format",
  })
  void theRuntimeVerifiesWhatIsSignedAndSignsWhatIsVerified(String name, String java)
      throws Exception {
    Credential credential = name.startsWith("rsa") ? rsa : curved;
    OwnKey own = OwnKey.of(credential);
    // Numbers of a curve's signature are of one length or another.
    for (int i = 0; i < 40; i++) {
      DATA[0] = (byte) i;
      byte[] value = own.sign(MORE + name, DATA, 2, 10);
      var verifier = Signature.getInstance(java);
      verifier.initVerify(credential.certificate().getPublicKey());
      verifier.update(DATA, 2, 10);
      assertThat(verifier.verify(value)).isTrue();

      var signer = Signature.getInstance(java);
      signer.initSign(credential.key());
      signer.update(DATA, 2, 10);
      byte[] other = signer.sign();
      assertThat(own.certificate().verify(MORE + name, DATA, 2, 10, other)).isTrue();
      assertThat(own.certificate().verify(MORE + name, DATA, 1, 10, other)).isFalse();
    }
  }

  @Test
  void everyOctetOfASignatureCountsAndAnyLengthIsTaken() throws Exception {
    for (Credential each : List.of(rsa, curved)) {
      OwnKey own = OwnKey.of(each);
      String uri = MORE + (each == rsa ? "rsa-sha256" : "ecdsa-sha256");
      byte[] value = own.sign(uri, DATA, 0, DATA.length);
      for (int at = 0; at < value.length; at++) {
        byte[] changed = value.clone();
        changed[at] ^= 1;
        assertThat(own.certificate().verify(uri, DATA, 0, DATA.length, changed)).isFalse();
      }
      for (int length = 0; length < 300; length++) {
        if (length != value.length) {
          byte[] cut = Arrays.copyOf(value, length);
          assertThat(verifies(own, uri, cut)).as(uri + " of " + length).isFalse();
        }
      }
    }
  }

  private static boolean verifies(OwnKey own, String uri, byte[] value) {
    try {
      return own.certificate().verify(uri, DATA, 0, DATA.length, value);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  @Test
  void algorithmsThatAreNotKnownSignAndVerifyNothing() throws Exception {
    OwnKey own = OwnKey.of(rsa);
    for (String uri : List.of("", "urn:none", MORE + "rsa-md5", Namespaces.DS + "dsa-sha1")) {
      assertThatThrownBy(() -> own.sign(uri, DATA, 0, 1))
          .isInstanceOf(GeneralSecurityException.class);
      assertThat(own.certificate().verify(uri, DATA, 0, 1, new byte[256])).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatIsWrappedComesOutByTheParametersThatGoWithIt(AlgorithmList list) throws Exception {
    AlgorithmSuite suite = BuiltInPolicies.policy("x509", list).suite();
    OwnKey own = OwnKey.of(rsa);
    byte[] secret = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    String transport = suite.keyTransport();
    byte[] wrapped = own.certificate().wrap(transport, secret);
    String digest = SecurityElements.oaepDigestOf(transport);
    String mask = digest.endsWith("sha256") ? Namespaces.XENC11 + "mgf1sha256" : null;
    OAEPParameterSpec padding = OwnKey.padding(transport, digest, mask);
    assertThat(own.key().unwrap(wrapped, padding)).isEqualTo(secret);
    wrapped[20] ^= 1;
    assertThatThrownBy(() -> own.key().unwrap(wrapped, padding))
        .isInstanceOf(GeneralSecurityException.class);
  }

  @Test
  void paddingsThatAreNotKnownAreNone() {
    String old = Namespaces.XENC + "rsa-oaep-mgf1p";
    String modern = Namespaces.XENC11 + "rsa-oaep";
    assertThat(OwnKey.padding(old, "urn:none", null)).isNull();
    assertThat(OwnKey.padding(modern, null, "urn:none")).isNull();
    assertThat(OwnKey.padding(modern, "", "").getDigestAlgorithm()).isEqualTo("SHA-1");
    // The older one has SHA-1 for its mask whatever is said of it (XML Encryption 1.1 section
    // 5.5.2).
    assertThat(OwnKey.padding(old, null, "urn:none").getMGFAlgorithm()).isEqualTo("MGF1");
  }

  @Test
  void aCertificateIsWhatIsNamedInEachWayAndNothingElse() throws Exception {
    KnownCertificate known = KnownCertificate.of(rsa.chain());
    KnownCertificate other = KnownCertificate.of(curved.chain());
    byte[] extension = rsa.certificate().getExtensionValue("2.5.29.14");
    String issuer = rsa.certificate().getIssuerX500Principal().getName();
    BigInteger serial = rsa.certificate().getSerialNumber();
    List<Surroundings.Name> names =
        List.of(
            new Surroundings.Name.Thumbprint(
                MessageDigest.getInstance("SHA-1").digest(rsa.certificate().getEncoded())),
            new Surroundings.Name.KeyIdentifier(Arrays.copyOfRange(extension, 4, extension.length)),
            new Surroundings.Name.IssuerSerial(issuer, serial));
    for (Surroundings.Name each : names) {
      assertThat(known.matches(each)).isTrue();
      assertThat(other.matches(each)).isFalse();
    }
    for (Surroundings.Name each :
        List.of(
            new Surroundings.Name.Thumbprint(new byte[20]),
            new Surroundings.Name.KeyIdentifier(new byte[0]),
            new Surroundings.Name.IssuerSerial(issuer, serial.add(BigInteger.ONE)),
            new Surroundings.Name.IssuerSerial("CN=other", serial),
            new Surroundings.Name.IssuerSerial("no name", serial))) {
      assertThat(known.matches(each)).isFalse();
    }
  }
}
