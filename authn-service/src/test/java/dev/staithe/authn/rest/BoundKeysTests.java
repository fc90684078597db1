package dev.staithe.authn.rest;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.authn.RunningAuthn;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ID tokens that name a key: who proves one by DPoP gets one, and nobody else does. */
final class BoundKeysTests {
  private static final String SCOPE = "openid bound_key";

  @TempDir private static Path folder;
  private static RunningAuthn authn;
  private static ECKey key;
  private static String session;

  @BeforeAll
  static void start() throws Exception {
    authn = RunningAuthn.start(folder, Map.of()).user("ada", "/physics");
    key = new ECKeyGenerator(Curve.P_256).generate();
    session = authn.login("ada");
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  private static String address() {
    return authn.url().resolve("json/tokens").toString();
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .jwtID(UUID.randomUUID().toString())
        .claim("htm", "POST")
        .claim("htu", address())
        .issueTime(new Date());
  }

  private static String proof(JWTClaimsSet claims) throws Exception {
    return signed(header(JWSAlgorithm.ES256, key.toPublicJWK()), claims, new ECDSASigner(key));
  }

  private static JWSHeader header(JWSAlgorithm algorithm, JWK shown) {
    return new JWSHeader.Builder(algorithm).type(new JOSEObjectType("dpop+jwt")).jwk(shown).build();
  }

  private static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner by)
      throws Exception {
    var jwt = new SignedJWT(header, claims);
    jwt.sign(by);
    return jwt.serialize();
  }

  private static HttpResponse<String> ask(String scope, String... proofs) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(authn.url().resolve("json/tokens"))
            .header("Authorization", "Bearer " + session)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"scope\":\"" + scope + "\"}"));
    for (String proof : proofs) {
      request.header("DPoP", proof);
    }
    return authn.send(request);
  }

  @Test
  void idTokenNamesTheKeyThatWasProvenAndSaysNoMoreThanWho() throws Exception {
    HttpResponse<String> answer = ask(SCOPE + " wlcg.groups", proof(claims().build()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    SignedJWT token = SignedJWT.parse(json(answer).path("id_token").asString(""));
    assertThat(token.getHeader().getType().getType()).isEqualTo("dpop+id_token");
    JWKSet keys = JWKSet.parse(authn.as(session, "GET", "oauth2/jwks", "").body());
    RSAKey by = keys.getKeyByKeyId(token.getHeader().getKeyID()).toRSAKey();
    assertThat(token.verify(new RSASSAVerifier(by))).isTrue();
    JWTClaimsSet said = token.getJWTClaimsSet();
    SignedJWT access = SignedJWT.parse(json(answer).path("access_token").asString(""));
    assertThat(said.getSubject()).isEqualTo(access.getJWTClaimsSet().getSubject()).hasSize(36);
    assertThat(said.getIssuer()).isEqualTo(access.getJWTClaimsSet().getIssuer());
    assertThat(said.getAudience()).isEqualTo(List.of("staithe/command"));
    assertThat(said.getJSONObjectClaim("cnf"))
        .isEqualTo(Map.of("jwk", key.toPublicJWK().toJSONObject()));
    assertThat(said.getClaims().keySet())
        .containsExactlyInAnyOrder(
            "iss", "sub", "aud", "iat", "exp", "jti", "auth_time", "acr", "amr", "cnf");
    assertThat(access.getJWTClaimsSet().getClaims())
        .as("stays a bearer token")
        .doesNotContainKey("cnf")
        .containsEntry("scope", "openid wlcg.groups");
    assertThat(json(answer).path("token_type").asString("")).isEqualTo("Bearer");
    assertThat(json(ask("openid", proof(claims().build()))).has("id_token")).isFalse();
    assertThat(ask("bound_key", proof(claims().build())).body()).contains("needs the scope openid");
  }

  private static void refused(String line, String... proofs) {
    HttpResponse<String> answer = ask(SCOPE, proofs);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains(line).doesNotContain("_token");
  }

  @Test
  void proofThatIsMissingOrOfAnotherRequestIsRefused() throws Exception {
    refused("one DPoP proof is needed");
    refused("one DPoP proof is needed", proof(claims().build()), proof(claims().build()));
    refused("The htm claim is not valid", proof(claims().claim("htm", "GET").build()));
    refused("The htu claim is not valid", proof(claims().claim("htu", address() + "x").build()));
    refused("iat", proof(claims().issueTime(null).build()));
    for (Duration off : List.of(Duration.ofMinutes(5), Duration.ofMinutes(-5))) {
      refused("iat", proof(claims().issueTime(Date.from(Instant.now().plus(off))).build()));
    }
    refused("jti claim is required", proof(claims().jwtID(null).build()));
  }

  @Test
  void proofIsGoodOnce() throws Exception {
    String proof = proof(claims().build());
    assertThat(ask(SCOPE, proof).statusCode()).isEqualTo(200);
    refused("jti claim is invalid", proof);
  }

  @Test
  void forgedProofIsRefused() throws Exception {
    String forged = "no JWT of type dpop+jwt signed by its own key";
    ECKey other = new ECKeyGenerator(Curve.P_256).generate();
    ECDSASigner hers = new ECDSASigner(key);
    refused(
        forged, signed(header(JWSAlgorithm.ES256, other.toPublicJWK()), claims().build(), hers));
    refused(
        forged,
        signed(
            new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("dpop+jwt")).build(),
            claims().build(),
            hers));
    refused(
        forged,
        signed(
            new JWSHeader.Builder(JWSAlgorithm.ES256).jwk(key.toPublicJWK()).build(),
            claims().build(),
            hers));
    String good = proof(claims().build());
    refused(forged, good.substring(0, good.lastIndexOf('.') + 1));
    refused(forged, "x.y.z");
    RSAKey rsa = new RSAKeyGenerator(2048).generate();
    refused(
        "not by ES256",
        signed(
            header(JWSAlgorithm.RS256, rsa.toPublicJWK()),
            claims().build(),
            new RSASSASigner(rsa)));
    ECKey longer = new ECKeyGenerator(Curve.P_384).generate();
    refused(
        "not by ES256",
        signed(
            header(JWSAlgorithm.ES384, longer.toPublicJWK()),
            claims().build(),
            new ECDSASigner(longer)));
  }
}
