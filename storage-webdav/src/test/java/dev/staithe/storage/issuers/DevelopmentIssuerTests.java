package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.testkit.MutableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevelopmentIssuerTests {
  private static final String AUDIENCE = "https://localhost:8443";

  private final MutableClock clock = MutableClock.at(Instant.parse("2026-11-21T12:00:00Z"));
  @TempDir Path folder;

  private Identification show(DevelopmentIssuer issuer, String token)
      throws NoSuchAlgorithmException {
    List<TrustedIssuer> trusted = List.of(issuer.trusted(AUDIENCE));
    try (IssuerKeys keys =
        new IssuerKeys(
                trusted,
                TokenDoorFixture.files(Map.of(DevelopmentIssuer.ISSUER, issuer.keySet())),
                Duration.ZERO,
                SSLContext.getDefault(),
                KeyPolicy.DEFAULT,
                clock)
            .start()) {
      assertThat(keys.status()).extracting(IssuerStatus::usable).containsExactly(true);
      return new TokenDoor(trusted, keys, clock).identify(List.of("Bearer " + token));
    }
  }

  @Test
  void itsTokensAreAcceptedAlsoAfterARestart() throws Exception {
    String token =
        DevelopmentIssuer.open(folder, clock)
            .mint("me", " storage.read:/ storage.modify:/ ", AUDIENCE, Duration.ofHours(1));

    assertThat(show(DevelopmentIssuer.open(folder, clock), token))
        .isInstanceOfSatisfying(
            Identification.Identified.class,
            identified ->
                assertThat(identified.caller())
                    .isEqualTo(
                        new TokenCaller(
                            DevelopmentIssuer.ISSUER,
                            "me",
                            Scopes.of("storage.read:/ storage.modify:/"),
                            List.of(),
                            List.of(AUDIENCE),
                            null,
                            clock.instant().plus(Duration.ofHours(1)))));
  }

  @Test
  void theTokensOfAnotherFolderAreNot() throws Exception {
    String token =
        DevelopmentIssuer.open(folder.resolve("other"), clock)
            .mint("me", "storage.read:/", AUDIENCE, Duration.ofHours(1));

    assertThat(show(DevelopmentIssuer.open(folder, clock), token))
        .isInstanceOf(Identification.Refused.class);
  }

  @Test
  void itsKeySetHoldsNoPrivateKey() throws IOException {
    DevelopmentIssuer issuer = DevelopmentIssuer.open(folder, clock);

    assertThat(issuer.keySet()).contains("\"x\"").doesNotContain("\"d\"");
  }

  @Test
  void aBrokenKeyFileIsNamedButNotQuoted() throws IOException {
    DevelopmentIssuer.open(folder, clock);
    Path file = folder.resolve("development-issuer.jwk.json");
    for (String broken : List.of("{\"d\":\"secret\"", "{}", "", "secret")) {
      Files.writeString(file, broken);

      assertThatIOException()
          .isThrownBy(() -> DevelopmentIssuer.open(folder, clock))
          .withMessageContaining(file.toString())
          .withMessageNotContaining("secret")
          .withNoCause();
    }
  }

  @Test
  void scopesThatNoTokenMayHaveAreNotMinted() throws IOException {
    DevelopmentIssuer issuer = DevelopmentIssuer.open(folder, clock);

    for (String scope : List.of("", "storage.read", "storage.write:/", "storage.read:/..")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> issuer.mint("me", scope, AUDIENCE, Duration.ofHours(1)));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> issuer.mint("me", "storage.read:/", AUDIENCE, Duration.ZERO));
  }
}
