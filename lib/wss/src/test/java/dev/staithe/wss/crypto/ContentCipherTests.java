package dev.staithe.wss.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.wss.Namespaces;
import dev.staithe.xml.Octets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Against the Java runtime's own use of AES, both ways. */
class ContentCipherTests {
  private static final String GCM = Namespaces.XENC11 + "aes128-gcm";
  private static final String CBC = Namespaces.XENC + "aes256-cbc";
  private final ContentCipher cipher = new ContentCipher(new SecureRandom());

  @Provide
  Arbitrary<String> algorithms() {
    return Arbitraries.of(GCM, CBC);
  }

  private static byte[] key(String uri) {
    byte[] key = new byte[uri.equals(GCM) ? 16 : 32];
    Arrays.fill(key, (byte) 5);
    return key;
  }

  private byte[] encrypted(String uri, byte[] plain) {
    var out = new Octets(16);
    cipher.encrypt(uri, key(uri), plain, 0, plain.length, out);
    return out.toByteArray();
  }

  private static Cipher runtime(String uri, int mode, byte[] vector)
      throws GeneralSecurityException {
    var runtime = Cipher.getInstance(uri.equals(GCM) ? "AES/GCM/NoPadding" : "AES/CBC/NoPadding");
    runtime.init(
        mode,
        new SecretKeySpec(key(uri), "AES"),
        uri.equals(GCM) ? new GCMParameterSpec(128, vector) : new IvParameterSpec(vector));
    return runtime;
  }

  @Property(tries = 200)
  void whatIsEncryptedIsWhatTheRuntimeDecrypts(
      @ForAll("algorithms") String uri, @ForAll @Size(max = 100) byte[] plain) throws Exception {
    byte[] made = encrypted(uri, plain);
    int vector = uri.equals(GCM) ? 12 : 16;
    byte[] out =
        runtime(uri, Cipher.DECRYPT_MODE, Arrays.copyOf(made, vector))
            .doFinal(made, vector, made.length - vector);
    int padding = uri.equals(GCM) ? 0 : out[out.length - 1];
    assertThat(Arrays.copyOf(out, out.length - padding)).isEqualTo(plain);
    assertThat(padding).isBetween(0, 16);
  }

  @Property(tries = 200)
  void whatWasEncryptedComesOutBehindWhatIsThere(
      @ForAll("algorithms") String uri,
      @ForAll @Size(max = 100) byte[] plain,
      @ForAll @Size(max = 40) byte[] before) {
    var out = new Octets(16);
    out.put(before);
    assertThat(cipher.decrypt(uri, key(uri), encrypted(uri, plain), out)).isTrue();
    assertThat(out.toByteArray(0, before.length)).isEqualTo(before);
    assertThat(out.toByteArray(before.length, out.size())).isEqualTo(plain);
  }

  @Example
  void everyBitOfAnAuthenticatedTextCounts() {
    byte[] made = encrypted(GCM, new byte[] {1, 2, 3});
    for (int bit = 0; bit < 8 * made.length; bit++) {
      byte[] changed = made.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(cipher.decrypt(GCM, key(GCM), changed, new Octets(64))).as("bit " + bit).isFalse();
    }
  }

  @Example
  void lengthsThatNoTextHasAreRefused() {
    for (String uri : new String[] {GCM, CBC}) {
      for (int length = 0; length < (uri.equals(GCM) ? 28 : 32); length++) {
        assertThat(cipher.decrypt(uri, key(uri), new byte[length], new Octets(64))).isFalse();
      }
    }
    for (int odd = 33; odd < 48; odd++) {
      assertThat(cipher.decrypt(CBC, key(CBC), new byte[odd], new Octets(64))).isFalse();
    }
  }

  /** XML Encryption 1.0 section 5.2: only the last octet of the padding says anything. */
  @Example
  void paddingIsJudgedByItsLastOctetAndItsTextComesOutInAnyCase() throws Exception {
    for (int last = 0; last < 256; last++) {
      byte[] block = new byte[16];
      Arrays.fill(block, (byte) 0x77);
      block[15] = (byte) last;
      byte[] vector = new byte[16];
      byte[] body = runtime(CBC, Cipher.ENCRYPT_MODE, vector).doFinal(block);
      byte[] whole = new byte[32];
      System.arraycopy(body, 0, whole, 16, 16);
      var out = new Octets(64);
      boolean sound = last >= 1 && last <= 16;
      assertThat(cipher.decrypt(CBC, key(CBC), whole, out)).as("padding " + last).isEqualTo(sound);
      assertThat(out.size()).isEqualTo(sound ? 16 - last : 16);
    }
  }

  @Example
  void vectorsNeverComeAgain() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      assertThat(seen.add(Arrays.toString(Arrays.copyOf(encrypted(GCM, new byte[0]), 12))))
          .isTrue();
    }
  }
}
