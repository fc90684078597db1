package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.active;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static dev.staithe.authn.oauth.FlowSteps.tokens;
import static dev.staithe.authn.oauth.FlowSteps.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.testkit.MutableClock;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is asked about tokens, and what ends them, over HTTP. */
final class TokenLifeTests {
  private final RunningAuthn authn = RunningAuthn.shared();
  private final Web web = new Web(authn::node);
  private Registered client;

  @BeforeEach
  void start() {
    client = register(authn.node(), draft());
    login(web, "alice");
  }

  private Web.Answer exchange(String token) {
    return FlowSteps.exchange(web, client, token);
  }

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
        .containsEntry("sub", authn.subject("alice"))
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
    authn.node().sessions().end(dev.staithe.authn.persistence.SessionId.parse(sid).orElseThrow());

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

  /** As one whose answer was lost, or that a thief has used. */
  @Test
  void refreshTokenThatWasUsedIsRevokedWithAllThatCameOfIt() {
    Web.Answer first = tokens(web, client, "openid");
    String used = first.text("refresh_token");
    Web.Answer next = FlowSteps.refresh(web, client, used);
    assertThat(active(web, client, used)).isFalse();
    assertThat(active(web, client, next.text("access_token"))).as("asked only").isTrue();

    assertThat(web.postAs(client.id(), client.secret(), "/oauth2/revoke", "token", used).status())
        .isEqualTo(200);

    assertThat(active(web, client, next.text("access_token"))).isFalse();
    assertThat(FlowSteps.refresh(web, client, next.text("refresh_token")).text("error"))
        .isEqualTo("invalid_grant");
  }

  @Test
  void tokenOfAnotherClientCannotBeRevoked() {
    Web.Answer answer = tokens(web, client, "openid");
    Registered other = register(authn.node(), draft());

    Web.Answer refused =
        web.postAs(
            other.id(), other.secret(), "/oauth2/revoke", "token", answer.text("access_token"));

    assertThat(refused.text("error")).isEqualTo("invalid_client");
    assertThat(active(web, client, answer.text("access_token"))).isTrue();
  }

  @Test
  void userInfoTellsWhatTheScopesSay() {
    Web.Answer some = tokens(web, client, "openid email wlcg.groups");
    assertThat(web.get("/userinfo", some.text("access_token")).json())
        .containsEntry("sub", authn.subject("alice"))
        .containsEntry("email", "alice@example.org")
        .containsKey("wlcg.groups")
        .doesNotContainKey("name");
    Web.Answer without = tokens(web, client, "storage.read:/physics");

    assertThat(web.get("/userinfo", without.text("access_token")).status()).isEqualTo(403);
  }

  /** As of a job that goes on at night: its token is good, and so is what a broker gets for it. */
  @Test
  void exchangedTokenOutlivesTheSessionsTimeWhereItsSubjectTokenDoes() {
    MutableClock clock = MutableClock.at(Instant.now().minus(Duration.ofHours(3)));
    try (RunningAuthn own = RunningAuthn.start(clock)) {
      Registered broker = register(own.node(), draft());
      Instant now = Instant.now();
      clock.set(now.minus(Duration.ofHours(2)).minusSeconds(10));
      Web alice = new Web(own::node);
      login(alice, "alice");
      for (int i = 0; i < 5; i++) {
        clock.advance(Duration.ofMinutes(20));
        assertThat(alice.get("/sessions").status()).isEqualTo(200);
      }
      clock.set(now.minusSeconds(30));
      String subject =
          tokens(alice, broker, "offline_access storage.read:/physics").text("access_token");
      clock.set(now);
      assertThat(alice.get("/sessions").status()).as("the session is over").isEqualTo(302);
      assertThat(active(alice, broker, subject)).isTrue();

      String less =
          FlowSteps.exchange(alice, broker, subject, "scope", "storage.read:/physics/run1")
              .text("access_token");

      assertThat(active(alice, broker, less)).isTrue();
      own.node().part(SessionLink.class).endAllOf("alice");
      assertThat(active(alice, broker, less)).isFalse();
    }
  }

  /** As in a directory, which tells nobody; the ID token of the grant still says who that was. */
  @Test
  void userInfoTellsNothingOfWhoWasDisabled() {
    try (RunningAuthn own = RunningAuthn.start()) {
      Web bob = new Web(own::node);
      login(bob, "bob");
      Web.Answer answer = tokens(bob, register(own.node(), draft()), "openid email");
      JdbcClient.create(own.source())
          .sql("UPDATE users SET enabled = FALSE WHERE name = 'bob'")
          .update();

      Web.Answer told = bob.get("/userinfo", answer.text("access_token"));

      assertThat(told.status()).as(told.body()).isEqualTo(401);
      assertThat(told.body()).doesNotContain("bob@example.org");
      assertThat(told.headers().firstValue("WWW-Authenticate"))
          .contains("Bearer error=\"invalid_token\"");
    }
  }

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

  /** On the client's own page: no browser sends the session's cookie with it. */
  @Test
  void clientLogsItsUserOutByAFormToo() {
    Web.Answer answer = tokens(web, client, "openid");
    Web form = new Web(authn::node);

    Web.Answer again =
        form.post(
            "/connect/logout",
            "id_token_hint",
            answer.text("id_token"),
            "post_logout_redirect_uri",
            "https://app.example.org/bye",
            "state",
            "a&b");
    assertThat(again.location()).startsWith("/connect/logout?");
    Web.Answer gone = web.get(again.location());

    assertThat(gone.location()).isEqualTo("https://app.example.org/bye?state=a%26b");
    assertThat(active(web, client, answer.text("access_token"))).isFalse();
    assertThat(form.post("/connect/logout", "state", "x").location()).isEqualTo("/logout");
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
}
