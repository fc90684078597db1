package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import dev.staithe.testkit.trust.TokenIssuer.Answer;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** Where keys are fetched from, and what is believed of the answers. */
class KeyFetchTests extends IssuerKeysFixture {
  @Test
  void keysAreFetchedOverVerifiedHttps() {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("good"), Clock.systemUTC());
    try (TokenIssuer secure = TokenIssuer.overHttps(authority, clock)) {
      Door door =
          door(
              List.of(TrustedIssuer.of(secure.issuer(), "https://localhost")),
              authority.clientContext(),
              PATIENT);

      assertGood(door.show(secure));
      assertThat(door.status())
          .isEqualTo(new IssuerStatus(secure.issuer(), 1, true, clock.instant(), null));
    }
  }

  @Test
  void anIssuerWithACertificateOfAnotherAuthorityIsNotBelieved() {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("good"), Clock.systemUTC());
    ThrowAwayAuthority rogue = ThrowAwayAuthority.in(folder.resolve("rogue"), Clock.systemUTC());
    try (TokenIssuer impostor = TokenIssuer.overHttps(rogue, clock)) {
      Door door =
          door(
              List.of(TrustedIssuer.of(impostor.issuer(), "https://localhost")),
              authority.clientContext(),
              PATIENT);

      assertUnavailable(door.show(impostor));
      assertThat(door.status().lastError()).contains("TLS failed").doesNotContain("\n");
      assertThat(impostor.requests()).isEmpty();
    }
  }

  @Test
  void aKeySetThatRedirectsToAnotherOriginIsNotFollowed() throws Exception {
    TokenIssuer internal = TokenIssuer.overHttp(clock);
    opened.add(internal);
    for (String target :
        List.of(
            internal.issuer() + JWKS,
            "http://127.0.0.1:" + issuer.port() + JWKS,
            "http://169.254.169.254/latest/meta-data",
            "file:///etc/passwd",
            "//127.0.0.1:1/jwks",
            "http://user@localhost:" + issuer.port() + JWKS)) {
      issuer.answer(JWKS, new Answer(302, Map.of("Location", target), ""));
      Door door = door(issuer);

      assertUnavailable(door.show(issuer));
      assertThat(door.status().lastError()).contains("redirects to another origin");
      Trials.held();
    }
    assertThat(internal.requests()).isEmpty();
  }

  @Test
  void aRedirectWithinTheIssuersOriginIsFollowedAFewTimes() throws Exception {
    issuer.answer(JWKS, new Answer(307, Map.of("Location", "/keys"), ""));
    issuer.answer("/keys", new Answer(200, Map.of(), issuer.keySet()));
    assertGood(door(issuer).show(issuer));

    issuer.answer("/keys", new Answer(307, Map.of("Location", JWKS), ""));
    Door circle = door(issuer);
    assertUnavailable(circle.show(issuer));
    assertThat(circle.status().lastError()).contains("redirects more than 3 times");
  }

  @Test
  void metadataOfAnotherIssuerOrWithAnUnsafeKeyAddressIsRefused() throws Exception {
    for (Map<String, Object> metadata :
        List.<Map<String, Object>>of(
            Map.of("issuer", "https://other.example", "jwks_uri", issuer.issuer() + JWKS),
            Map.of("issuer", issuer.issuer() + "/", "jwks_uri", issuer.issuer() + JWKS),
            Map.of("jwks_uri", issuer.issuer() + JWKS),
            Map.of("issuer", issuer.issuer()),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "http://10.0.0.1/jwks"),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "file:///etc/passwd"),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "/jwks"),
            Map.of("issuer", issuer.issuer(), "jwks_uri", "https://"),
            Map.of("issuer", issuer.issuer(), "jwks_uri", 7))) {
      issuer.answer(METADATA, new Answer(200, Map.of(), JSONObjectUtils.toJSONString(metadata)));
      Door door = door(issuer);

      assertUnavailable(door.show(issuer));
      assertThat(asked(issuer, JWKS)).as(metadata.toString()).isZero();
      assertThat(door.status().lastError()).doesNotContain("\n");
      Trials.held();
    }
  }

  @Test
  void answersThatAreNoKeySetAreRefusedInOneLine() throws Exception {
    for (Answer answer :
        List.of(
            new Answer(500, Map.of(), issuer.keySet()),
            new Answer(204, Map.of(), ""),
            new Answer(200, Map.of(), ""),
            new Answer(200, Map.of(), "null"),
            new Answer(200, Map.of(), "<html>\n</html>"),
            new Answer(200, Map.of(), "{\"keys\":[]}"),
            new Answer(
                200,
                Map.of(),
                issuer.keySet() + " ".repeat((1 << 20) - issuer.keySet().length() + 1)))) {
      issuer.answer(JWKS, answer);
      Door door = door(issuer);

      assertUnavailable(door.show(issuer));
      assertThat(door.status().lastError()).contains(JWKS).doesNotContain("\n");
    }
    issuer.answer(JWKS, new Answer(200, Map.of(), issuer.keySet() + " ".repeat(1000)));
    assertGood(door(issuer).show(issuer));
  }

  @Test
  void theMetadataOfRfc8414IsUsedWhereThereIsNoOpenIdConfiguration() throws Exception {
    String name = issuer.issuer() + "/tenant";
    issuer.answer(
        "/.well-known/oauth-authorization-server/tenant",
        new Answer(
            200,
            Map.of(),
            JSONObjectUtils.toJSONString(
                Map.of("issuer", name, "jwks_uri", issuer.issuer() + JWKS))));
    Door door = door(List.of(trusted(name, null)), SSLContext.getDefault(), PATIENT);

    assertGood(door.show(issuer.token().claim("iss", name).sign()));
    assertThat(issuer.requests())
        .containsExactly(
            "/tenant" + METADATA, "/.well-known/oauth-authorization-server/tenant", JWKS);
  }

  @Test
  void whereTheKeysAddressIsGivenMetadataIsNotAsked() throws Exception {
    Door door =
        door(
            List.of(trusted(issuer.issuer(), URI.create(issuer.issuer() + JWKS))),
            SSLContext.getDefault(),
            PATIENT);

    assertGood(door.show(issuer));
    assertThat(issuer.requests()).containsExactly(JWKS);
  }
}
