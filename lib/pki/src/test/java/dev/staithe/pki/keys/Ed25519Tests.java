package dev.staithe.pki.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** By the vectors of the RFC, and beside the JDK. */
final class Ed25519Tests {
  private static final HexFormat HEX = HexFormat.of();

  /** RFC 8032 section 7.1, tests 1 to 3. */
  @ParameterizedTest
  @CsvSource({
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60,"
        + "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a,'',"
        + "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb,"
        + "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c,72,"
        + "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7,"
        + "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025,af82,"
        + "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
  })
  void vectorsOfTheRfc(String seed, String key, String data, String signature) {
    assertThat(Ed25519.publicKey(HEX.parseHex(seed))).isEqualTo(HEX.parseHex(key));
    assertThat(Ed25519.sign(HEX.parseHex(seed), HEX.parseHex(key), HEX.parseHex(data)))
        .isEqualTo(HEX.parseHex(signature));
    assertThat(Ed25519.verify(HEX.parseHex(key), HEX.parseHex(data), HEX.parseHex(signature)))
        .isTrue();
  }

  private static byte[] last(byte[] der) {
    return Arrays.copyOfRange(der, der.length - Ed25519.KEY_BYTES, der.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 127, 128, 1000, 100_000})
  void eitherVerifiesWhatTheOtherSigned(int length) throws GeneralSecurityException {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
    byte[] key = last(pair.getPublic().getEncoded());
    byte[] data = "d".repeat(length).getBytes(StandardCharsets.UTF_8);
    Signature jdk = Signature.getInstance("Ed25519");
    jdk.initSign(pair.getPrivate());
    jdk.update(data);

    byte[] signature = jdk.sign();
    assertThat(Ed25519.sign(seed, key, data)).isEqualTo(signature);
    assertThat(Ed25519.verify(key, data, signature)).isTrue();
    assertThat(Ed25519.isPublicKey(key)).isTrue();
  }

  @Test
  void nothingElseIsASignature() {
    byte[] seed = new byte[Ed25519.KEY_BYTES];
    byte[] key = Ed25519.publicKey(seed);
    byte[] data = {1, 2, 3};
    byte[] signature = Ed25519.sign(seed, key, data);

    for (int bit = 0; bit < signature.length * 8; bit++) {
      byte[] changed = signature.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(Ed25519.verify(key, data, changed)).as("bit %d", bit).isFalse();
    }
    for (int length : new int[] {0, 1, 32, 63, 65, 128}) {
      assertThat(Ed25519.verify(key, data, Arrays.copyOf(signature, length))).isFalse();
    }
    assertThat(Ed25519.verify(Arrays.copyOf(key, 31), data, signature)).isFalse();
    assertThat(Ed25519.verify(Arrays.copyOf(key, 33), data, signature)).isFalse();
    assertThat(Ed25519.verify(key, new byte[] {1, 2}, signature)).isFalse();
  }

  /**
   * A signature whose second half is larger by the order of the group says the same and is refused
   * (RFC 8032 section 5.1.7).
   */
  @Test
  void signatureHasOneForm() {
    byte[] seed = new byte[Ed25519.KEY_BYTES];
    byte[] key = Ed25519.publicKey(seed);
    byte[] signature = Ed25519.sign(seed, key, new byte[0]);
    byte[] order = HEX.parseHex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    int carry = 0;
    for (int i = 0; i < order.length; i++) {
      int sum = (signature[32 + i] & 0xff) + (order[i] & 0xff) + carry;
      signature[32 + i] = (byte) sum;
      carry = sum >> 8;
    }

    assertThat(Ed25519.verify(key, new byte[0], signature)).isFalse();
  }

  /** The neutral element, a point of order two, none at all, one beyond the field. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0200000000000000000000000000000000000000000000000000000000000000",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "00"
      })
  void whatNoPrivateKeyCanHaveIsNoKey(String hex) {
    assertThat(Ed25519.isPublicKey(HEX.parseHex(hex))).isFalse();
  }
}
