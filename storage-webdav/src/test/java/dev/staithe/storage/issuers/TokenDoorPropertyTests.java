package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.storage.authz.Identification;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.trust.SigningKey;
import dev.staithe.testkit.trust.TokenDraft;
import dev.staithe.testkit.trust.TokenIssuer;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.lifecycle.AfterContainer;

class TokenDoorPropertyTests {
  private static final MutableClock CLOCK = MutableClock.at(Instant.parse("2026-11-21T12:00:00Z"));
  private static final TokenIssuer ISSUER = TokenIssuer.overHttp(CLOCK);
  private static final TokenDoor DOOR = door(ISSUER.rotate(SigningKey.Algorithm.EdDSA));

  private static TokenDoor door(SigningKey key) {
    List<TrustedIssuer> trusted =
        List.of(
            new TrustedIssuer(
                ISSUER.issuer(), Set.of("https://localhost"), true, false, null, true));
    assertThat(key).isSameAs(ISSUER.key());
    try {
      return new TokenDoor(
          trusted,
          new IssuerKeys(
              trusted,
              TokenDoorFixture.files(Map.of(ISSUER.issuer(), ISSUER.keySet())),
              Duration.ZERO,
              SSLContext.getDefault(),
              KeyPolicy.DEFAULT,
              CLOCK),
          CLOCK);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterContainer
  static void stop() {
    ISSUER.close();
  }

  @Property
  void whateverAHeaderHoldsItIsRejectedInOneSafeLine(
      @ForAll("schemes") String scheme, @ForAll @StringLength(max = 60) String rest) {
    assertSafe(DOOR.identify(List.of(scheme + rest)));
  }

  @Property(tries = 300)
  void whateverClaimsAnIssuerSignsNothingBreaks(
      @ForAll("claims") String claim, @ForAll("values") Object value) {
    switch (DOOR.identify(List.of("Bearer " + ISSUER.token().claim(claim, value).sign()))) {
      case Identification.Identified identified ->
          assertThat(identified.caller().label()).matches("[\\x20-\\x7e]+");
      case Identification.Refused rejected -> assertSafe(rejected);
      case Identification.Ambiguous ambiguous -> throw new AssertionError(ambiguous);
      case Identification.NotBelieved notBelieved -> throw new AssertionError(notBelieved);
      case Identification.Unavailable unavailable -> throw new AssertionError(unavailable);
    }
  }

  @Property(tries = 300)
  void whateverATokensHeaderSaysOnlyTheIssuersKeyCounts(
      @ForAll("members") String member, @ForAll("values") Object value) {
    SigningKey own = SigningKey.generate("own", SigningKey.Algorithm.EdDSA);
    TokenDraft draft = ISSUER.token().signedBy(own).header("kid", ISSUER.key().kid());

    assertSafe(DOOR.identify(List.of("Bearer " + draft.header(member, value).sign())));
  }

  private static void assertSafe(Identification identification) {
    assertThat(identification)
        .isInstanceOfSatisfying(
            Identification.Refused.class,
            rejected ->
                assertThat(rejected.reason())
                    .matches("[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]{1,800}"));
  }

  @Provide
  static Arbitrary<String> schemes() {
    return Arbitraries.of(
        "", "Bearer ", "bearer", "Basic ", "Bearer e30.", "Bearer bnVsbA.bnVsbA.");
  }

  @Provide
  static Arbitrary<String> claims() {
    return Arbitraries.of(
        "iss",
        "sub",
        "aud",
        "exp",
        "iat",
        "nbf",
        "jti",
        "wlcg.ver",
        "ver",
        "scope",
        "wlcg.groups",
        "groups",
        "entitlements",
        "client_id",
        "azp");
  }

  @Provide
  static Arbitrary<String> members() {
    return Arbitraries.of("alg", "kid", "typ", "jwk", "jku", "x5u", "x5c", "crit", "b64", "zip");
  }

  @Provide
  static Arbitrary<Object> values() {
    Arbitrary<Object> simple =
        Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(30).map(text -> (Object) text),
            Arbitraries.of(
                "none", "HS256", "RS256", "ES256", "storage.read:/..", "storage.read", ""),
            Arbitraries.longs().map(number -> (Object) number),
            Arbitraries.doubles().map(number -> (Object) number),
            Arbitraries.of(true, false));
    return Arbitraries.oneOf(
        simple,
        simple.list().ofMaxSize(3).map(list -> (Object) list),
        simple.map(value -> (Object) Map.of("a", value)));
  }
}
