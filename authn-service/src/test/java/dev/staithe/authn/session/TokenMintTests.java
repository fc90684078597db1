package dev.staithe.authn.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.persistence.SessionId;
import dev.staithe.authn.seal.SealedText;
import dev.staithe.authn.seal.TokenKey;
import dev.staithe.authn.seal.TokenKeys;
import dev.staithe.testkit.Trials;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenMintTests {
  private final TokenKey first = TestTokens.key("first");
  private final TokenKeys keys = new TokenKeys(List.of(first));
  private final TokenMint mint = new TokenMint(keys);
  private final SessionToken token = TestTokens.token("anna");
  private final String text = mint.mint(token);

  @Test
  void saysWhatWasMinted() {
    assertThat(text).startsWith("v1.first.").matches("[A-Za-z0-9_.-]+").hasSizeLessThan(140);
    assertThat(mint.open(text)).isEqualTo(new TokenReading.Genuine(token));
  }

  @Test
  void subjectsOfUpTo255BytesSurvive() {
    for (String subject : List.of("a", "ä€😀", "x".repeat(255), "€".repeat(85))) {
      SessionToken minted = TestTokens.token(subject);
      assertThat(mint.open(mint.mint(minted))).isEqualTo(new TokenReading.Genuine(minted));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> mint.mint(TestTokens.token("€".repeat(86))));
    // Half a character would be the question mark of every other half character.
    assertThatIllegalArgumentException().isThrownBy(() -> mint.mint(TestTokens.token("a\ud83d")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "v1",
        "v1.",
        "v1..",
        "v1...",
        "v1.first",
        "v1.first.AAAA",
        "v1.first.AAAA.",
        "anna",
        "Bearer x",
        "v1.first.AAAA.BBBB.CCCC",
        "\u0000",
        "v1.\ud83d\ude00.AAAA.x"
      })
  void whatIsNoTokenIsMalformed(String bad) {
    assertThat(mint.open(bad)).isEqualTo(TokenReading.NotGenuine.MALFORMED);
  }

  @Test
  void everyTruncationIsRefused() {
    for (int length = 0; length < text.length(); length++) {
      assertThat(mint.open(text.substring(0, length)))
          .as("%d characters", length)
          .isInstanceOf(TokenReading.NotGenuine.class);
    }
    Trials.held(text.length());
  }

  @Test
  void oversizedTextIsNotLookedAt() {
    assertThat(mint.open(text + "A".repeat(2000))).isEqualTo(TokenReading.NotGenuine.MALFORMED);
    assertThat(mint.open("v1.first." + "A".repeat(5_000_000)))
        .isEqualTo(TokenReading.NotGenuine.MALFORMED);
  }

  @Test
  void anotherSpellingOfTheSameBytesIsRefused() {
    assertThat(mint.open(text + "=")).isInstanceOf(TokenReading.NotGenuine.class);
    assertThat(mint.open(" " + text)).isInstanceOf(TokenReading.NotGenuine.class);
    assertThat(mint.open(text + " ")).isInstanceOf(TokenReading.NotGenuine.class);
    // The last character of 43 has two bits that mean nothing: three other spellings of one MAC.
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    int last = alphabet.indexOf(text.charAt(text.length() - 1));
    byte[] mac = Base64.getUrlDecoder().decode(text.substring(text.lastIndexOf('.') + 1));
    for (int bits = 1; bits < 4; bits++) {
      String other = text.substring(0, text.length() - 1) + alphabet.charAt(last | bits);
      assertThat(Base64.getUrlDecoder().decode(other.substring(other.lastIndexOf('.') + 1)))
          .isEqualTo(mac);
      assertThat(mint.open(other)).isEqualTo(TokenReading.NotGenuine.FORGED);
      Trials.held();
    }
  }

  @Test
  void otherVersionIsToldFromForged() {
    assertThat(mint.open("v2" + text.substring(2)))
        .isEqualTo(TokenReading.NotGenuine.OF_OTHER_VERSION);
  }

  @Test
  void algorithmConfusionFindsNothingToChoose() {
    // A JWT with alg none, and one that would have an HMAC of a public key.
    for (String header : List.of("{\"alg\":\"none\"}", "{\"alg\":\"HS256\"}")) {
      String jwt =
          Base64.getUrlEncoder()
                  .withoutPadding()
                  .encodeToString(header.getBytes(StandardCharsets.US_ASCII))
              + ".eyJzdWIiOiJhbm5hIn0.";
      assertThat(mint.open(jwt)).isEqualTo(TokenReading.NotGenuine.MALFORMED);
      Trials.held();
    }
    assertThat(mint.open(text.substring(0, text.lastIndexOf('.') + 1)))
        .isEqualTo(TokenReading.NotGenuine.MALFORMED);
  }

  @Test
  void keyOfAnotherClusterWithTheSameNameForges() {
    String other = new TokenMint(new TokenKeys(List.of(TestTokens.key("first")))).mint(token);

    assertThat(mint.open(other)).isEqualTo(TokenReading.NotGenuine.FORGED);
  }

  @Test
  void noteOfTheSameKeyIsNoToken() {
    // What a note's MAC says must not open as a token, even with the token's head.
    String note = new SealedText("v1", "note: x", 1024, keys).seal(new byte[60]);

    assertThat(mint.open(note)).isEqualTo(TokenReading.NotGenuine.FORGED);
  }

  @Test
  void genuineMacOverNonsenseIsMalformed() {
    var sealing = new SealedText("v1", "session token", 1024, keys);
    byte[] good = Base64.getUrlDecoder().decode(text.split("\\.")[2]);
    assertThat(mint.open(sealing.seal(good))).isEqualTo(new TokenReading.Genuine(token));

    byte[] noSubject = Arrays.copyOf(good, 40);
    byte[] longSubject = Arrays.copyOf(good, 40 + 256);
    byte[] level = good.clone();
    level[39] = 3;
    byte[] utf8 = good.clone();
    utf8[40] = (byte) 0xff;
    byte[] expires = good.clone();
    Arrays.fill(expires, 30, 35, (byte) 0);
    byte[] idle = good.clone();
    Arrays.fill(idle, 35, 39, (byte) 0);
    for (byte[] bad : List.of(new byte[0], noSubject, longSubject, level, utf8, expires, idle)) {
      assertThat(mint.open(sealing.seal(bad))).isEqualTo(TokenReading.NotGenuine.MALFORMED);
    }
  }

  @Test
  void afterARotationTokensOfTheOldKeyAreGoodUntilItIsRetired() {
    TokenKey second = TestTokens.key("second");
    keys.replace(List.of(first, second));
    assertThat(mint.mint(token)).startsWith("v1.first.");
    keys.replace(List.of(second, first));
    String newer = mint.mint(token);

    assertThat(newer).startsWith("v1.second.");
    assertThat(mint.open(text)).isInstanceOf(TokenReading.Genuine.class);
    assertThat(mint.open(newer)).isInstanceOf(TokenReading.Genuine.class);

    keys.replace(List.of(second));
    assertThat(mint.open(text)).isEqualTo(TokenReading.NotGenuine.UNKNOWN_KEY);
    assertThat(mint.open(newer)).isInstanceOf(TokenReading.Genuine.class);
  }

  @Test
  void timesToTheEndOfTheRangeSurvive() {
    SessionToken late =
        new SessionToken(
            new SessionId(-1, -1),
            -1,
            "z",
            Assurance.PASSWORD,
            Instant.ofEpochMilli((1L << 48) - 1),
            Instant.ofEpochSecond((1L << 40) - 1),
            token.idle());

    assertThat(mint.open(mint.mint(late))).isEqualTo(new TokenReading.Genuine(late));
  }
}
