package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.staithe.storage.authz.Caller;
import dev.staithe.storage.authz.Identification;
import dev.staithe.storage.authz.Scopes;
import dev.staithe.storage.authz.TokenCaller;
import dev.staithe.testkit.trust.TokenDraft;
import dev.staithe.testkit.trust.TokenIssuer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in by which header, for how long a token is remembered, and which issuers may be. */
class TokenDoorTests extends TokenDoorFixture {
  @Test
  void aGoodTokenTellsWhoAsksAndWhatItGrants() {
    TokenCaller caller =
        caller(
            show(
                A.token()
                    .scope("openid storage.read:/a")
                    .groups("/vo")
                    .claim("client_id", "fts")
                    .claim("unheard.of", Map.of("admin", true))
                    .sign()));

    assertThat(caller.issuer()).isEqualTo(A.issuer());
    assertThat(caller.subject()).isEqualTo("alice");
    assertThat(caller.label()).isEqualTo("alice@" + A.issuer());
    assertThat(caller.group()).isEqualTo(A.issuer());
    assertThat(caller.scopes()).isEqualTo(Scopes.of("storage.read:/a"));
    assertThat(caller.groups()).containsExactly("/vo");
    assertThat(caller.audience()).containsExactly(AUDIENCE);
    assertThat(caller.clientId()).isEqualTo("fts");
    assertThat(caller.expiresAt()).isEqualTo(START.plusSeconds(3600));
  }

  @Test
  void noHeaderIsAnonymous() {
    assertThat(door.identify(List.of()))
        .isEqualTo(new Identification.Identified(new Caller.Anonymous()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer ", "bearer ", "BEARER ", "Bearer   "})
  void theSchemesCaseDoesNotMatter(String scheme) {
    caller(door.identify(List.of(scheme + A.token().sign() + " ")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Basic YTpi",
        "Negotiate abc",
        "Digest x=\"y\"",
        "",
        " ",
        "Bear abc",
        "Macaroon x"
      })
  void anotherSchemeIsRejectedAndNotTakenForAnonymous(String header) {
    assertThat(rejection(door.identify(List.of(header)))).contains("only Bearer tokens");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer", "Bearer ", "Bearer a b", "Bearer a,Bearer b", "Bearer \u00e9"})
  void aMalformedBearerHeaderIsRejected(String header) {
    assertThat(rejection(door.identify(List.of(header)))).contains("no well-formed token");
  }

  @Test
  void oneHeaderThatIsSentTwiceIsOne() {
    String good = "Bearer " + A.token().subject("ada").sign();

    assertThat(caller(door.identify(List.of(good, good))).label()).contains("ada");
    assertThat(rejection(door.identify(List.of("Bearer x", "Bearer x")))).contains("JWT");
  }

  @Test
  void headersThatDifferAreABadRequestEvenIfOneOfThemIsGood() {
    String good = "Bearer " + A.token().sign();

    for (List<String> two : List.of(List.of(good, "Bearer x"), List.of("Basic YTpi", good))) {
      assertThat(door.identify(two))
          .isEqualTo(
              new Identification.Ambiguous("there are two Authorization headers that differ"));
    }
  }

  @Test
  void anOversizeTokenIsRejectedUnread() {
    String large = A.token().claim("filler", "x".repeat(16 * 1024)).sign();

    assertThat(rejection(large)).contains("longer than 16384");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a.b",
        "a.b.c.d",
        "bnVsbA.bnVsbA.AA",
        "e30.bnVsbA.AA",
        "bnVsbA.e30.AA",
        "W10.W10.AA",
        "a.b.c.d.e",
        "..",
        "a..c",
        "e30.e30.e30",
        "e30.e30.",
        "====.=.="
      })
  void whatIsNoSignedJwtIsRejected(String token) {
    rejection(token);
  }

  @Test
  void oneTrustedIssuerCannotSpeakForAnother() {
    TokenDraft forged = A.token().claim("iss", B.issuer());

    assertThat(rejection(forged.sign())).contains("signature is wrong");
  }

  @Test
  void aForeignIssuerIsNeverFetched() {
    try (TokenIssuer foreign = TokenIssuer.overHttp(clock)) {
      assertThat(rejection(foreign.token().sign())).contains("is not trusted here");
      assertThat(rejection(A.token().claim("iss", A.issuer() + "/").sign()))
          .contains("is not trusted here");
      assertThat(rejection(A.token().without("iss").sign())).contains("names no issuer");
      assertThat(rejection(A.token().claim("iss", List.of(A.issuer())).sign()))
          .contains("names no issuer");
      assertThat(foreign.requests()).isEmpty();
    }
  }

  @Test
  void aRememberedTokenExpiresAllTheSame() {
    String token = A.token().lifetime(Duration.ofMinutes(4)).sign();
    TokenCaller first = caller(show(token));

    assertThat(caller(show(token))).isSameAs(first);
    clock.advance(Duration.ofMinutes(4));
    assertThat(rejection(token)).isEqualTo("the token has expired");
  }

  @Test
  void aTokenIsRememberedForFiveMinutesAtMost() {
    String token = A.token().sign();
    TokenCaller first = caller(show(token));

    clock.advance(Duration.ofMinutes(5).minusMillis(1));
    assertThat(caller(show(token))).isSameAs(first);
    clock.advance(Duration.ofMillis(1));
    assertThat(caller(show(token))).isEqualTo(first).isNotSameAs(first);
  }

  @Test
  void anIssuerIsTrustedOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                door(
                    Map.of(A.issuer(), A.keySet()),
                    List.of(trusted(A.issuer()), trusted(A.issuer()))));
  }

  @Test
  void issuersAndTheirKeysAreHttpsUrlsOrNothing() {
    for (String issuer :
        List.of(
            "http://issuer.example",
            "ftp://issuer.example",
            "issuer.example",
            "https://",
            "https://user@issuer.example",
            "https://issuer.example?x=y",
            "https://issuer.example#x",
            "https://is suer")) {
      assertThatIllegalArgumentException()
          .as(issuer)
          .isThrownBy(() -> TrustedIssuer.of(issuer, AUDIENCE))
          .withMessageContaining(issuer);
    }
    for (String issuer : List.of("http://issuer.example", "http://10.0.0.1", "http://127.1")) {
      assertThatIllegalArgumentException().isThrownBy(() -> trusted(issuer));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrustedIssuer.of("https://issuer.example"))
        .withMessageContaining("audience");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new TrustedIssuer(
                    "https://issuer.example",
                    Set.of(AUDIENCE),
                    true,
                    false,
                    URI.create("http://issuer.example/jwks"),
                    true));
    trusted("http://[::1]:8080/x");
  }
}
