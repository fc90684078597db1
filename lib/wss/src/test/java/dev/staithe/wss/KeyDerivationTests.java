package dev.staithe.wss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.wss4j.common.derivedKey.P_SHA1;
import org.junit.jupiter.api.Test;

class KeyDerivationTests {
  @Test
  void deriveGivesThePublishedVectorOfPSha256() {
    // Posted to the TLS working group of the IETF in 2009, and in use since by TLS libraries.
    byte[] key =
        KeyDerivation.P_SHA256.derive(
            hex("9bbe436ba940f017b17652849a71db35"),
            "test label".getBytes(StandardCharsets.US_ASCII),
            hex("a0ba9f936cda311827a6f796ffd5198c"),
            0,
            100);
    assertThat(HexFormat.of().formatHex(key))
        .isEqualTo(
            "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a"
                + "6b301791e90d35c9c9a46b4e14baf9af0fa022f7077def17abfd3797c0564bab"
                + "4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff701"
                + "87347b66");
  }

  @Property(tries = 200)
  void deriveIsWhatWss4jDerives(
      @ForAll @Size(min = 16, max = 64) byte[] secret,
      @ForAll @Size(min = 1, max = 64) byte[] nonce,
      @ForAll @IntRange(min = 0, max = 200) int offset,
      @ForAll @IntRange(min = 1, max = 100) int length)
      throws Exception {
    byte[] label = KeyDerivation.DEFAULT_LABEL.getBytes(StandardCharsets.US_ASCII);
    byte[] seed = Arrays.copyOf(label, label.length + nonce.length);
    System.arraycopy(nonce, 0, seed, label.length, nonce.length);
    assertThat(KeyDerivation.P_SHA1.derive(secret, nonce, offset, length))
        .isEqualTo(new P_SHA1().createKey(secret, seed, offset, length));
  }

  @Property(tries = 100)
  void deriveIsWhatTheDefinitionSays(
      @ForAll @Size(min = 16, max = 64) byte[] secret,
      @ForAll @Size(max = 20) byte[] label,
      @ForAll @Size(min = 1, max = 64) byte[] nonce,
      @ForAll @IntRange(min = 0, max = 200) int offset,
      @ForAll @IntRange(min = 1, max = 100) int length)
      throws Exception {
    assertThat(KeyDerivation.P_SHA256.derive(secret, label, nonce, offset, length))
        .isEqualTo(defined("HmacSHA256", secret, label, nonce, offset, length));
    assertThat(KeyDerivation.P_SHA1.derive(secret, label, nonce, offset, length))
        .isEqualTo(defined("HmacSHA1", secret, label, nonce, offset, length));
  }

  @Test
  void computedKeyTakesTheClientsEntropyAsSecret() throws Exception {
    byte[] client = hex("00112233445566778899aabbccddeeff");
    byte[] server = hex("ffeeddccbbaa99887766554433221100");
    assertThat(KeyDerivation.P_SHA1.computedKey(client, server, 32))
        .isEqualTo(new P_SHA1().createKey(client, server, 0, 32))
        .isNotEqualTo(KeyDerivation.P_SHA1.computedKey(server, client, 32));
  }

  @Test
  void ofKnowsTheNamesOfBothGenerations() {
    assertThat(KeyDerivation.of("http://schemas.xmlsoap.org/ws/2005/02/sc/dk/p_sha1"))
        .isSameAs(KeyDerivation.P_SHA1);
    assertThat(
            KeyDerivation.of(
                "http://docs.oasis-open.org/ws-sx/ws-secureconversation/200512/dk/p_sha1"))
        .isSameAs(KeyDerivation.P_SHA1);
    assertThat(KeyDerivation.of("http://example.org/dk/p_md5")).isNull();
  }

  @Test
  void deriveRefusesPartsThatThereAreNot() {
    byte[] secret = new byte[16];
    assertThatThrownBy(() -> KeyDerivation.P_SHA1.derive(secret, secret, -1, 16))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyDerivation.P_SHA1.derive(secret, secret, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyDerivation.P_SHA1.derive(new byte[0], secret, 0, 16))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] defined(
      String mac, byte[] secret, byte[] label, byte[] nonce, int offset, int length)
      throws Exception {
    var seed = new ByteArrayOutputStream();
    seed.write(label);
    seed.write(nonce);
    var hash = Mac.getInstance(mac);
    hash.init(new SecretKeySpec(secret, mac));
    var out = new ByteArrayOutputStream();
    byte[] round = seed.toByteArray();
    while (out.size() < offset + length) {
      round = hash.doFinal(round);
      hash.update(round);
      out.write(hash.doFinal(seed.toByteArray()));
    }
    return Arrays.copyOfRange(out.toByteArray(), offset, offset + length);
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
