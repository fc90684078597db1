package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.authz.Scopes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the claims of a token must be (WLCG JWT profile 1.3, SciTokens 2.0). */
class TokenClaimsTests extends TokenDoorFixture {
  @Test
  void anExpiredTokenIsRejectedWithoutSkew() {
    String token = A.token().lifetime(Duration.ofSeconds(10)).sign();

    clock.advance(Duration.ofMillis(9_999));
    caller(show(token));
    clock.advance(Duration.ofMillis(1));
    assertThat(rejection(token)).isEqualTo("the token has expired");
    assertThat(rejection(A.token().lifetime(Duration.ZERO).sign())).contains("expired");
    assertThat(rejection(A.token().lifetime(Duration.ofHours(-1)).sign())).contains("expired");
  }

  @Test
  void aTokenFromTheFutureIsRejectedBeyondAMinuteOfSkew() {
    long now = START.getEpochSecond();

    caller(show(A.token().claim("nbf", now + 60).claim("iat", now + 60).sign()));
    assertThat(rejection(A.token().claim("nbf", now + 61).sign())).contains("not valid yet");
    assertThat(rejection(A.token().claim("iat", now + 61).sign())).contains("in the future");
    caller(show(A.token().without("nbf").sign()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sub", "exp", "aud", "iat", "jti", "wlcg.ver"})
  void aTokenWithoutARequiredClaimIsRejected(String claim) {
    rejection(A.token().without(claim).sign());
    rejection(A.token().claim(claim, "").sign());
    rejection(A.token().claim(claim, Map.of()).sign());
  }

  /** Libraries forgive the first and not the second. */
  @Test
  void claimsAreJudgedAsTheyAreWritten() {
    assertThat(rejection(A.token().claim("sub", 7).sign()))
        .isEqualTo("the token has no subject (sub)");
    long now = START.getEpochSecond();
    caller(show(A.token().claim("iat", now + 60).claim("exp", now + 30).sign()));
  }

  @Test
  void timesThatAreNoneAreRejected() {
    for (Object time : List.of("1795225338", -1, 1e300, true, List.of(1))) {
      rejection(A.token().claim("exp", time).sign());
    }
    assertThat(caller(show(A.token().claim("exp", 99_999_999_999_999L).sign())).expiresAt())
        .isEqualTo(Instant.parse("9999-12-31T23:59:59Z"));
    caller(show(A.token().claim("exp", START.getEpochSecond() + 10.5).sign()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0", "1.3", "1.99"})
  void newerMinorVersionsAreAccepted(String version) {
    caller(show(A.token().claim("wlcg.ver", version).sign()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "0.9", "1", "1.", "1.x", "10.0", "1.0.0", "99999999999.0"})
  void otherMajorVersionsAreRejected(String version) {
    assertThat(rejection(A.token().claim("wlcg.ver", version).sign())).contains("wlcg.ver");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://other",
        "https://LOCALHOST",
        "https://localhost/",
        "https://localhost:443",
        "ANY",
        "any",
        "https://wlcg.cern.ch/jwt/v1/any/"
      })
  void anAudienceThatIsNotExactlyOursIsRejected(String audience) {
    assertThat(rejection(A.token().audience(audience).sign()))
        .isEqualTo(
            "the token is not for this service: audience "
                + audience
                + ", expected one of https://localhost");
  }

  @Test
  void oneOfSeveralAudiencesIsEnough() {
    caller(show(A.token().audience("https://other", AUDIENCE).sign()));
    caller(show(A.token().audience("https://other", TrustedIssuer.WLCG_ANY).sign()));
    rejection(A.token().audience("https://other", "https://more").sign());
  }

  @Test
  void theAnyAudiencesAreSwitches() {
    TokenDoor other =
        door(
            Map.of(A.issuer(), A.keySet()),
            List.of(new TrustedIssuer(A.issuer(), Set.of(AUDIENCE), false, true, null, true)));

    caller(other.identify(List.of("Bearer " + A.token().sciToken().audience("ANY").sign())));
    rejection(
        other.identify(List.of("Bearer " + A.token().audience(TrustedIssuer.WLCG_ANY).sign())));
  }

  @Test
  void aSciTokenNeedsLessAndSpeaksOfReadAndWrite() {
    String token = A.token().sciToken().without("jti").without("iat").scope("write:/d").sign();

    assertThat(caller(show(token)).scopes()).isEqualTo(Scopes.of("storage.modify:/d"));
    for (String version : List.of("scitoken:1.0", "scitoken:3.0", "2.0", "scitoken:2")) {
      rejection(A.token().without("wlcg.ver").claim("ver", version).sign());
    }
    assertThat(rejection(A.token().sciToken().scope("read").sign())).contains("no path");
  }

  @Test
  void aWlcgTokenCannotUseTheNamesOfSciTokens() {
    assertThat(caller(show(A.token().scope("read:/ write:/").sign())).scopes())
        .isEqualTo(Scopes.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"storage.read", "storage.modify:/a/../..", "storage.read:/ storage.stage"})
  void aStorageScopeWithoutAUsablePathIsRejected(String scope) {
    assertThat(rejection(A.token().scope(scope).sign())).contains("scope");
  }

  @Test
  void theFirstGroupsClaimCountsAlone() {
    assertThat(
            caller(show(A.token().groups("/one").claim("groups", List.of("/two")).sign())).groups())
        .containsExactly("/one");
    assertThat(caller(show(A.token().groups().claim("groups", List.of("/two")).sign())).groups())
        .isEmpty();
    assertThat(
            caller(
                    show(
                        A.token()
                            .claim("groups", List.of("/two"))
                            .claim("entitlements", List.of("/three"))
                            .sign()))
                .groups())
        .containsExactly("/two");
    assertThat(caller(show(A.token().claim("entitlements", "/three").sign())).groups())
        .containsExactly("/three");
    assertThat(caller(show(A.token().claim("groups", Map.of("/a", 1)).sign())).groups()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "\u00e9", "a\u0000"})
  void aSubjectThatCouldForgeALogLineIsRejected(String subject) {
    assertThat(rejection(A.token().subject(subject).sign())).contains("sub");
    rejection(A.token().subject("x".repeat(256)).sign());
    caller(show(A.token().subject("x".repeat(255)).sign()));
  }
}
