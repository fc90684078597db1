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
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.GrantRule;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.testkit.Trials;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Refreshing, and who is given which scope for which audience, over HTTP. */
final class RefreshAndScopeTests {
  private final RunningAuthn authn = RunningAuthn.shared();
  private final Web web = new Web(authn::node);
  private Registered client;

  @BeforeEach
  void start() {
    client = register(authn.node(), draft());
    login(web, "alice");
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
    Web.Answer third = refresh(web, client, second.text("refresh_token"));

    assertThat(refresh(web, client, first.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");

    assertThat(refresh(web, client, third.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
    for (Web.Answer each : List.of(first, second, third)) {
      assertThat(active(web, client, each.text("access_token"))).isFalse();
      Trials.held();
    }
  }

  @Test
  void refreshWhoseAnswerWasLostMayBeAskedAgainAndTheLostTokenIsWorthNothing() {
    Web.Answer first = tokens(web, client, "openid");
    Web.Answer lost = refresh(web, client, first.text("refresh_token"));
    Web.Answer lostToo = refresh(web, client, first.text("refresh_token"));
    assertThat(lostToo.status()).as(lostToo.body()).isEqualTo(200);

    Web.Answer heard = refresh(web, client, first.text("refresh_token"));
    Web.Answer next = refresh(web, client, heard.text("refresh_token"));
    assertThat(next.status()).as(next.body()).isEqualTo(200);

    // Somebody else heard it then: the family ends.
    assertThat(refresh(web, client, lost.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
    assertThat(refresh(web, client, next.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  /** As by a thief who was quicker than the client is with its new one. */
  @Test
  void lostTokenIsWorthNothingAsSoonAsAnotherCameInItsPlace() {
    Web.Answer first = tokens(web, client, "openid");
    Web.Answer lost = refresh(web, client, first.text("refresh_token"));
    Web.Answer heard = refresh(web, client, first.text("refresh_token"));
    assertThat(heard.status()).as(heard.body()).isEqualTo(200);

    assertThat(refresh(web, client, lost.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
    assertThat(refresh(web, client, heard.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void refreshLeavesTheTokensOfRunningJobsActive() throws ParseException {
    Web.Answer first = tokens(web, client, "openid storage.read:/physics");
    Web.Answer second =
        refresh(web, client, first.text("refresh_token"), "scope", "storage.read:/physics/run1");
    Web.Answer third = refresh(web, client, second.text("refresh_token"));

    for (Web.Answer each : List.of(first, second, third)) {
      Map<String, Object> told =
          web.postAs(
                  client.id(),
                  client.secret(),
                  "/oauth2/introspect",
                  "token",
                  each.text("access_token"))
              .json();
      assertThat(told)
          .containsEntry("active", true)
          .containsEntry("scope", verified(web, each.text("access_token")).getStringClaim("scope"))
          .containsEntry("jti", verified(web, each.text("access_token")).getJWTID());
    }
    assertThat(web.get("/userinfo", first.text("access_token")).status()).isEqualTo(200);
    Web.Answer exchanged =
        FlowSteps.exchange(
            web, client, first.text("access_token"), "scope", "storage.read:/physics/run2");
    assertThat(exchanged.status()).as(exchanged.body()).isEqualTo(200);

    // One is revoked, then all by the refresh token.
    web.postAs(client.id(), client.secret(), "/oauth2/revoke", "token", first.text("access_token"));
    assertThat(active(web, client, first.text("access_token"))).isFalse();
    assertThat(active(web, client, second.text("access_token"))).isTrue();
    assertThat(active(web, client, third.text("access_token"))).isTrue();
    // The newest is revoked, and stays so when another follows it.
    web.postAs(client.id(), client.secret(), "/oauth2/revoke", "token", third.text("access_token"));
    Web.Answer fourth = refresh(web, client, third.text("refresh_token"));
    assertThat(fourth.status()).as(fourth.body()).isEqualTo(200);
    assertThat(active(web, client, third.text("access_token"))).isFalse();
    assertThat(active(web, client, second.text("access_token"))).isTrue();
    web.postAs(
        client.id(), client.secret(), "/oauth2/revoke", "token", fourth.text("refresh_token"));
    assertThat(active(web, client, second.text("access_token"))).isFalse();
    assertThat(active(web, client, fourth.text("access_token"))).isFalse();
  }

  @Test
  void refreshTokenOfAnExchangeWithOpenidIsGoodAndComesWithAnIdToken() throws ParseException {
    String scope = "openid offline_access storage.read:/physics";
    String subject = tokens(web, client, scope).text("access_token");
    Registered pipeline = register(authn.node(), draft());
    Web.Answer answer = FlowSteps.exchange(web, pipeline, subject);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);

    for (int i = 0; i < 3; i++) {
      JWTClaimsSet identity = verified(web, answer.text("id_token"));
      assertThat(identity.getAudience()).containsExactly(pipeline.id());
      assertThat(identity.getSubject()).isEqualTo(authn.subject("alice"));
      assertThat(verified(web, answer.text("access_token")).getStringClaim("scope").split(" "))
          .containsExactlyInAnyOrder(scope.split(" "));
      answer = refresh(web, pipeline, answer.text("refresh_token"));
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
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
      Trials.held();
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
}
