package dev.staithe.authn.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordPolicyTests {
  private static boolean allowed(String user, String password) {
    return PasswordPolicy.objection(user, password.getBytes(UTF_8)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "onlylowercaseletters",
        "vier Wörter genügen hier",
        "ключ от квартиры",
        "🐟🐠🐡🦈🐙🐚🦀🦞🦐🦑🐌🦋"
      })
  void lengthIsEnoughWithoutAnyComposition(String password) {
    assertThat(allowed("alice", password)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "short",
        "elevenchars",
        "PasswordPassword",
        "QWERTYUIOP12",
        "aaaaaaaaaaaaaaaa",
        "abababababababab",
        "123456789012",
        "abcdefghijklmnop",
        "098765432109876"
      })
  void whatIsShortOrGuessedFirstIsRefused(String password) {
    assertThat(allowed("alice", password)).isFalse();
  }

  @Test
  void theNameIsNoPassword() {
    assertThat(allowed("alice.wonderland", "Alice.Wonderland")).isFalse();
    assertThat(allowed("bob", "Alice.Wonderland")).isTrue();
  }

  @Test
  void lengthCountsCharactersAtTheLowerEndAndBytesAtTheUpper() {
    assertThat(allowed("alice", "äöüßéèêñ")).as("8 characters in 16 bytes").isFalse();
    String long512 = "correct horse battery staple !!!".repeat(16);
    assertThat(allowed("alice", long512)).isTrue();
    assertThat(allowed("alice", long512 + "x")).isFalse();
  }
}
