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
import dev.staithe.authn.oauth.FlowSteps.Registered;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every way to a token but the code, and what is asked about tokens, over HTTP. */
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

  private Web.Answer exchange(String token, String... more) {
    Object[] form = new Object[6 + more.length];
    System.arraycopy(
        new Object[] {"grant_type", EXCHANGE, "subject_token", token, "subject_token_type", ACCESS},
        0,
        form,
        0,
        6);
    System.arraycopy(more, 0, form, 6, more.length);
    return web.postAs(client.id(), client.secret(), "/oauth2/token", form);
  }

  // --- discovery -------------------------------------------------------------------------------

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
      assertThat(String.valueOf(metadata.get("grant_types_supported")))
          .contains("authorization_code", "client_credentials", "refresh_token", DEVICE, EXCHANGE);
    }
  }

  @Test
  void keysArePublishedWithoutTheirPrivateParts() throws ParseException {
    String body = new Web(authn::node).get("/oauth2/jwks").body();

    JWKSet keys = JWKSet.parse(body);
    assertThat(keys.getKeys()).hasSizeGreaterThanOrEqualTo(2).noneMatch(JWK::isPrivate);
    assertThat(body).doesNotContain("\"d\"").doesNotContain("\"p\"");
  }

  // --- client credentials ----------------------------------------------------------------------

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
            d.refreshLifetime());
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

  // --- token exchange --------------------------------------------------------------------------

  @Test
  void exchangeGivesLessOrTheSameForTheSameUserAndSession() throws ParseException {
    String subject = tokens(web, client, "storage.read:/physics").text("access_token");

    Web.Answer answer =
        exchange(subject, "scope", "storage.read:/physics/run1", "audience", FlowSteps.OTHER);

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.text("issued_token_type")).isEqualTo(ACCESS);
    JWTClaimsSet claims = verified(web, answer.text("access_token"));
    assertThat(claims.getSubject()).isEqualTo("alice");
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

  // --- devices ---------------------------------------------------------------------------------

  private Web.Answer poll(Registered cli, String deviceCode) {
    return new Web(authn::node)
        .post(
            "/oauth2/token",
            "grant_type",
            DEVICE,
            "client_id",
            cli.id(),
            "device_code",
            deviceCode);
  }

  private Web.Answer begin(Registered cli, String scope) {
    Web.Answer begun =
        new Web(authn::node)
            .post("/oauth2/device_authorization", "client_id", cli.id(), "scope", scope);
    assertThat(begun.status()).as(begun.body()).isEqualTo(200);
    return begun;
  }

  private Web.Answer question(String userCode) {
    return web.follow(web.post("/oauth2/device_verification", "user_code", userCode));
  }

  @Test
  void deviceIsLetInByItsUser() throws ParseException {
    Registered cli = register(authn.node(), publicDraft());
    Web.Answer begun = begin(cli, "openid storage.read:/physics/x offline_access");
    assertThat(begun.text("verification_uri")).isEqualTo(authn.node().url("/device"));
    assertThat(poll(cli, begun.text("device_code")).text("error"))
        .isEqualTo("authorization_pending");

    Web.Answer page = question(begun.text("user_code").toLowerCase().replace("-", ""));
    assertThat(page.body()).contains("Test command").contains("Read files in /physics/x");
    Web.Answer done =
        web.post(
            "/oauth2/device_verification",
            "client_id",
            cli.id(),
            "state",
            page.field("state"),
            "user_code",
            page.field("user_code"),
            "scope",
            "openid",
            "scope",
            "storage.read:/physics/x",
            "scope",
            "offline_access");
    assertThat(done.location()).endsWith("/device/done");

    Web.Answer answer = poll(cli, begun.text("device_code"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JWTClaimsSet claims = verified(web, answer.text("access_token"));
    assertThat(claims.getSubject()).isEqualTo("alice");
    assertThat(claims.getStringClaim("scope"))
        .isEqualTo("openid storage.read:/physics/x offline_access");
    assertThat(web.get("/userinfo", answer.text("access_token")).text("sub")).isEqualTo("alice");
    assertThat(verified(web, answer.text("id_token")).getAudience()).containsExactly(cli.id());
    Web.Answer next =
        new Web(authn::node)
            .post(
                "/oauth2/token",
                "grant_type",
                "refresh_token",
                "client_id",
                cli.id(),
                "refresh_token",
                answer.text("refresh_token"));
    assertThat(next.status()).as(next.body()).isEqualTo(200);
    assertThat(poll(cli, begun.text("device_code")).status()).isEqualTo(400);
  }

  @Test
  void deviceIsAskedForEachTimeEvenWhereTheUserAgreedBefore() {
    Registered cli = register(authn.node(), publicDraft());
    for (int i = 0; i < 2; i++) {
      Web.Answer begun = begin(cli, "openid");
      Web.Answer page = question(begun.text("user_code"));
      assertThat(page.body()).contains("Refuse if you have not begun this yourself");
      web.post(
          "/oauth2/device_verification",
          "client_id",
          cli.id(),
          "state",
          page.field("state"),
          "user_code",
          page.field("user_code"),
          "scope",
          "openid");
      assertThat(poll(cli, begun.text("device_code")).status()).isEqualTo(200);
    }
  }

  @Test
  void deviceThatIsRefusedIsTold() {
    Registered cli = register(authn.node(), publicDraft());
    Web.Answer begun = begin(cli, "openid");
    Web.Answer page = question(begun.text("user_code"));

    web.post(
        "/oauth2/device_verification",
        "client_id",
        cli.id(),
        "state",
        page.field("state"),
        "user_code",
        page.field("user_code"));

    assertThat(poll(cli, begun.text("device_code")).text("error")).isEqualTo("access_denied");
  }

  @Test
  void deviceAsksForNothingThatTheUserMayNotGive() {
    Registered cli = register(authn.node(), publicDraft());
    Web.Answer begun = begin(cli, "storage.modify:/home/bob");
    Web.Answer page = question(begun.text("user_code"));
    web.post(
        "/oauth2/device_verification",
        "client_id",
        cli.id(),
        "state",
        page.field("state"),
        "user_code",
        page.field("user_code"),
        "scope",
        "storage.modify:/home/bob");

    assertThat(poll(cli, begun.text("device_code")).text("error")).isEqualTo("invalid_scope");
  }

  @Test
  void wrongUserCodeIsToldInWords() {
    Web.Answer page = question("BBBB-BBBB");

    assertThat(page.status()).isEqualTo(400);
    assertThat(page.body()).contains("That code is not known");
  }

  // --- what becomes of tokens ------------------------------------------------------------------

  @Test
  void introspectionTellsOfATokenAndNothingOfOneThatIsNot() {
    Web.Answer answer = tokens(web, client, "openid storage.read:/physics");

    Map<String, Object> told =
        web.postAs(
                client.id(),
                client.secret(),
                "/oauth2/introspect",
                "token",
                answer.text("access_token"))
            .json();
    assertThat(told)
        .containsEntry("active", true)
        .containsEntry("sub", "alice")
        .containsEntry("scope", "openid storage.read:/physics")
        .containsKeys("exp", "iat", "sid", "client_id");
    assertThat(
            web.postAs(client.id(), client.secret(), "/oauth2/introspect", "token", "unknown")
                .json())
        .containsExactly(Map.entry("active", false));
    assertThat(
            new Web(authn::node)
                .post("/oauth2/introspect", "token", answer.text("access_token"))
                .status())
        .isEqualTo(401);
  }

  @Test
  void logoutEndsAllTokensOfTheSession() {
    Web.Answer answer = tokens(web, client, "openid offline_access storage.read:/physics");
    String exchanged = exchange(answer.text("access_token")).text("access_token");
    Web.Answer page = web.get("/sessions");

    web.post("/logout", "_csrf", page.field("_csrf"));

    assertThat(active(web, client, answer.text("access_token"))).isFalse();
    assertThat(active(web, client, exchanged)).isFalse();
    assertThat(active(web, client, answer.text("refresh_token"))).isFalse();
    assertThat(FlowSteps.refresh(web, client, answer.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
    assertThat(web.get("/userinfo", answer.text("access_token")).status()).isEqualTo(401);
    assertThat(exchange(answer.text("access_token")).text("error")).isEqualTo("invalid_grant");
  }

  @Test
  void sessionThatWasEndedElsewhereEndsItsTokens() throws ParseException {
    Web.Answer answer = tokens(web, client, "openid");
    String sid = verified(web, answer.text("access_token")).getStringClaim("sid");

    // As the interface for programs does it: nobody tells the grants.
    authn.node().sessions().end(dev.staithe.authn.session.SessionId.parse(sid).orElseThrow());

    assertThat(active(web, client, answer.text("access_token"))).isFalse();
    assertThat(FlowSteps.refresh(web, client, answer.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void revokedTokenIsNoLongerActive() {
    Web.Answer answer = tokens(web, client, "openid");

    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/revoke",
                    "token",
                    answer.text("refresh_token"))
                .status())
        .isEqualTo(200);

    assertThat(active(web, client, answer.text("access_token"))).isFalse();
    assertThat(FlowSteps.refresh(web, client, answer.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void tokenOfAnotherClientCannotBeRevoked() {
    Web.Answer answer = tokens(web, client, "openid");
    Registered other = register(authn.node(), draft());

    web.postAs(other.id(), other.secret(), "/oauth2/revoke", "token", answer.text("access_token"));

    assertThat(active(web, client, answer.text("access_token"))).isTrue();
  }

  @Test
  void userInfoTellsWhatTheScopesSay() {
    Web.Answer some = tokens(web, client, "openid email wlcg.groups");
    assertThat(web.get("/userinfo", some.text("access_token")).json())
        .containsEntry("sub", "alice")
        .containsEntry("email", "alice@example.org")
        .containsKey("wlcg.groups")
        .doesNotContainKey("name");
    Web.Answer without = tokens(web, client, "storage.read:/physics");

    assertThat(web.get("/userinfo", without.text("access_token")).status()).isEqualTo(403);
  }

  // --- logout that a client begins -------------------------------------------------------------

  @Test
  void clientLogsItsUserOutAndGetsTheBrowserBack() {
    Web.Answer answer = tokens(web, client, "openid");

    Web.Answer gone =
        web.get(
            "/connect/logout?"
                + Web.form(
                    "id_token_hint", answer.text("id_token"),
                    "post_logout_redirect_uri", "https://app.example.org/bye",
                    "state", "a&b"));

    assertThat(gone.location()).isEqualTo("https://app.example.org/bye?state=a%26b");
    assertThat(web.cookies()).doesNotContainKey("staithe_session");
    assertThat(active(web, client, answer.text("access_token"))).isFalse();
  }

  @Test
  void logoutNeverLeadsToAnAddressThatIsNotRegistered() {
    Web.Answer answer = tokens(web, client, "openid");

    Web.Answer gone =
        web.get(
            "/connect/logout?"
                + Web.form(
                    "id_token_hint",
                    answer.text("id_token"),
                    "post_logout_redirect_uri",
                    "https://evil.example.org/"));

    assertThat(gone.location()).isEqualTo("/logout");
    assertThat(active(web, client, answer.text("access_token"))).isTrue();
  }

  @Test
  void logoutOfAnotherSiteWithoutATokenAsksFirst() {
    Web.Answer answer = tokens(web, client, "openid");

    Web.Answer asked = web.get("/connect/logout");

    assertThat(asked.location()).isEqualTo("/logout");
    assertThat(active(web, client, answer.text("access_token"))).isTrue();
  }

  @Test
  void logoutWithATokenOfAnEarlierSessionAsksFirst() {
    Web.Answer earlier = tokens(web, client, "openid");
    Web second = new Web(authn::node);
    login(second, "alice");

    assertThat(
            second
                .get("/connect/logout?" + Web.form("id_token_hint", earlier.text("id_token")))
                .location())
        .isEqualTo("/logout");
  }

  // --- bad input -------------------------------------------------------------------------------

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
