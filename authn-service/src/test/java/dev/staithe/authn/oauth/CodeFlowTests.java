package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.CALLBACK;
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
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.testkit.Trials;
import java.text.ParseException;
import java.util.List;
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
    assertThat(claims.getSubject()).isEqualTo(authn.subject("alice"));
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

  /** The subject is random: services that want to show a name have it here. */
  @Test
  void nameIsToldWhereTheProfileIsAskedFor() throws ParseException {
    Web.Answer answer = tokens(web, client, "openid profile email");

    JWTClaimsSet id = verified(web, answer.text("id_token"));
    assertThat(id.getSubject()).isEqualTo(authn.subject("alice")).isNotEqualTo("alice");
    assertThat(id.getStringClaim("preferred_username")).isEqualTo("alice");
    assertThat(id.getStringClaim("name")).isEqualTo("Alice Example");
    assertThat(id.getStringClaim("email")).isEqualTo("alice@example.org");
    assertThat(web.get("/userinfo", answer.text("access_token")).json())
        .containsEntry("sub", authn.subject("alice"))
        .containsEntry("preferred_username", "alice")
        .containsEntry("name", "Alice Example");
    assertThat(verified(web, answer.text("access_token")).getClaims())
        .doesNotContainKeys("preferred_username", "name", "email");
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

    assertThat(verified(web, answer.text("access_token")).getSubject())
        .isEqualTo(authn.subject("alice"));
    assertThat(verified(web, answer.text("id_token")).getSubject())
        .isEqualTo(authn.subject("alice"));
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
      Trials.held();
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
