package dev.staithe.storage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class SignInPageTests {
  @Test
  void tokenFieldHasNoNameSoThatNoFormCanSendIt() {
    String page = new String(SignInPage.html(), StandardCharsets.UTF_8);

    assertThat(page)
        .contains("<textarea id=\"token\"")
        .doesNotContain(" name=\"token\"")
        .doesNotContain(" action=")
        .doesNotContainPattern(" on[a-z]+=");
  }

  @Test
  void callerCannotChangeThePageOfOthers() {
    SignInPage.html()[0] = 'x';

    assertThat(SignInPage.html()[0]).isEqualTo((byte) '<');
  }
}
