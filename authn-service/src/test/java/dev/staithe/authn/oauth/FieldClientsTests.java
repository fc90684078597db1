package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.CALLBACK;
import static dev.staithe.authn.oauth.FlowSteps.VERIFIER;
import static dev.staithe.authn.oauth.FlowSteps.active;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.publicDraft;
import static dev.staithe.authn.oauth.FlowSteps.refresh;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static dev.staithe.authn.oauth.FlowSteps.tokens;
import static dev.staithe.authn.oauth.FlowSteps.verified;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.ClientOutcome;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Digests;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.testkit.Trials;
import java.text.ParseException;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the programs of the field send, in their own ways, over HTTP. */
final class FieldClientsTests {
  private final RunningAuthn authn = RunningAuthn.shared();
  private final Web web = new Web(authn::node);

  @BeforeEach
  void start() {
    login(web, "alice");
  }

  private static Client with(
      Client d, boolean confidential, List<String> redirects, EnumSet<Grant> grants) {
    return new Client(
        "field-" + UUID.randomUUID(),
        d.name(),
        confidential,
        redirects,
        List.of(),
        grants,
        d.scopes(),
        d.audiences(),
        false,
        false,
        d.algorithm(),
        d.accessLifetime(),
        d.refreshLifetime(),
        d.proofKey());
  }

  /** One that need not prove itself by PKCE. */
  private static Client withNonce(Client d) {
    return new Client(
        d.id(),
        d.name(),
        d.confidential(),
        d.redirectUris(),
        d.logoutUris(),
        d.grants(),
        d.scopes(),
        d.audiences(),
        d.consent(),
        d.secondFactor(),
        d.algorithm(),
        d.accessLifetime(),
        d.refreshLifetime(),
        false);
  }

  private String authorize(String client, String redirect, String scope, String... more) {
    return "/oauth2/authorize?"
        + Web.form(
            "response_type", "code",
            "client_id", client,
            "redirect_uri", redirect,
            "scope", scope,
            "state", "s")
        + (more.length == 0 ? "" : "&" + Web.form((Object[]) more));
  }

  // --- oidc-agent ------------------------------------------------------------------------------

  @Test
  void publicClientMaySayWhoItIsByBasicWithAnEmptyPassword() {
    Registered tool = register(authn.node(), publicDraft());
    Web device = new Web(authn::node);

    Web.Answer begun =
        device.postAs(
            tool.id(), "", "/oauth2/device_authorization", "scope", "openid storage.read:/physics");
    assertThat(begun.status()).as(begun.body()).isEqualTo(200);
    assertThat(polled(device, tool, begun).text("error")).isEqualTo("authorization_pending");
    Web.Answer page =
        web.follow(web.post("/oauth2/device_verification", "user_code", begun.text("user_code")));
    web.post(
        "/oauth2/device_verification",
        "client_id",
        tool.id(),
        "state",
        page.field("state"),
        "user_code",
        page.field("user_code"),
        "scope",
        "openid",
        "scope",
        "storage.read:/physics");
    Web.Answer letIn = polled(device, tool, begun);
    assertThat(letIn.status()).as(letIn.body()).isEqualTo(200);
    usedAsOidcAgentDoes(tool, letIn);

    String code =
        web.get(
                authorize(
                    tool.id(),
                    CALLBACK,
                    "openid offline_access",
                    "code_challenge",
                    Digests.of(VERIFIER),
                    "code_challenge_method",
                    "S256"))
            .parameter("code");
    Web.Answer got =
        device.postAs(
            tool.id(),
            "",
            "/oauth2/token",
            "grant_type",
            "authorization_code",
            "code",
            code,
            "redirect_uri",
            CALLBACK,
            "code_verifier",
            VERIFIER);
    assertThat(got.status()).as(got.body()).isEqualTo(200);
    usedAsOidcAgentDoes(tool, got);
  }

  private static Web.Answer polled(Web device, Registered tool, Web.Answer begun) {
    return device.postAs(
        tool.id(),
        "",
        "/oauth2/token",
        "grant_type",
        Grant.DEVICE_CODE.parameter(),
        "device_code",
        begun.text("device_code"),
        "client_id",
        tool.id());
  }

  /** All day long: it refreshes so, and revokes so in the evening. */
  private void usedAsOidcAgentDoes(Registered tool, Web.Answer first) {
    Web agent = new Web(authn::node);
    Web.Answer next =
        agent.postAs(
            tool.id(),
            "",
            "/oauth2/token",
            "grant_type",
            "refresh_token",
            "refresh_token",
            first.text("refresh_token"));
    assertThat(next.status()).as(next.body()).isEqualTo(200);
    assertThat(
            agent
                .postAs(tool.id(), "", "/oauth2/revoke", "token", next.text("refresh_token"))
                .status())
        .isEqualTo(200);
    assertThat(
            agent
                .postAs(
                    tool.id(),
                    "",
                    "/oauth2/token",
                    "grant_type",
                    "refresh_token",
                    "refresh_token",
                    next.text("refresh_token"))
                .text("error"))
        .isEqualTo("invalid_grant");
    Registered other = register(authn.node(), draft());
    assertThat(active(web, other, next.text("access_token"))).isFalse();
  }

  @Test
  void emptyPasswordIsNoProofOfAClientWithASecretNorOfAnotherCode() {
    Registered secret = register(authn.node(), draft());
    Registered tool = register(authn.node(), publicDraft());
    Web.Answer first = tokens(web, secret, "openid");
    Web device = new Web(authn::node);

    for (String path : List.of("/oauth2/token", "/oauth2/introspect", "/oauth2/revoke")) {
      Web.Answer answer =
          device.postAs(
              secret.id(),
              "",
              path,
              "grant_type",
              "refresh_token",
              "refresh_token",
              first.text("refresh_token"),
              "token",
              first.text("access_token"));
      assertThat(answer.status()).as(path + answer.body()).isIn(400, 401);
      Trials.held();
    }
    assertThat(active(web, secret, first.text("access_token"))).isTrue();
    String code =
        web.get(
                authorize(
                    tool.id(),
                    CALLBACK,
                    "openid",
                    "code_challenge",
                    Digests.of(VERIFIER),
                    "code_challenge_method",
                    "S256"))
            .parameter("code");
    for (String verifier : List.of("", "another-verifier-of-more-than-forty-three-characters")) {
      assertThat(
              device
                  .postAs(
                      tool.id(),
                      "",
                      "/oauth2/token",
                      "grant_type",
                      "authorization_code",
                      "code",
                      code,
                      "redirect_uri",
                      CALLBACK,
                      "code_verifier",
                      verifier)
                  .json())
          .doesNotContainKey("access_token");
    }
    // The id in the body has to be the same.
    assertThat(
            device
                .postAs(
                    tool.id(),
                    "",
                    "/oauth2/device_authorization",
                    "client_id",
                    secret.id(),
                    "scope",
                    "openid")
                .status())
        .isIn(400, 401);
  }

  @Test
  void codeIsSentToLocalhostAtAnyPortWhereThatIsRegistered() {
    Registered tool =
        register(
            authn.node(),
            with(
                publicDraft(),
                false,
                List.of("http://localhost:4242/redirect", "http://127.0.0.1/cb"),
                EnumSet.of(Grant.AUTHORIZATION_CODE, Grant.REFRESH_TOKEN)));
    String[] proof = {"code_challenge", Digests.of(VERIFIER), "code_challenge_method", "S256"};

    for (String good :
        List.of(
            "http://localhost:4242/redirect",
            "http://localhost:51234/redirect",
            "http://localhost/redirect",
            "http://127.0.0.1:9999/cb")) {
      assertThat(web.get(authorize(tool.id(), good, "openid", proof)).location())
          .startsWith(good + "?code=");
      // So is the error, where nobody is logged in and no page may be shown.
      String silent = authorize(tool.id(), good, "openid", proof) + "&prompt=none";
      assertThat(new Web(authn::node).get(silent).location())
          .startsWith(good + "?error=login_required");
    }
    for (String bad :
        List.of(
            "http://localhost:4242/other",
            "http://localhost:4242/redirect#x",
            "http://localhost:4242/redirect?x=1",
            "http://user@localhost:4242/redirect",
            "http://localhost.evil.example:4242/redirect",
            "http://127.0.0.1:4242/redirect",
            "https://localhost:4242/redirect",
            "http://localhost:4242@evil.example/redirect",
            "http://evil.example/cb")) {
      Web.Answer answer = web.get(authorize(tool.id(), bad, "openid", proof));
      assertThat(answer.status()).as(bad).isEqualTo(400);
      assertThat(answer.location()).as(bad).isEmpty();
    }
  }

  // --- htgettoken, Rucio -----------------------------------------------------------------------

  @Test
  void refreshMayAskForAFolderBelowWhatWasGrantedAndForTheWholeAgain() throws ParseException {
    Registered client = register(authn.node(), draft());
    Web.Answer first = tokens(web, client, "openid storage.read:/physics");

    Web.Answer below =
        refresh(
            web,
            client,
            first.text("refresh_token"),
            "scope",
            "storage.read:/physics/run7 storage.read:/physics/run8/");
    assertThat(below.status()).as(below.body()).isEqualTo(200);
    assertThat(verified(web, below.text("access_token")).getStringClaim("scope"))
        .isEqualTo("storage.read:/physics/run7 storage.read:/physics/run8/");
    Web.Answer whole = refresh(web, client, below.text("refresh_token"));
    assertThat(verified(web, whole.text("access_token")).getStringClaim("scope"))
        .isEqualTo("openid storage.read:/physics");

    for (String more :
        List.of(
            "storage.read:/",
            "storage.read:/physics7",
            "storage.read:/physics/../home",
            "storage.modify:/home/alice",
            "storage.create:/physics/run7")) {
      assertThat(refresh(web, client, whole.text("refresh_token"), "scope", more).text("error"))
          .as(more)
          .isEqualTo("invalid_scope");
    }
  }

  // --- portals ---------------------------------------------------------------------------------

  @Test
  void portalWithASecretMaySendANonceInPlaceOfPkceWhereItIsRegisteredSo() throws ParseException {
    Client open = withNonce(draft());
    Registered portal = register(authn.node(), open);

    String code =
        web.get(authorize(portal.id(), CALLBACK, "openid", "nonce", "n-1")).parameter("code");
    Web.Answer got =
        web.postAs(
            portal.id(),
            portal.secret(),
            "/oauth2/token",
            "grant_type",
            "authorization_code",
            "code",
            code,
            "redirect_uri",
            CALLBACK);
    assertThat(got.status()).as(got.body()).isEqualTo(200);
    JWTClaimsSet id = verified(web, got.text("id_token"));
    assertThat(id.getStringClaim("nonce")).isEqualTo("n-1");

    // Neither; and a nonce that nobody will compare, for want of an ID token.
    assertThat(web.get(authorize(portal.id(), CALLBACK, "openid")).parameter("error"))
        .isEqualTo("invalid_request");
    assertThat(
            web.get(authorize(portal.id(), CALLBACK, "storage.read:/physics", "nonce", "n"))
                .parameter("error"))
        .isEqualTo("invalid_request");
  }

  @Test
  void whoSentAChallengeHasToShowItsVerifierThoughANonceWouldHaveDone() {
    Registered portal = register(authn.node(), withNonce(draft()));
    String code =
        web.get(
                authorize(
                    portal.id(),
                    CALLBACK,
                    "openid",
                    "nonce",
                    "n",
                    "code_challenge",
                    Digests.of(VERIFIER),
                    "code_challenge_method",
                    "S256"))
            .parameter("code");

    assertThat(
            web.postAs(
                    portal.id(),
                    portal.secret(),
                    "/oauth2/token",
                    "grant_type",
                    "authorization_code",
                    "code",
                    code,
                    "redirect_uri",
                    CALLBACK)
                .text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void clientWithoutASecretNeedsPkce() {
    assertThat(authn.node().part(Clients.class).register(withNonce(publicDraft())))
        .isInstanceOf(ClientOutcome.Invalid.class);
  }

  // --- FTS -------------------------------------------------------------------------------------

  private Web.Answer exchange(Registered client, String token, Object... more) {
    return FlowSteps.exchange(new Web(authn::node), client, token, more);
  }

  @Test
  void exchangeOfALastingGrantGivesARefreshTokenThatEndsWithTheSessionItCameOf()
      throws ParseException {
    Registered user = register(authn.node(), draft());
    Registered transfers = register(authn.node(), draft());
    Web.Answer subject = tokens(web, user, "offline_access storage.read:/physics");

    Web.Answer exchanged =
        exchange(
            transfers,
            subject.text("access_token"),
            "scope",
            "offline_access storage.read:/physics/run7",
            "audience",
            FlowSteps.OTHER);
    assertThat(exchanged.status()).as(exchanged.body()).isEqualTo(200);
    Web.Answer later = refresh(web, transfers, exchanged.text("refresh_token"));

    JWTClaimsSet claims = verified(web, later.text("access_token"));
    assertThat(claims.getSubject())
        .isEqualTo(verified(web, subject.text("access_token")).getSubject());
    assertThat(claims.getStringClaim("scope"))
        .isEqualTo("offline_access storage.read:/physics/run7");
    assertThat(claims.getAudience()).containsExactly(FlowSteps.OTHER);
    assertThat(claims.getJSONObjectClaim("act")).containsEntry("sub", "client:" + transfers.id());
    assertThat(
            refresh(web, transfers, later.text("refresh_token"), "scope", "storage.read:/physics")
                .text("error"))
        .isEqualTo("invalid_scope");

    web.post("/logout", "_csrf", web.get("/sessions").field("_csrf"));

    assertThat(refresh(web, transfers, later.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void exchangeWithoutARefreshTokenDoesNotClaimThatItLasts() throws ParseException {
    Registered user = register(authn.node(), draft());
    Registered broker =
        register(authn.node(), with(draft(), true, List.of(), EnumSet.of(Grant.TOKEN_EXCHANGE)));
    Web.Answer subject = tokens(web, user, "offline_access storage.read:/physics");

    Web.Answer exchanged = exchange(broker, subject.text("access_token"));

    assertThat(exchanged.json()).doesNotContainKey("refresh_token");
    assertThat(verified(web, exchanged.text("access_token")).getStringClaim("scope"))
        .isEqualTo("storage.read:/physics");
    // Nor does one of a token that does not last.
    Web.Answer brief = tokens(web, user, "storage.read:/physics");
    assertThat(exchange(user, brief.text("access_token"), "scope", "offline_access").text("error"))
        .isEqualTo("invalid_scope");
  }

  @ParameterizedTest
  @ValueSource(strings = {"storage.read:/physics", "offline_access storage.read:/physics"})
  void exchangedTokensAreAmongWhatActsForTheUser(String scope) {
    Registered user = register(authn.node(), draft());
    Web.Answer subject = tokens(web, user, scope);
    exchange(user, subject.text("access_token"));

    assertThat(
            authn.node().part(Grants.class).of("alice").stream()
                .filter(each -> each.client().equals(user.id())))
        .hasSize(2);
  }
}
