package dev.staithe.authn.seal;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretsInTextTests {
  @Test
  void secretsAreInNoText() {
    TokenKey key = TokenKey.generate(new SecureRandom());
    var keys = new TokenKeys(List.of(key));
    String all = key + " " + keys + " " + keys.ring() + " " + keys.ring().minting();

    assertThat(all)
        .contains(key.kid())
        .doesNotContain(HexFormat.of().formatHex(key.secret()))
        .doesNotContain(Base64.getEncoder().encodeToString(key.secret()))
        .doesNotContain(Base64Url.encode(key.secret()));
  }
}
