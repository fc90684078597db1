package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.seal.TokenKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

class TokenMintPropertyTests {
  private static final TokenMint MINT = new TokenMint(new TokenKeys(List.of(TestTokens.key("k"))));

  @Property(tries = 300)
  void everySingleBitThatIsFlippedIsNoticed(@ForAll("subjects") String subject) {
    byte[] text = MINT.mint(TestTokens.token(subject)).getBytes(StandardCharsets.ISO_8859_1);
    for (int bit = 0; bit < text.length * 8; bit++) {
      text[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(MINT.open(new String(text, StandardCharsets.ISO_8859_1)))
          .as("bit %d", bit)
          .isInstanceOf(TokenReading.NotGenuine.class);
      text[bit / 8] ^= (byte) (1 << bit % 8);
    }
  }

  @Provide
  Arbitrary<String> subjects() {
    return Arbitraries.strings().alpha().numeric().ofMinLength(1).ofMaxLength(20);
  }

  @Property
  void whateverIsPresentedNothingBreaks(@ForAll @StringLength(max = 300) String text) {
    assertThat(MINT.open(text)).isInstanceOf(TokenReading.NotGenuine.class);
    assertThat(MINT.open("v1." + text)).isInstanceOf(TokenReading.NotGenuine.class);
    assertThat(MINT.open("v1.k." + text)).isInstanceOf(TokenReading.NotGenuine.class);
  }

  @Property
  void partsOfTwoTokensMakeNoThird(
      @ForAll @IntRange(min = 1, max = 3) int part, @ForAll @IntRange(max = 3) int from) {
    String[] one = MINT.mint(TestTokens.token("anna")).split("\\.");
    String[] two = MINT.mint(TestTokens.token("root")).split("\\.");
    one[part] = two[from];

    TokenReading reading = MINT.open(String.join(".", one));

    // The name of the key is the same in both.
    if (part == 1 && from == 1) {
      assertThat(reading).isInstanceOf(TokenReading.Genuine.class);
    } else {
      assertThat(reading).isInstanceOf(TokenReading.NotGenuine.class);
    }
  }
}
