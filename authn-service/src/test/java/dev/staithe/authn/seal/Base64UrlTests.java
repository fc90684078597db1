package dev.staithe.authn.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class Base64UrlTests {
  private static byte[] decode(String text) {
    byte[] ascii = ("." + text + ".").getBytes(StandardCharsets.ISO_8859_1);
    byte[] bytes = Base64Url.decode(ascii, 1, ascii.length - 1);
    return bytes == null ? new byte[] {'n', 'o', 'n', 'e'} : bytes;
  }

  private static boolean refused(String text) {
    byte[] ascii = text.getBytes(StandardCharsets.ISO_8859_1);
    return Base64Url.decode(ascii, 0, ascii.length) == null;
  }

  @Property
  void bytesComeBack(@ForAll @Size(max = 200) byte[] bytes) {
    assertThat(decode(Base64Url.encode(bytes))).isEqualTo(bytes);
  }

  @Property
  void whatIsReadIsTheOneSpelling(@ForAll("texts") String text) {
    assertThat(refused(text) || Base64Url.encode(decode(text)).equals(text)).isTrue();
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars("ABwxyz019-_").ofMaxLength(7);
  }

  @Test
  void otherSpellingsAreRefused() {
    assertThat(refused("QQ")).isFalse();
    for (String other :
        new String[] {"QR", "QQ==", "QQ=", "Q", "QQ ", "Q+", "Q/", "Qä", "AAB", "\n"}) {
      assertThat(refused(other)).as(other).isTrue();
    }
  }
}
