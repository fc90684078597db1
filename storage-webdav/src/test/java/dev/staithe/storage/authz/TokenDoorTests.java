package dev.staithe.storage.authz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.SigningKey;
import dev.staithe.testkit.SigningKey.Algorithm;
import dev.staithe.testkit.TokenDraft;
import dev.staithe.testkit.TokenIssuer;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenDoorTests {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final MutableClock CLOCK = MutableClock.at(START);
  private static final TokenIssuer A = TokenIssuer.overHttp(CLOCK);
  private static final TokenIssuer B = TokenIssuer.overHttp(CLOCK);
  private static final String AUDIENCE = "https://localhost";

  private final MutableClock clock = MutableClock.at(START);
  private final TokenDoor door = door(Map.of(A.issuer(), A.keySet(), B.issuer(), B.keySet()));

  @AfterAll
  static void stop() {
    A.close();
    B.close();
  }

  private static TrustedIssuer trusted(String issuer) {
    return new TrustedIssuer(issuer, Set.of(AUDIENCE), true, false, null, true);
  }

  /** A door to issuers whose keys are known, so that nothing goes over the network. */
  private TokenDoor door(Map<String, String> keySets) {
    return door(keySets, keySets.keySet().stream().map(TokenDoorTests::trusted).toList());
  }

  private TokenDoor door(Map<String, String> keySets, List<TrustedIssuer> issuers) {
    try {
      return new TokenDoor(
          issuers,
          new IssuerKeys(issuers, keySets, SSLContext.getDefault(), KeyPolicy.DEFAULT, clock),
          clock);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private Identification show(String token) {
    return door.identify(List.of("Bearer " + token));
  }

  private static TokenCaller caller(Identification identification) {
    if (identification instanceof Identification.Identified(TokenCaller caller)) {
      return caller;
    }
    throw new AssertionError(identification.toString());
  }

  private static String rejection(Identification identification) {
    if (identification instanceof Identification.Rejected(String reason)) {
      return reason;
    }
    throw new AssertionError(identification.toString());
  }

  private String rejection(String token) {
    String reason = rejection(show(token));
    assertThat(reason).doesNotContain("\n", "\r", "\"", "\\").hasSizeLessThan(500);
    for (String part : token.split("\\.")) {
      if (part.length() > 20) {
        assertThat(reason).doesNotContain(part);
      }
    }
    return reason;
  }

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
  void duplicateHeadersAreRejectedEvenIfOneOfThemIsGood() {
    String good = "Bearer " + A.token().sign();

    assertThat(rejection(door.identify(List.of(good, good)))).contains("more than one");
    assertThat(rejection(door.identify(List.of(good, "Bearer x")))).contains("more than one");
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

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void everyAcceptedAlgorithmIsVerified(Algorithm algorithm) {
    SigningKey key = SigningKey.generate("k", algorithm);
    TokenDoor own = door(Map.of(A.issuer(), keySet(key)));
    String token = A.token().signedBy(key).sign();
    SigningKey stranger = SigningKey.generate("k", algorithm);

    caller(own.identify(List.of("Bearer " + token)));
    assertThat(rejection(own.identify(List.of("Bearer " + A.token().signedBy(stranger).sign()))))
        .isEqualTo("the token's signature is wrong");
  }

  private static String keySet(SigningKey... keys) {
    return JSONObjectUtils.toJSONString(
        Map.of("keys", Arrays.stream(keys).map(SigningKey::publicJwk).toList()));
  }

  @Test
  void changedClaimsAreFound() {
    String[] one = A.token().scope("storage.read:/").sign().split("\\.");
    String[] other = A.token().scope("storage.modify:/").sign().split("\\.");

    assertThat(rejection(one[0] + "." + other[1] + "." + one[2])).contains("signature is wrong");
    assertThat(rejection(one[0] + "." + one[1] + ".")).contains("signature is wrong");
  }

  @Test
  void algorithmConfusionWithThePublicKeyAsHmacSecretIsRejected() {
    String token = A.token().signWithPublicKeyAsSecret(A.key().pair().getPublic());

    assertThat(rejection(token)).contains("HS256 is not accepted");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "None", "NONE", "nOnE", "", "HS512", "rs256", "ES256K", "RSA1_5"})
  void unsignedAndUnknownAlgorithmsAreRejected(String algorithm) {
    assertThat(rejection(A.token().header("alg", algorithm).unsigned()))
        .contains("is not accepted");
  }

  @Test
  void aKeyIsUsedWithItsOwnKindOfAlgorithmOnly() {
    SigningKey ec = SigningKey.generate(A.key().kid(), Algorithm.ES256);

    assertThat(rejection(A.token().signedBy(ec).sign()))
        .contains("not one of its issuer's for ES256");
  }

  @Test
  void aKeyThatSaysItsAlgorithmIsUsedWithNoOther() {
    Map<String, Object> jwk = new HashMap<>(A.key().publicJwk());
    jwk.put("alg", "RS512");
    TokenDoor own =
        door(Map.of(A.issuer(), JSONObjectUtils.toJSONString(Map.of("keys", List.of(jwk)))));

    assertThat(rejection(own.identify(List.of("Bearer " + A.token().sign()))))
        .contains("for RS256");
  }

  @Test
  void aTokenWithoutKidIsRejected() {
    assertThat(rejection(A.token().signWithoutKid())).contains("does not name its key (kid)");
    assertThat(rejection(A.token().header("kid", "").sign())).contains("kid");
    assertThat(rejection(A.token().header("kid", 7).sign())).contains("kid");
  }

  @Test
  void aKeyThatTheTokenBringsAlongOrPointsToIsIgnored() {
    SigningKey own = SigningKey.generate("evil", Algorithm.RS256);
    int before = B.requests().size();
    for (Map.Entry<String, Object> header :
        Map.<String, Object>of(
                "jwk",
                own.publicJwk(),
                "jku",
                B.issuer() + "/jwks",
                "x5u",
                B.issuer() + "/x5u",
                "x5c",
                List.of("MIIB"))
            .entrySet()) {
      assertThat(
              rejection(A.token().signedBy(own).header(header.getKey(), header.getValue()).sign()))
          .contains("is not one of its issuer's");
      assertThat(
              rejection(
                  A.token()
                      .signedBy(own)
                      .header("kid", A.key().kid())
                      .header(header.getKey(), header.getValue())
                      .sign()))
          .contains("signature is wrong");
    }
    assertThat(B.requests()).hasSize(before);
  }

  @Test
  void headersThatMustBeUnderstoodAreNot() {
    assertThat(rejection(A.token().header("crit", List.of("x")).header("x", 1).sign()))
        .contains("not understood");
    assertThat(rejection(A.token().header("b64", false).sign())).contains("not understood");
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
