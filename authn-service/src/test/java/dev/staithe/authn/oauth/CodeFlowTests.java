package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.CALLBACK;
import static dev.staithe.authn.oauth.FlowSteps.OTHER;
import static dev.staithe.authn.oauth.FlowSteps.VERIFIER;
import static dev.staithe.authn.oauth.FlowSteps.active;
import static dev.staithe.authn.oauth.FlowSteps.authorize;
import static dev.staithe.authn.oauth.FlowSteps.code;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.redeem;
import static dev.staithe.authn.oauth.FlowSteps.refresh;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static dev.staithe.authn.oauth.FlowSteps.tokens;
import static dev.staithe.authn.oauth.FlowSteps.verified;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The authorization code and what comes of it, over HTTP. */
final class CodeFlowTests {
  private final RunningAuthn authn = RunningAuthn.shared();
  private final Web web = new Web(authn::node);
  private Registered client;

  @BeforeEach
  void start() {
    client = register(authn.node(), draft());
    login(web, "alice");
  }

  @Test
  void tokenSaysWhatTheWlcgProfileWants() throws ParseException {
    Web.Answer answer = tokens(web, client, "openid wlcg storage.read:/physics/run1 wlcg.groups");

    assertThat(answer.text("token_type")).isEqualTo("Bearer");
    assertThat(answer.text("expires_in")).isIn("1199", "1200");
    JWTClaimsSet claims = verified(web, answer.text("access_token"));
    assertThat(claims.getIssuer()).isEqualTo(authn.node().url(""));
    assertThat(claims.getSubject()).isEqualTo("alice");
    assertThat(claims.getAudience()).containsExactly("https://storage.example.org");
    assertThat(claims.getStringClaim("scope"))
        .isEqualTo("openid wlcg storage.read:/physics/run1 wlcg.groups");
    assertThat(claims.getStringClaim("wlcg.ver")).isEqualTo("1.0");
    assertThat(claims.getStringListClaim("wlcg.groups"))
        .containsExactly("/physics", "/physics/analysis", "/physics/production");
    assertThat(claims.getJWTID()).isNotBlank();
    assertThat(claims.getIssueTime()).isNotNull();
    assertThat(claims.getNotBeforeTime()).isNotNull();
    assertThat(claims.getExpirationTime()).isAfter(claims.getIssueTime());
    assertThat(claims.getStringClaim("acr")).isEqualTo("https://refeds.org/profile/sfa");
    assertThat(claims.getStringListClaim("amr")).containsExactly("pwd");
    assertThat(claims.getLongClaim("auth_time")).isPositive();
    assertThat(claims.getStringClaim("sid")).hasSize(22);
    assertThat(claims.getStringClaim("client_id")).isEqualTo(client.id());
    JWTClaimsSet id = verified(web, answer.text("id_token"));
    assertThat(id.getAudience()).containsExactly(client.id());
    assertThat(id.getStringClaim("nonce")).isEqualTo("n1");
    assertThat(id.getStringClaim("sid")).isEqualTo(claims.getStringClaim("sid"));
    assertThat(id.getStringListClaim("wlcg.groups")).contains("/physics");
  }

  @Test
  void nothingIsSaidThatWasNotAskedFor() throws ParseException {
    JWTClaimsSet claims =
        verified(web, tokens(web, client, "storage.read:/physics").text("access_token"));

    assertThat(claims.getStringClaim("scope")).isEqualTo("storage.read:/physics");
    assertThat(claims.getClaims())
        .doesNotContainKeys("wlcg.groups", "email", "name", "preferred_username");
  }

  @Test
  void groupsComeInTheOrderOfTheRequest() throws ParseException {
    JWTClaimsSet claims =
        verified(
            web,
            tokens(web, client, "wlcg.groups:/physics/production wlcg.groups:/physics/analysis")
                .text("access_token"));

    assertThat(claims.getStringListClaim("wlcg.groups"))
        .containsExactly("/physics/production", "/physics/analysis", "/physics");
  }

  @Test
  void tokensOfAClientThatWantsThemAreSignedWithEs256() throws ParseException {
    Registered ec =
        register(authn.node(), FlowSteps.changed(draft(), false, false, KeyAlgorithm.ES256));

    Web.Answer answer = tokens(web, ec, "openid storage.read:/physics");

    assertThat(verified(web, answer.text("access_token")).getSubject()).isEqualTo("alice");
    assertThat(verified(web, answer.text("id_token")).getSubject()).isEqualTo("alice");
  }

  @Test
  void requestWithoutPkceIsRefusedForConfidentialClientsToo() {
    Web.Answer answer =
        web.get(
            "/oauth2/authorize?"
                + Web.form(
                    "response_type", "code",
                    "client_id", client.id(),
                    "redirect_uri", CALLBACK,
                    "scope", "openid",
                    "state", "s"));

    assertThat(answer.location()).startsWith(CALLBACK);
    assertThat(answer.parameter("error")).isEqualTo("invalid_request");
    assertThat(answer.parameter("code")).isEmpty();
  }

  @Test
  void challengeInTheClearIsRefused() {
    Web.Answer answer =
        web.get(
            "/oauth2/authorize?"
                + Web.form(
                    "response_type",
                    "code",
                    "client_id",
                    client.id(),
                    "redirect_uri",
                    CALLBACK,
                    "scope",
                    "openid",
                    "code_challenge",
                    VERIFIER,
                    "code_challenge_method",
                    "plain"));

    assertThat(answer.parameter("error")).isEqualTo("invalid_request");
  }

  @Test
  void wrongOrMissingVerifierGetsNoToken() {
    String code = code(web, client, "openid");

    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/token",
                    "grant_type",
                    "authorization_code",
                    "code",
                    code,
                    "redirect_uri",
                    CALLBACK,
                    "code_verifier",
                    VERIFIER + "x")
                .text("error"))
        .isEqualTo("invalid_grant");
    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
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
  void codeIsNeverSentToAnAddressThatIsNotRegistered() {
    for (String uri :
        List.of(
            "https://evil.example.org/cb",
            "https://app.example.org/cb/../evil",
            "https://app.example.org/cb?x=1",
            "https://app.example.org.evil.example.org/cb",
            "http://app.example.org/cb",
            CALLBACK + "#x")) {
      Web.Answer answer =
          web.get(authorize(client.id(), "openid").replace(Web.encode(CALLBACK), Web.encode(uri)));

      assertThat(answer.status()).as(uri).isEqualTo(400);
      assertThat(answer.location()).isEmpty();
    }
  }

  @Test
  void codeOfAnotherRedirectUriOrClientIsRefused() {
    String code = code(web, client, "openid");
    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/token",
                    "grant_type",
                    "authorization_code",
                    "code",
                    code,
                    "redirect_uri",
                    CALLBACK + "2",
                    "code_verifier",
                    VERIFIER)
                .text("error"))
        .isEqualTo("invalid_grant");
    Registered other = register(authn.node(), draft());

    assertThat(redeem(web, other, code).text("error")).isEqualTo("invalid_grant");
  }

  @Test
  void codeThatIsUsedTwiceTakesItsTokensWithIt() {
    String code = code(web, client, "openid");
    Web.Answer first = redeem(web, client, code);
    assertThat(active(web, client, first.text("access_token"))).isTrue();

    assertThat(redeem(web, client, code).text("error")).isEqualTo("invalid_grant");

    assertThat(active(web, client, first.text("access_token"))).isFalse();
    assertThat(refresh(web, client, first.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void codeThatIsRedeemedManyTimesAtOnceGivesOneToken() throws Exception {
    String code = code(web, client, "openid");
    int good = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Web.Answer>> answers =
          threads.invokeAll(
              java.util.Collections.nCopies(4, () -> redeem(new Web(authn::node), client, code)));
      for (Future<Web.Answer> answer : answers) {
        good += answer.get().status() == 200 ? 1 : 0;
      }
    }
    assertThat(good).isLessThanOrEqualTo(1);
  }

  @Test
  void refreshTokenIsReplacedAndSaysTheSame() throws ParseException {
    Web.Answer first = tokens(web, client, "openid storage.read:/physics wlcg.groups");
    JWTClaimsSet before = verified(web, first.text("access_token"));

    Web.Answer second = refresh(web, client, first.text("refresh_token"));

    assertThat(second.status()).as(second.body()).isEqualTo(200);
    assertThat(second.text("refresh_token")).isNotEqualTo(first.text("refresh_token"));
    JWTClaimsSet after = verified(web, second.text("access_token"));
    for (String same : List.of("sub", "sid", "scope", "aud", "auth_time", "acr", "wlcg.groups")) {
      assertThat(after.getClaim(same)).as(same).isEqualTo(before.getClaim(same));
    }
    assertThat(after.getJWTID()).isNotEqualTo(before.getJWTID());
    assertThat(verified(web, second.text("id_token")).getClaim("auth_time"))
        .isEqualTo(before.getClaim("auth_time"));
  }

  @Test
  void refreshTokenThatIsUsedAgainRevokesItsFamily() {
    Web.Answer first = tokens(web, client, "openid");
    Web.Answer second = refresh(web, client, first.text("refresh_token"));

    assertThat(refresh(web, client, first.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");

    assertThat(refresh(web, client, second.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
    assertThat(active(web, client, second.text("access_token"))).isFalse();
  }

  @Test
  void refreshGivesLessWhereLessIsAskedForAndNeverMore() throws ParseException {
    Web.Answer first = tokens(web, client, "storage.read:/physics compute.create");

    Web.Answer less =
        refresh(web, client, first.text("refresh_token"), "scope", "storage.read:/physics");
    assertThat(verified(web, less.text("access_token")).getStringClaim("scope"))
        .isEqualTo("storage.read:/physics");
    Web.Answer more =
        refresh(web, client, less.text("refresh_token"), "scope", "storage.modify:/home/alice");
    assertThat(more.text("error")).isEqualTo("invalid_scope");
  }

  @Test
  void refreshTokenOfAnotherClientIsRefused() {
    Web.Answer first = tokens(web, client, "openid");
    Registered other = register(authn.node(), draft());

    assertThat(refresh(web, other, first.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void scopeThatNoRuleGivesIsRefused() {
    for (String scope :
        List.of(
            "storage.read:/",
            "storage.read:/physicsx",
            "storage.read:/physics/../home",
            "storage.read:/physics/%2e%2e/home",
            "storage.read:/physics%2F..%2Fhome",
            "storage.read:/physics//x",
            "storage.read",
            "storage.modify:/physics",
            "storage.modify:/home/bob",
            "storage.modify:/home/alicex",
            "STORAGE.READ:/physics",
            "no.such.scope")) {
      Web.Answer answer = web.get(authorize(client.id(), "openid " + scope));

      assertThat(answer.parameter("error")).as(scope).isEqualTo("invalid_scope");
      assertThat(answer.parameter("code")).isEmpty();
    }
  }

  @Test
  void scopeIsGivenByTheUsersOwnNameAndGroups() {
    assertThat(code(web, client, "storage.modify:/home/alice/data")).isNotEmpty();
    Web bob = new Web(authn::node);
    login(bob, "bob");

    assertThat(code(bob, client, "storage.modify:/home/bob")).isNotEmpty();
    assertThat(bob.get(authorize(client.id(), "storage.read:/physics")).parameter("error"))
        .isEqualTo("invalid_scope");
    assertThat(bob.get(authorize(client.id(), "wlcg.groups:/physics")).parameter("error"))
        .isEqualTo("invalid_scope");
  }

  @Test
  void ruleThatIsTakenAwayEndsTheScopeAtTheNextRefresh() {
    ScopeGrants scopes = authn.node().part(ScopeGrants.class);
    GrantRule rule = GrantRule.of("user:alice storage.modify:/home/shared");
    assertThat(scopes.add(rule)).isTrue();
    Web.Answer first = tokens(web, client, "storage.modify:/home/shared");

    assertThat(scopes.remove(rule)).isTrue();

    assertThat(refresh(web, client, first.text("refresh_token")).text("error"))
        .isEqualTo("invalid_scope");
  }

  @Test
  void audienceIsTheOneThatWasAskedForAmongTheClients() throws ParseException {
    assertThat(
            verified(
                    web,
                    tokens(web, client, "storage.read:/physics", "audience", OTHER)
                        .text("access_token"))
                .getAudience())
        .containsExactly(OTHER);
    assertThat(
            verified(
                    web,
                    tokens(web, client, "storage.read:/physics", "resource", OTHER)
                        .text("access_token"))
                .getAudience())
        .containsExactly(OTHER);

    assertThat(
            web.get(
                    authorize(
                        client.id(), "storage.read:/physics", "audience", "https://evil.example"))
                .parameter("error"))
        .isEqualTo("invalid_target");
  }

  @Test
  void audienceOfTheTokenRequestLiesWithinThatOfTheAuthorization() {
    String code = code(web, client, "storage.read:/physics", "audience", OTHER);

    assertThat(redeem(web, client, code, "audience", FlowSteps.ONE).text("error"))
        .isEqualTo("invalid_target");
  }

  @Test
  void publicClientGetsTokensByPkceAndRefreshesThem() {
    Registered cli = register(authn.node(), FlowSteps.publicDraft());
    String code = code(web, cli, "openid storage.read:/physics");

    Web.Answer answer =
        new Web(authn::node)
            .post(
                "/oauth2/token",
                "grant_type",
                "authorization_code",
                "client_id",
                cli.id(),
                "code",
                code,
                "redirect_uri",
                CALLBACK,
                "code_verifier",
                VERIFIER);

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
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
  }

  @Test
  void clientWithASecretCannotLeaveItAway() {
    Web.Answer first = tokens(web, client, "openid");

    Web.Answer answer =
        web.post(
            "/oauth2/token",
            "grant_type",
            "refresh_token",
            "client_id",
            client.id(),
            "refresh_token",
            first.text("refresh_token"));

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.text("error")).isEqualTo("invalid_client");
  }

  @Test
  void wrongSecretIsRefused() {
    Web.Answer answer =
        web.postAs(
            client.id(),
            client.secret() + "x",
            "/oauth2/token",
            "grant_type",
            "client_credentials");

    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.text("error")).isEqualTo("invalid_client");
  }

  @Test
  void oldSecretIsRefusedAfterANewOne() {
    authn.node().part(Clients.class).newSecret(client.id());

    assertThat(
            web.postAs(
                    client.id(),
                    client.secret(),
                    "/oauth2/token",
                    "grant_type",
                    "client_credentials")
                .text("error"))
        .isEqualTo("invalid_client");
  }

  @Test
  void storeHoldsNoTokenAndNoSecret() {
    Web.Answer answer = tokens(web, client, "openid");
    List<Map<String, Object>> rows =
        org.springframework.jdbc.core.simple.JdbcClient.create(authn.source())
            .sql(
                "SELECT g.body, t.digest, c.secret_digest FROM oauth_grant g"
                    + " JOIN oauth_token t ON t.grant_id = g.id"
                    + " JOIN oauth_client c ON c.client_id = g.client_id WHERE c.client_id = ?")
            .param(client.id())
            .query()
            .listOfRows();

    assertThat(rows).isNotEmpty();
    String all = rows.toString();
    for (String secret :
        List.of(
            answer.text("access_token"),
            answer.text("refresh_token"),
            answer.text("id_token"),
            client.secret())) {
      assertThat(all).doesNotContain(secret);
    }
    // What lies there cannot be presented either.
    for (Map<String, Object> row : rows) {
      assertThat(active(web, client, "~" + row.get("DIGEST"))).isFalse();
      assertThat(active(web, client, String.valueOf(row.get("DIGEST")))).isFalse();
    }
  }

  @Test
  void requestWithoutASessionIsLedToTheLoginAndGoesOnAfterIt() {
    Web fresh = new Web(authn::node);
    Web.Answer sent = fresh.get(authorize(client.id(), "openid"));
    assertThat(sent.location()).startsWith("/login?continue=");
    Web.Answer page = fresh.get(sent.location());

    Web.Answer in =
        fresh.post(
            "/login",
            "_csrf",
            page.field("_csrf"),
            "continue",
            page.field("continue"),
            "username",
            "alice",
            "password",
            RunningAuthn.PASSWORD);

    assertThat(in.status()).isEqualTo(303);
    Web.Answer done = fresh.follow(in);
    assertThat(done.location()).startsWith(CALLBACK + "?code=");
    assertThat(done.parameter("state")).isEqualTo("st/ate");
  }

  @Test
  void promptNoneShowsNoPage() {
    Web.Answer answer =
        new Web(authn::node).get(authorize(client.id(), "openid", "prompt", "none"));

    assertThat(answer.location()).startsWith(CALLBACK + "?");
    assertThat(answer.parameter("error")).isEqualTo("login_required");
    assertThat(answer.parameter("state")).isEqualTo("st/ate");
    assertThat(
            new Web(authn::node)
                .get(
                    authorize(client.id(), "openid", "prompt", "none")
                        .replace(Web.encode(CALLBACK), Web.encode("https://evil.example/")))
                .location())
        .doesNotStartWith("https://evil");
  }

  @Test
  void promptLoginAsksAgainOnce() {
    Web.Answer sent = web.get(authorize(client.id(), "openid", "prompt", "login"));

    assertThat(sent.location()).startsWith("/login?continue=");
    assertThat(sent.parameter("continue")).doesNotContain("prompt");
  }

  @Test
  void noSessionOfTheContainerIsEverMade() {
    tokens(web, client, "openid");

    assertThat(web.cookies()).doesNotContainKey("JSESSIONID");
  }

  @Test
  void eachRequestOfAFlowMayGoToAnotherNode() {
    RunningAuthn.Node other = authn.anotherNode();
    int[] count = {0};
    Web turns = new Web(() -> count[0]++ % 2 == 0 ? authn.node() : other);
    login(turns, "alice");
    Registered asking = register(authn.node(), FlowSteps.asking(draft()));

    Web.Answer sent = turns.get(authorize(asking.id(), "openid storage.read:/physics"));
    Web.Answer page = turns.follow(sent);
    Web.Answer agreed =
        turns.post(
            "/oauth2/authorize",
            "client_id",
            asking.id(),
            "state",
            page.field("state"),
            "scope",
            "openid",
            "scope",
            "storage.read:/physics");
    Web.Answer answer = redeem(turns, asking, agreed.parameter("code"));

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    turns.get("/sessions");
    assertThat(active(turns, asking, answer.text("access_token"))).isTrue();
    assertThat(refresh(turns, asking, answer.text("refresh_token")).status()).isEqualTo(200);
  }
}
