package dev.staithe.wss.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Namespaces;
import dev.staithe.wss.policy.AlgorithmList;
import java.math.BigInteger;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import javax.crypto.Mac;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ways of writing a signature of an elliptic curve, and what algorithms are called. */
class EcdsaTests {
  @ParameterizedTest
  @CsvSource({"secp256r1, 32", "secp384r1, 48", "secp521r1, 66"})
  void bothFormsAreOneSignatureForTheRuntime(String curve, int bytes) throws Exception {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(curve));
    var keys = generator.generateKeyPair();
    byte[] data = new byte[40];
    // Numbers with zeros in front come once in 256 times.
    for (int i = 0; i < 300; i++) {
      new SecureRandom().nextBytes(data);
      var signer = Signature.getInstance("SHA256withECDSA");
      signer.initSign(keys.getPrivate());
      signer.update(data);
      byte[] der = signer.sign();

      byte[] numbers = Ecdsa.fromDer(der, bytes);

      assertThat(numbers).hasSize(2 * bytes);
      assertThat(Ecdsa.toDer(numbers)).isEqualTo(der);
      if (i % 20 == 0) {
        var plain = Signature.getInstance("SHA256withECDSAinP1363Format");
        plain.initVerify(keys.getPublic());
        plain.update(data);
        assertThat(plain.verify(numbers)).isTrue();
      }
    }
  }

  @Property(tries = 500)
  void numbersOfAnyValueComeBack(
      @ForAll @Size(min = 1, max = 66) byte[] r, @ForAll @IntRange(max = 65) int zeros) {
    byte[] numbers = new byte[2 * r.length];
    System.arraycopy(r, 0, numbers, 0, r.length);
    Arrays.fill(numbers, 0, Math.min(zeros, r.length - 1), (byte) 0);
    System.arraycopy(r, 0, numbers, r.length, r.length);

    byte[] der = Ecdsa.toDer(numbers);

    assertThat(der).isNotNull();
    assertThat(der[0]).isEqualTo((byte) 0x30);
    int head = (der[1] & 0x80) == 0 ? 2 : 3;
    assertThat(der[head - 1] & 0xff).isEqualTo(der.length - head);
    assertThat(Ecdsa.fromDer(der, r.length)).isEqualTo(numbers);
    assertThat(new BigInteger(Arrays.copyOfRange(der, head + 2, head + 2 + (der[head + 1] & 0xff))))
        .isEqualTo(new BigInteger(1, Arrays.copyOf(numbers, r.length)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 63, 133, 134, 1000})
  void whatIsNoPairOfNumbersIsNone(int length) {
    assertThat(Ecdsa.toDer(new byte[length])).isNull();
  }

  private static final String MORE = "http://www.w3.org/2001/04/xmldsig-more#";

  /** Every name that a list allows is one that the runtime has. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        Namespaces.DS + "sha1",
        Namespaces.XENC + "sha256",
        MORE + "sha384",
        Namespaces.XENC + "sha512",
        Namespaces.DS + "hmac-sha1",
        MORE + "hmac-sha256",
        MORE + "hmac-sha384",
        MORE + "hmac-sha512",
        Namespaces.DS + "rsa-sha1",
        MORE + "rsa-sha256",
        MORE + "rsa-sha384",
        MORE + "rsa-sha512",
        MORE + "ecdsa-sha1",
        MORE + "ecdsa-sha256",
        MORE + "ecdsa-sha384",
        MORE + "ecdsa-sha512",
      })
  void nameIsOneOfTheRuntimesAndOfOneKind(String uri) throws Exception {
    String digest = AlgorithmNames.digest(uri);
    String mac = AlgorithmNames.mac(uri);
    String signature = AlgorithmNames.signature(uri);
    int kinds = (digest == null ? 0 : 1) + (mac == null ? 0 : 1) + (signature == null ? 0 : 1);
    assertThat(kinds).isEqualTo(1);
    String bits = uri.substring(uri.indexOf("sha") + 3);
    if (digest != null) {
      int size = bits.equals("1") ? 160 : Integer.parseInt(bits);
      assertThat(MessageDigest.getInstance(digest).getDigestLength() * 8).isEqualTo(size);
    } else if (mac != null) {
      assertThat(Mac.getInstance(mac).getAlgorithm()).endsWith("SHA" + bits);
    } else {
      assertThat(Signature.getInstance(signature).getAlgorithm()).startsWith("SHA" + bits);
    }
    for (String odd : new String[] {uri + " ", uri.substring(1), uri.toUpperCase(), uri + "x"}) {
      assertThat(AlgorithmNames.digest(odd)).isNull();
      assertThat(AlgorithmNames.mac(odd)).isNull();
      assertThat(AlgorithmNames.signature(odd)).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "md5", "http://www.w3.org/2001/04/xmldsig-more#md5", "urn:x"})
  void weakOrUnknownHashesAreNoneOfOaep(String uri) {
    assertThat(AlgorithmNames.oaepDigest(uri)).isEqualTo(uri.isEmpty() ? "SHA-1" : null);
    assertThat(AlgorithmNames.mask(uri)).isEqualTo(uri.isEmpty() ? "SHA-1" : null);
  }

  @ParameterizedTest
  @CsvSource({
    "mgf1sha1, SHA-1",
    "mgf1sha256, SHA-256",
    "mgf1sha384, SHA-384",
    "mgf1sha512, SHA-512"
  })
  void masksAreByTheirHashes(String name, String java) {
    assertThat(AlgorithmNames.mask(Namespaces.XENC11 + name)).isEqualTo(java);
    assertThat(AlgorithmNames.mask(Namespaces.XENC + name)).isNull();
    for (AlgorithmList list : AlgorithmList.values()) {
      // What a list allows has a name here.
      assertThat(AlgorithmNames.digest(list.usual().digest())).isNotNull();
      assertThat(AlgorithmNames.mac(list.usual().symmetricSignature())).isNotNull();
      assertThat(AlgorithmNames.signature(list.usual(), true)).contains("ecdsa-");
      assertThat(AlgorithmNames.signature(list.usual(), false))
          .isEqualTo(list.usual().asymmetricSignature());
    }
  }
}
