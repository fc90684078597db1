package dev.staithe.storage.issuers;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.trust.SigningKey;
import dev.staithe.testkit.trust.SigningKey.Algorithm;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which signatures hold, and by which keys. */
class TokenSignatureTests extends TokenDoorFixture {
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

    assertThat(rejection(token))
        .contains("HS256 is not accepted")
        .endsWith("RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, EdDSA");
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
      Trials.held();
    }
    assertThat(B.requests()).hasSize(before);
  }

  @Test
  void aThumbprintOfACertificateDoesNotChooseTheKey() {
    caller(show(A.token().header("x5t#S256", "A".repeat(43)).sign()));
    assertThat(rejection(A.token().header("kid", "other").header("x5t#S256", "A").sign()))
        .contains("is not one of its issuer's");
  }

  @Test
  void anyTypeOfTokenIsTaken() {
    for (String type : List.of("JWT", "at+jwt", "jwt", "x")) {
      caller(show(A.token().header("typ", type).sign()));
    }
  }

  @Test
  void headersThatMustBeUnderstoodAreNot() {
    assertThat(rejection(A.token().header("crit", List.of("x")).header("x", 1).sign()))
        .contains("not understood");
    assertThat(rejection(A.token().header("b64", false).sign())).contains("not understood");
  }
}
