package dev.staithe.contracts.person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.contracts.record.ContractEntry;
import dev.staithe.contracts.record.ContractRecord;
import dev.staithe.contracts.signature.BadSignature;
import dev.staithe.contracts.signature.FreshKey;
import dev.staithe.pki.keys.Ed25519;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** ID tokens that name a key, as those read them who keep them and who audit. */
class BoundIdTokenTests {
  private static final String ISSUER = "https://authn.example/vo=1,a";
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  private final FreshKey key = FreshKey.make();
  private final ECKey ofIssuer = ec("k");

  private static ECKey ec(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (com.nimbusds.jose.JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .subject("a b=c sub=d")
        .audience("staithe/command")
        .issueTime(Date.from(NOW))
        .expirationTime(Date.from(NOW.plus(Duration.ofMinutes(10))))
        .claim("cnf", Map.of("jwk", key.key().publicKey().json()));
  }

  private static JWSHeader header(JWSAlgorithm algorithm) {
    return new JWSHeader.Builder(algorithm)
        .type(new JOSEObjectType(BoundIdToken.TYPE))
        .keyID("k")
        .build();
  }

  private static String signed(JWSAlgorithm algorithm, JWTClaimsSet claims, JWSSigner by)
      throws Exception {
    SignedJWT jwt = new SignedJWT(header(algorithm), claims);
    jwt.sign(by);
    return jwt.serialize();
  }

  private String signed(JWTClaimsSet claims) throws Exception {
    return signed(JWSAlgorithm.ES256, claims, new ECDSASigner(ofIssuer));
  }

  private static String vouched(String token, Instant then, JWKSet keys) throws BadSignature {
    return new PersonAuthorities(null, keys).vouched(BoundIdToken.claimed(token), then);
  }

  @Test
  void listByAnIdTokenIsThatOfThePersonWhomItNames() throws Exception {
    String token = signed(claims().build());
    PersonProperties made =
        PersonSigner.byIdToken(key, token, Map.of("purpose", "archive"), CLOCK).properties();
    assertThat(PersonProperties.isOne(made.text())).isTrue();
    PersonProperties read = PersonProperties.verify(made.text(), NOW);
    assertThat(read.name())
        .isEqualTo("openid:iss=https://authn.example/vo=1,a sub=a b=c sub=d")
        .isEqualTo(made.name());
    assertThat(ContractRecord.isHost(read.name())).isFalse();
    assertThat(ContractEntry.party(read.name())).isEqualTo(read.name());
    assertThat(read.key().id()).isEqualTo(key.key().id());
    assertThat(read.values()).containsEntry("purpose", "archive");
    assertThatThrownBy(() -> PersonSigner.byIdToken(FreshKey.make(), token, Map.of(), CLOCK))
        .hasMessageContaining("names another key");
    assertThatThrownBy(() -> PersonProperties.verify(made.text(), NOW.plus(Duration.ofHours(2))))
        .hasMessageContaining("not of this hour");
  }

  @Test
  void auditorAsksWhetherItWasGoodWhenThePersonSigned() throws Exception {
    JWKSet keys = new JWKSet(ofIssuer.toPublicJWK());
    String token = signed(claims().build());
    assertThat(vouched(token, NOW.plusSeconds(60), keys))
        .contains(ISSUER, "which a key of that issuer signed, and which was good then");
    assertThat(vouched(token, NOW, null)).contains("which no issuer was asked about");
    assertThatThrownBy(() -> vouched(token, NOW.plus(Duration.ofMinutes(13)), keys))
        .hasMessageContaining("has expired");
    assertThatThrownBy(() -> vouched(token, NOW.minus(Duration.ofMinutes(3)), null))
        .hasMessageContaining("of later than now");
    for (ECKey stranger : List.of(ec("k"), ec("l"))) {
      assertThatThrownBy(() -> vouched(token, NOW, new JWKSet(stranger.toPublicJWK())))
          .hasMessageContaining("signed by none of the issuer's keys");
    }
    String changed =
        token.substring(0, token.indexOf('.'))
            + "."
            + Base64URL.encode(claims().subject("eve").build().toString())
            + token.substring(token.lastIndexOf('.'));
    assertThatThrownBy(() -> vouched(changed, NOW, keys))
        .hasMessageContaining("signed by none of the issuer's keys");
  }

  @Test
  void issuersSignByWhatTheyHave() throws Exception {
    RSAKey rsa = new RSAKeyGenerator(2048).keyID("k").generate();
    assertThat(
            vouched(
                signed(JWSAlgorithm.PS256, claims().build(), new RSASSASigner(rsa)),
                NOW,
                new JWKSet(rsa.toPublicJWK())))
        .contains("signed");
    byte[] seed = new byte[Ed25519.KEY_BYTES];
    byte[] half = Ed25519.publicKey(seed);
    SignedJWT jwt = new SignedJWT(header(JWSAlgorithm.EdDSA), claims().build());
    String input = new String(jwt.getSigningInput(), StandardCharsets.US_ASCII);
    String edwards =
        input + "." + Base64URL.encode(Ed25519.sign(seed, half, jwt.getSigningInput()));
    OctetKeyPair pair =
        new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(half)).keyID("k").build();
    assertThat(vouched(edwards, NOW, new JWKSet(pair))).contains("signed");
    assertThatThrownBy(() -> vouched(edwards, NOW, new JWKSet(rsa.toPublicJWK())))
        .hasMessageContaining("signed by none of the issuer's keys");
  }

  @Test
  void tokenThatCannotBeInAContractIsRefused() throws Exception {
    for (JWTClaimsSet claims :
        List.of(
            claims().subject(null).build(),
            claims().subject("a\nb").build(),
            claims().subject(" a").build(),
            claims().issuer("https://authn.example/a b").build(),
            claims().issuer("https://authn.example/?a sub=b").build(),
            claims().issuer("CN=Ada").build(),
            claims().subject("x".repeat(255)).issuer(ISSUER + "x".repeat(30)).build(),
            claims().expirationTime(null).build(),
            claims().issueTime(null).build(),
            claims().claim("cnf", null).build(),
            claims().claim("cnf", Map.of("jkt", "x")).build(),
            claims().claim("cnf", Map.of("jwk", Map.of("kty", "oct", "k", "AA"))).build())) {
      String token = signed(claims);
      assertThatThrownBy(() -> BoundIdToken.claimed(token))
          .as(claims.toString())
          .isInstanceOf(BadSignature.class)
          .hasMessageContaining("ID token");
    }
    assertThatThrownBy(() -> BoundIdToken.claimed("x")).isInstanceOf(BadSignature.class);
  }
}
