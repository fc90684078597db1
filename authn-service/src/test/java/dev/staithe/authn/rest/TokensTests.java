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
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserChange;
import dev.staithe.testkit.Trials;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code json/tokens}: who gets a WLCG token for what; that none is taken for a session; and that
 * who proves a key by DPoP gets an ID token that names it, and nobody else does.
 */
final class TokensTests {
  private static final String SCOPE = "openid bound_key";

  @TempDir private static Path folder;
  private static RunningAuthn authn;
  private static ECKey key;

  @BeforeAll
  static void start() throws Exception {
    key = new ECKeyGenerator(Curve.P_256).generate();
    Map<String, Object> grants = new LinkedHashMap<>();
    grants.put("staithe.tokens.grants[0].to", "group:/physics");
    grants.put("staithe.tokens.grants[0].scopes[0]", "storage.read:/physics");
    grants.put("staithe.tokens.grants[0].scopes[1]", "storage.modify:/physics/secret");
    grants.put("staithe.tokens.grants[1].to", "*");
    grants.put("staithe.tokens.grants[1].scopes[0]", "storage.modify:/home/{user}");
    grants.put("staithe.tokens.grants[2].to", "group:/ops");
    int all = 0;
    for (String name : List.of("read", "create", "modify", "stage", "poll")) {
      grants.put("staithe.tokens.grants[2].scopes[" + all++ + "]", "storage." + name + ":/");
    }
    grants.put("staithe.tokens.second-factor-scopes[0]", "storage.modify:/physics");
    grants.put("staithe.tokens.second-factor-scopes[1]", "storage.read:/secret/");
    authn =
        RunningAuthn.start(folder, grants)
            .user("ada", "/physics")
            .user("bob")
            .user("oskar", "/ops");
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  private static HttpResponse<String> ask(String token, String scope) {
    return authn.as(
        token,
        "POST",
        "json/tokens",
        "{\"scope\":\"%s\",\"audience\":\"https://storage.example.org\"}".formatted(scope));
  }

  private static JsonNode claims(String jwt) {
    return JsonMapper.shared()
        .readTree(
            new String(Base64.getUrlDecoder().decode(jwt.split("\\.")[1]), StandardCharsets.UTF_8));
  }

  @Test
  void scopeThatARuleGivesIsInTheTokenForThatAudience() {
    HttpResponse<String> answer =
        ask(authn.login("ada"), "storage.read:/physics/run1 storage.modify:/home/ada");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode claims = claims(json(answer).path("access_token").asString(""));
    assertThat(claims.path("sub").asString(""))
        .as("says nothing of the name, and always the same")
        .hasSize(36)
        .isEqualTo(
            claims(json(ask(authn.login("ada"), "openid")).path("access_token").asString(""))
                .path("sub")
                .asString(""));
    assertThat(claims.path("scope").asString(""))
        .isEqualTo("storage.read:/physics/run1 storage.modify:/home/ada");
    assertThat(claims.path("aud").toString()).contains("https://storage.example.org");
    assertThat(claims.path("wlcg.ver").asString("")).isEqualTo("1.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "storage.read:/",
        "storage.read:/physicsx",
        "storage.read:/physics/../home",
        "storage.read:/physics/%2e%2e/home",
        "storage.read:/physics//..",
        "storage.create:/physics",
        "storage.modify:/home/adam",
        "storage.modify:/home",
        "storage.modify:/home/ada storage.read:/other",
        "admin",
        ""
      })
  void scopeThatNoRuleGivesIsRefusedAsAWhole(String scope) {
    HttpResponse<String> answer = ask(authn.login("ada"), scope);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
  }

  @Test
  void whoIsNotInTheGroupGetsNothingOfIt() {
    assertThat(ask(authn.login("bob"), "storage.read:/physics").statusCode()).isEqualTo(403);
  }

  @Test
  void scopeOfTheSecondFactorNeedsOne() {
    HttpResponse<String> answer = ask(authn.login("ada"), "storage.modify:/physics/secret");
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("one-time code");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "storage.modify:/",
        "storage.create:/",
        "storage.create:/physics/run1",
        "storage.modify:/%70hysics",
        "storage.read:/other storage.modify:/",
        "storage.read:/",
        "storage.read:/secret",
        "storage.stage:/secret/x"
      })
  void scopeThatContainsWhatIsProtectedNeedsTheSecondFactor(String scope) {
    HttpResponse<String> answer = ask(authn.login("oskar"), scope);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    assertThat(answer.body()).contains("one-time code");
  }

  /** Random requests; what is given is read as a storage service reads it. */
  @Test
  void noTokenWithoutTheSecondFactorPermitsAProtectedPath() {
    var random = new Random(20261122);
    String session = authn.login("oskar");
    List<String> names = List.of("read", "create", "modify", "stage", "poll");
    List<String> paths =
        List.of("/", "/physics", "/physics/x", "/physicsx", "/secret", "/secret/x", "/secrets");
    int given = 0;
    int requests = 300;
    for (int i = 0; i < requests; i++) {
      var asked = new ArrayList<String>();
      for (int scopes = 1 + random.nextInt(3); scopes > 0; scopes--) {
        asked.add(
            "storage."
                + names.get(random.nextInt(names.size()))
                + ":"
                + paths.get(random.nextInt(paths.size())));
      }
      HttpResponse<String> answer = ask(session, String.join(" ", asked));
      if (answer.statusCode() == 200) {
        given++;
        String token = json(answer).path("access_token").asString("");
        for (String scope : claims(token).path("scope").asString("").split(" ")) {
          String path = scope.substring(scope.indexOf(':') + 1);
          boolean writes = scope.matches("storage\\.(create|modify):.*");
          boolean reads = scope.matches("storage\\.(read|stage):.*");
          boolean all = path.equals("/");
          assertThat(writes && (all || (path + "/").startsWith("/physics/")))
              .as("%s for %s", scope, asked)
              .isFalse();
          assertThat(reads && (all || (path + "/").startsWith("/secret/")))
              .as("%s for %s", scope, asked)
              .isFalse();
        }
      } else {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
      }
    }
    assertThat(given).isPositive();
    Trials.held(requests);
  }

  @Test
  void disabledUserGetsNoneAlthoughTheSessionIsGood() {
    authn.user("carol", "/physics");
    String token = authn.login("carol");
    authn.bean(UserAdministration.class).change("carol", UserChange.enabled(false));
    assertThat(ask(token, "storage.read:/physics").statusCode()).isEqualTo(403);
  }

  @Test
  void endedAndForgedSessionsGetNone() {
    String token = authn.login("ada");
    authn.rest().logout(token);
    assertThat(ask(token, "storage.read:/physics").statusCode()).isEqualTo(401);
    assertThat(ask("v1.x.y.z", "storage.read:/physics").statusCode()).isEqualTo(401);
    assertThat(authn.post("json/tokens", "application/json", "{}").statusCode()).isEqualTo(400);
  }

  /** The confusion of one kind of token with another, and of one algorithm with another. */
  @Test
  void accessTokenIsNoSessionWhateverItsAlgorithmSays() {
    String jwt =
        json(ask(authn.login("ada"), "storage.read:/physics")).path("access_token").asString("");
    assertThat(jwt).isNotEmpty();
    String[] parts = jwt.split("\\.");
    for (String algorithm : new String[] {"none", "HS256"}) {
      String header =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(
                  "{\"alg\":\"%s\",\"typ\":\"JWT\"}"
                      .formatted(algorithm)
                      .getBytes(StandardCharsets.UTF_8));
      String confused = header + "." + parts[1] + "." + ("none".equals(algorithm) ? "" : parts[2]);
      assertThat(authn.isGood(confused)).isFalse();
      assertThat(authn.as(confused, "GET", "userinfo", "").statusCode()).isEqualTo(401);
    }
    assertThat(authn.isGood(jwt)).isFalse();
    assertThat(ask(jwt, "storage.read:/physics").statusCode()).isEqualTo(401);
    assertThat(authn.as(jwt, "GET", "admin/users", "").statusCode()).isEqualTo(401);
  }

  private static String session() {
    return authn.login("ada");
  }

  private static String address() {
    return authn.url().resolve("json/tokens").toString();
  }

  private static JWTClaimsSet.Builder proved() {
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

  private static HttpResponse<String> proving(String scope, String... proofs) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(authn.url().resolve("json/tokens"))
            .header("Authorization", "Bearer " + session())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"scope\":\"" + scope + "\"}"));
    for (String proof : proofs) {
      request.header("DPoP", proof);
    }
    return authn.send(request);
  }

  @Test
  void idTokenNamesTheKeyThatWasProvenAndSaysNoMoreThanWho() throws Exception {
    HttpResponse<String> answer = proving(SCOPE + " wlcg.groups", proof(proved().build()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    SignedJWT token = SignedJWT.parse(json(answer).path("id_token").asString(""));
    assertThat(token.getHeader().getType().getType()).isEqualTo("dpop+id_token");
    JWKSet keys = JWKSet.parse(authn.as(session(), "GET", "oauth2/jwks", "").body());
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
    assertThat(json(proving("openid", proof(proved().build()))).has("id_token")).isFalse();
    assertThat(proving("bound_key", proof(proved().build())).body())
        .contains("needs the scope openid");
  }

  private static void refused(String line, String... proofs) {
    HttpResponse<String> answer = proving(SCOPE, proofs);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains(line).doesNotContain("_token");
  }

  @Test
  void proofThatIsMissingOrOfAnotherRequestIsRefused() throws Exception {
    refused("one DPoP proof is needed");
    refused("one DPoP proof is needed", proof(proved().build()), proof(proved().build()));
    refused("The htm claim is not valid", proof(proved().claim("htm", "GET").build()));
    refused("The htu claim is not valid", proof(proved().claim("htu", address() + "x").build()));
    refused("iat", proof(proved().issueTime(null).build()));
    for (Duration off : List.of(Duration.ofMinutes(5), Duration.ofMinutes(-5))) {
      refused("iat", proof(proved().issueTime(Date.from(Instant.now().plus(off))).build()));
    }
    refused("jti claim is required", proof(proved().jwtID(null).build()));
  }

  @Test
  void proofIsGoodOnce() throws Exception {
    String proof = proof(proved().build());
    assertThat(proving(SCOPE, proof).statusCode()).isEqualTo(200);
    refused("jti claim is invalid", proof);
  }

  @Test
  void forgedProofIsRefused() throws Exception {
    String forged = "no JWT of type dpop+jwt signed by its own key";
    ECKey other = new ECKeyGenerator(Curve.P_256).generate();
    ECDSASigner hers = new ECDSASigner(key);
    refused(
        forged, signed(header(JWSAlgorithm.ES256, other.toPublicJWK()), proved().build(), hers));
    refused(
        forged,
        signed(
            new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("dpop+jwt")).build(),
            proved().build(),
            hers));
    refused(
        forged,
        signed(
            new JWSHeader.Builder(JWSAlgorithm.ES256).jwk(key.toPublicJWK()).build(),
            proved().build(),
            hers));
    String good = proof(proved().build());
    refused(forged, good.substring(0, good.lastIndexOf('.') + 1));
    refused(forged, "x.y.z");
    RSAKey rsa = new RSAKeyGenerator(2048).generate();
    refused(
        "not by ES256",
        signed(
            header(JWSAlgorithm.RS256, rsa.toPublicJWK()),
            proved().build(),
            new RSASSASigner(rsa)));
    ECKey longer = new ECKeyGenerator(Curve.P_384).generate();
    refused(
        "not by ES256",
        signed(
            header(JWSAlgorithm.ES384, longer.toPublicJWK()),
            proved().build(),
            new ECDSASigner(longer)));
  }
}
