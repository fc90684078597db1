package dev.staithe.storage.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.storage.settings.TransfersProperties.Administrator;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is an administrator of transfers. */
final class TransfersPropertiesTests {
  private static final String ISSUER = "https://one.example";

  private static boolean administers(String named, String group) {
    return new TransfersProperties(List.of(new Administrator(null, ISSUER, null, named)), 0)
        .administers(
            new TokenCaller(
                ISSUER, "ada", Scopes.NONE, List.of(group), List.of("here"), null, Instant.MAX));
  }

  @Test
  void groupThatIsAUrnIsTheSameHoweverItIsWritten() {
    String canonical = "urn:geant:example.org:group:site%2Fops#login.example.org";
    assertThat(administers("URN:GEANT:example.org:group:site%2fops#login.example.org", canonical))
        .isTrue();
    assertThat(administers("urn:geant:example.org:group:site#login.example.org", canonical))
        .isFalse();
    assertThat(administers("/ops", "/ops")).isTrue();
    assertThat(administers("/ops", "/OPS")).isFalse();
  }

  @Test
  void groupThatNoTokenCouldNameIsRefused() {
    assertThatThrownBy(() -> administers("urn:ops", "urn:ops"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no URN");
  }
}
