package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.active;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.publicDraft;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static dev.staithe.authn.oauth.FlowSteps.tokens;
import static dev.staithe.authn.oauth.FlowSteps.verified;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Client credentials, token exchange, discovery and bad input, over HTTP. */
final class OtherFlowsTests {
  private static final String EXCHANGE = Grant.TOKEN_EXCHANGE.parameter();
  private static final String DEVICE = Grant.DEVICE_CODE.parameter();
  private static final String ACCESS = "urn:ietf:params:oauth:token-type:access_token";

  private final RunningAuthn authn = RunningAuthn.shared();
  private final Web web = new Web(authn::node);
  private Registered client;

  @BeforeEach
  void start() {
    client = register(authn.node(), draft());
    login(web, "alice");
  }

  private Web.Answer exchange(String token, Object... more) {
    return FlowSteps.exchange(web, client, token, more);
  }

  @Test
  void discoveryTellsWhereEverythingIs() {
    for (String path :
        List.of("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")) {
      Map<String, Object> metadata = new Web(authn::node).get(path).json();

      String issuer = authn.node().url("");
      assertThat(metadata.get("issuer")).as(path).isEqualTo(issuer);
      assertThat(metadata.get("jwks_uri")).isEqualTo(issuer + "/oauth2/jwks");
      assertThat(metadata.get("token_endpoint")).isEqualTo(issuer + "/oauth2/token");
      assertThat(metadata)
          .containsKeys(
              "authorization_endpoint",
              "introspection_endpoint",
              "revocation_endpoint",
              "device_authorization_endpoint");
      assertThat(String.valueOf(metadata.get("code_challenge_methods_supported")))
          .isEqualTo("[S256]");
      assertThat(metadata.get("response_modes_supported")).isEqualTo(List.of("query"));
      assertThat(String.valueOf(metadata.get("grant_types_supported")))
          .contains("authorization_code", "client_credentials", "refresh_token", DEVICE, EXCHANGE);
    }
  }

  /** What is signed otherwise than the provider says is refused by clients that compare. */
  @Test
  void discoveryNamesHowIdTokensAreSigned() throws ParseException {
    Client each = FlowSteps.changed(draft(), false, false, KeyAlgorithm.ES256);
    String id = tokens(web, register(authn.node(), each), "openid").text("id_token");

    assertThat(SignedJWT.parse(id).getHeader().getAlgorithm().getName()).isEqualTo("ES256");
    assertThat(web.get("/.well-known/openid-configuration").json())
        .containsEntry("id_token_signing_alg_values_supported", List.of("ES256", "RS256"));
  }

  @Test
  void discoveryNamesNoWayToProveAClientThatNoClientCanBeRegisteredWith() {
    for (String path :
        List.of("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")) {
      Map<String, Object> metadata = new Web(authn::node).get(path).json();

      assertThat(metadata.get("token_endpoint_auth_methods_supported"))
          .isEqualTo(List.of("client_secret_basic", "client_secret_post", "none"));
      assertThat(metadata.get("revocation_endpoint_auth_methods_supported"))
          .isEqualTo(List.of("client_secret_basic", "client_secret_post", "none"));
      assertThat(metadata.get("introspection_endpoint_auth_methods_supported"))
          .isEqualTo(List.of("client_secret_basic", "client_secret_post"));
      assertThat(metadata.get("tls_client_certificate_bound_access_tokens"))
          .isIn(null, Boolean.FALSE);
      assertThat(metadata.get("dpop_signing_alg_values_supported")).isEqualTo(List.of("ES256"));
    }
    // Each that is named works.
    assertThat(
            web.post(
                    "/oauth2/introspect",
                    "token",
                    "x",
                    "client_id",
                    client.id(),
                    "client_secret",
                    client.secret())
                .status())
        .isEqualTo(200);
    assertThat(
            web.post(
                    "/oauth2/token",
                    "grant_type",
                    "client_credentials",
                    "client_id",
                    client.id(),
                    "client_secret",
                    client.secret())
                .status())
        .isEqualTo(200);
  }

  @Test
  void keysArePublishedWithoutTheirPrivateParts() throws ParseException {
    String body = new Web(authn::node).get("/oauth2/jwks").body();

    JWKSet keys = JWKSet.parse(body);
    assertThat(keys.getKeys()).hasSizeGreaterThanOrEqualTo(2).noneMatch(JWK::isPrivate);
    assertThat(body).doesNotContain("\"d\"").doesNotContain("\"p\"");
  }

  @Test
  void clientGetsATokenOfItsOwnThatIsNoUsers() throws ParseException {
    Web.Answer answer =
        web.postAs(
            client.id(),
            client.secret(),
            "/oauth2/token",
            "grant_type",
            "client_credentials",
            "scope",
            "storage.read:/physics/a compute.create",
            "audience",
            FlowSteps.OTHER);

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JWTClaimsSet claims = verified(web, answer.text("access_token"));
    assertThat(claims.getSubject()).isEqualTo("client:" + client.id());
    assertThat(claims.getStringClaim("scope")).isEqualTo("storage.read:/physics/a compute.create");
    assertThat(claims.getAudience()).containsExactly(FlowSteps.OTHER);
    assertThat(claims.getClaims()).doesNotContainKeys("sid", "wlcg.groups", "acr");
    assertThat(answer.json()).doesNotContainKey("refresh_token");
  }

  /** As of a client that sends one with every request, since discovery speaks of them. */
  @Test
  void proofOfAKeyIsNotLookedAtWhereTokensAreBoundToNone()
      throws IOException, InterruptedException {
    String basic = client.id() + ":" + client.secret();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(URI.create(authn.node().url("/oauth2/token")))
                  .header(
                      "Authorization",
                      "Basic "
                          + Base64.getEncoder()
                              .encodeToString(basic.getBytes(StandardCharsets.UTF_8)))
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .header("DPoP", "x")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          Web.form("grant_type", "client_credentials")))
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(answer.body()).contains("\"token_type\":\"Bearer\"");
    }
  }

  @Test
  void clientThatIsNamedLikeAUserDoesNotBecomeThatUser() throws ParseException {
    Client d = draft();
    Client named =
        new Client(
            "bob",
            d.name(),
            true,
            d.redirectUris(),
            d.logoutUris(),
            d.grants(),
            d.scopes(),
            d.audiences(),
            false,
            false,
            d.algorithm(),
            d.accessLifetime(),
            d.refreshLifetime(),
            true);
    Registered bob = register(authn.node(), named);

    Web.Answer answer =
        web.postAs(bob.id(), bob.secret(), "/oauth2/token", "grant_type", "client_credentials");

    assertThat(verified(web, answer.text("access_token")).getSubject()).isNotEqualTo("bob");
    authn.node().part(Clients.class).delete("bob");
  }

  @Test
  void clientAsksForNothingBeyondItsRegistration() {
    for (String scope :
        List.of("storage.read:/", "storage.read:/physicsx", "storage.stage:/physics")) {
      assertThat(
              web.postAs(
                      client.id(),
                      client.secret(),
                      "/oauth2/token",
                      "grant_type",
                      "client_credentials",
                      "scope",
                      scope)
                  .text("error"))
          .as(scope)
          .isEqualTo("invalid_scope");
    }
    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/token",
                    "grant_type",
                    "client_credentials",
                    "audience",
                    "https://evil.example")
                .text("error"))
        .isEqualTo("invalid_target");
  }

  @Test
  void clientThatHasNotProvenWhoItIsIsToldHow() {
    Web.Answer answer =
        web.postAs(client.id(), "wrong", "/oauth2/token", "grant_type", "client_credentials");

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.text("error")).isEqualTo("invalid_client");
    assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Basic realm=\"clients\"");
  }

  @Test
  void requestThatIsInATokenOrElsewhereIsRefusedAndNotReadWithoutIt() {
    assertThat(
            web.get(FlowSteps.authorize(client.id(), "openid", "request", "e30.e30."))
                .parameter("error"))
        .isEqualTo("request_not_supported");
    Web.Answer elsewhere =
        web.get(
            FlowSteps.authorize(client.id(), "openid", "request_uri", "https://x.example/request"));
    assertThat(elsewhere.status()).isEqualTo(400);
    assertThat(elsewhere.location()).isEmpty();
    assertThat(new Web(authn::node).get("/.well-known/openid-configuration").json())
        .containsEntry("request_parameter_supported", false)
        .containsEntry("request_uri_parameter_supported", false);
  }

  @Test
  void exchangeGivesLessOrTheSameForTheSameUserAndSession() throws ParseException {
    String subject = tokens(web, client, "storage.read:/physics").text("access_token");

    Web.Answer answer =
        exchange(subject, "scope", "storage.read:/physics/run1", "audience", FlowSteps.OTHER);

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.text("issued_token_type")).isEqualTo(ACCESS);
    JWTClaimsSet claims = verified(web, answer.text("access_token"));
    assertThat(claims.getSubject()).isEqualTo(authn.subject("alice"));
    assertThat(claims.getStringClaim("scope")).isEqualTo("storage.read:/physics/run1");
    assertThat(claims.getAudience()).containsExactly(FlowSteps.OTHER);
    assertThat(claims.getStringClaim("sid"))
        .isEqualTo(verified(web, subject).getStringClaim("sid"));
    assertThat(claims.getJSONObjectClaim("act")).containsEntry("sub", "client:" + client.id());
  }

  @Test
  void exchangeNeverGivesMoreThanTheSubjectTokenHas() {
    String subject = tokens(web, client, "storage.read:/physics/run1").text("access_token");

    for (String scope :
        List.of(
            "storage.read:/physics", "storage.read:/physics/run10", "compute.create", "openid")) {
      assertThat(exchange(subject, "scope", scope).text("error"))
          .as(scope)
          .isEqualTo("invalid_scope");
      Trials.held();
    }
  }

  @Test
  void subjectTokenWithAnotherAlgorithmIsRefused() throws ParseException, JOSEException {
    String subject = tokens(web, client, "storage.read:/physics").text("access_token");
    SignedJWT good = SignedJWT.parse(subject);
    JWK key =
        JWKSet.parse(web.get("/oauth2/jwks").body()).getKeyByKeyId(good.getHeader().getKeyID());
    SignedJWT confused =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(key.getKeyID()).build(),
            good.getJWTClaimsSet());
    // The public key, which everybody has, as the secret of a MAC.
    confused.sign(new MACSigner(key.toRSAKey().toRSAPublicKey().getEncoded()));
    String[] parts = subject.split("\\.");

    for (String token :
        List.of(
            new PlainJWT(good.getJWTClaimsSet()).serialize(),
            confused.serialize(),
            parts[0] + "." + parts[1] + ".",
            parts[0] + "." + parts[1] + "." + "A".repeat(parts[2].length()),
            subject + "x",
            "x")) {
      assertThat(exchange(token).text("error")).as(token).isEqualTo("invalid_grant");
      assertThat(active(web, client, token)).isFalse();
      assertThat(web.get("/userinfo", token).status()).isEqualTo(401);
      Trials.held();
    }
  }

  @Test
  void exchangeIsForClientsThatMayAndForUsersTokensOnly() {
    String subject = tokens(web, client, "storage.read:/physics").text("access_token");
    Registered cli = register(authn.node(), publicDraft());
    assertThat(
            web.post(
                    "/oauth2/token",
                    "grant_type",
                    EXCHANGE,
                    "client_id",
                    cli.id(),
                    "subject_token",
                    subject,
                    "subject_token_type",
                    ACCESS)
                .json())
        .containsKey("error")
        .doesNotContainKey("access_token");
    String own =
        web.postAs(
                client.id(), client.secret(), "/oauth2/token", "grant_type", "client_credentials")
            .text("access_token");

    assertThat(exchange(own).text("error")).isEqualTo("invalid_grant");
  }

  @Test
  void oversizedParametersAreRefused() {
    String large = "x".repeat(9000);
    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/token",
                    "grant_type",
                    "client_credentials",
                    "scope",
                    large)
                .text("error"))
        .isEqualTo("invalid_request");
    Object[] many = new Object[200];
    for (int i = 0; i < many.length; i++) {
      many[i] = i % 2 == 0 ? "audience" : "https://" + i;
    }
    assertThat(web.postAs(client.id(), client.secret(), "/oauth2/token", many).status())
        .isEqualTo(400);
    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/introspect",
                    "token",
                    "y".repeat(300_000))
                .status())
        .isBetween(400, 499);
  }

  @Test
  void repeatedParametersAreRefused() {
    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/token",
                    "grant_type",
                    "client_credentials",
                    "grant_type",
                    "refresh_token")
                .status())
        .isEqualTo(400);
  }

  @Test
  void unknownGrantIsRefused() {
    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/token",
                    "grant_type",
                    "password",
                    "username",
                    "alice",
                    "password",
                    RunningAuthn.PASSWORD)
                .text("error"))
        .isEqualTo("unsupported_grant_type");
  }
}
