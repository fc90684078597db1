package dev.staithe.authn.oauth;

import static dev.staithe.authn.RestClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.RunningAuthn;
import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.ClientOutcome;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Digests;
import dev.staithe.authn.clients.GrantRule;
import dev.staithe.authn.clients.ScopeGrants;
import dev.staithe.authn.grants.Consents;
import dev.staithe.authn.grants.Grants;
import dev.staithe.authn.grants.SessionLink;
import dev.staithe.authn.persistence.Assurance;
import dev.staithe.authn.session.SessionOpening;
import dev.staithe.authn.session.Sessions;
import dev.staithe.authn.users.UserAdministration;
import dev.staithe.authn.users.UserEnds;
import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationConsent;

/** What ends the applications that act for somebody, and who may see and stop them, over HTTP. */
final class GrantEndTests {
  private static final Duration ABSOLUTE = Duration.ofHours(2);
  private static final MutableClock CLOCK = MutableClock.at(Instant.now());
  private static final String NEW_PASSWORD = "another horse and its battery";

  @TempDir private static Path folder;
  private static RunningAuthn authn;
  private static FlowSteps.Registered client;
  private static int users;

  private String user = "";
  private String password = RunningAuthn.PASSWORD;

  @BeforeAll
  static void start() {
    authn =
        RunningAuthn.start(
                folder,
                Map.of("staithe.sessions.idle", "2h", "staithe.sessions.absolute", "2h"),
                CLOCK)
            .user("root1", "/staithe/administrators");
    Client draft = FlowSteps.draft();
    if (authn.bean(Clients.class).register(draft) instanceof ClientOutcome.Done done) {
      client = new FlowSteps.Registered(draft, String.valueOf(done.secret()));
    }
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  @BeforeEach
  void begin() {
    CLOCK.set(Instant.now());
    freshUser();
  }

  private void freshUser() {
    user = "user" + users++;
    authn.user(user);
  }

  /** What ends all that a user granted. */
  enum Event {
    LOGOUT_ALL(
        test ->
            assertThat(
                    authn
                        .as(test.login(), "POST", "json/sessions?_action=logoutAll", "")
                        .statusCode())
                .isEqualTo(200)),
    END_ALL_OTHERS(GrantEndTests::endOthersOnThePage),
    LOGOUT_BY_ADMINISTRATOR(test -> admin("DELETE", "admin/users/" + test.user + "/sessions", "")),
    LOGOUT_BY_ADMINISTRATOR_IN_CAPITALS(
        test -> admin("DELETE", "admin/users/" + test.user.toUpperCase() + "/sessions", "")),
    END_OF_EVERYBODYS_SESSIONS(test -> admin("DELETE", "admin/sessions", "")),
    NEW_PASSWORD_BY_ADMINISTRATOR(GrantEndTests::newPassword),
    DISABLED_AND_ENABLED(
        test -> {
          admin("PATCH", "admin/users/" + test.user, "{\"enabled\":false}");
          admin("PATCH", "admin/users/" + test.user, "{\"enabled\":true}");
        }),
    DELETED_AND_MADE_ANEW(
        test -> {
          admin("DELETE", "admin/users/" + test.user, "");
          authn.user(test.user);
          test.password = RunningAuthn.PASSWORD;
        }),
    SECOND_FACTOR_TAKEN_AWAY(test -> admin("DELETE", "admin/users/" + test.user + "/code", ""));

    private final Consumer<GrantEndTests> happens;

    Event(Consumer<GrantEndTests> happens) {
      this.happens = happens;
    }
  }

  private static HttpResponse<String> admin(String method, String path, String body) {
    HttpResponse<String> answer =
        authn.as(authn.rest().login("root1", RunningAuthn.PASSWORD), method, path, body);
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isBetween(200, 204);
    return answer;
  }

  private void newPassword() {
    password = password.equals(NEW_PASSWORD) ? RunningAuthn.PASSWORD : NEW_PASSWORD;
    admin("PUT", "admin/users/" + user + "/password", "{\"password\":\"" + password + "\"}");
  }

  @Test
  void loginWhosePasswordIsAnotherByNowOpensNoSession() throws Exception {
    Instant checked = authn.bean(UserEnds.class).notBefore(user);
    SessionLink link = authn.bean(SessionLink.class);
    assertThat(link.open(user, checked, Assurance.PASSWORD, "", ""))
        .isInstanceOf(SessionOpening.Opened.class);
    CLOCK.advance(Duration.ofSeconds(1));
    newPassword();

    assertThat(link.open(user, checked, Assurance.PASSWORD, "", ""))
        .isInstanceOf(SessionOpening.Unavailable.class);

    assertThat(authn.bean(Sessions.class).sessionsOf(user)).isEmpty();
  }

  /** As by a node that is killed between the new password and the end of the sessions. */
  @Test
  void sessionsThatWereToEndWithAPasswordEndThoughNobodyCameToIt() throws Exception {
    String session = login();
    CLOCK.advance(Duration.ofSeconds(1));
    authn
        .bean(UserAdministration.class)
        .setPassword(user, NEW_PASSWORD.getBytes(StandardCharsets.UTF_8));
    password = NEW_PASSWORD;
    CLOCK.advance(Duration.ofSeconds(1));
    String later = login();
    assertThat(json(authn.validate(session)).path("valid").asBoolean(false)).isTrue();

    CLOCK.advance(Duration.ofMinutes(2));
    authn.bean(SessionLink.class).endForgotten();

    assertThat(json(authn.validate(session)).path("valid").asBoolean(true)).isFalse();
    assertThat(json(authn.validate(later)).path("valid").asBoolean(false)).isTrue();
  }

  private void endOthersOnThePage() {
    String session = login();
    assertThat(form(session, page(session, "sessions"), "sessions/end-others").statusCode())
        .isEqualTo(302);
  }

  private String login() {
    return authn.rest().login(user, password);
  }

  private static HttpResponse<String> page(String session, String path) {
    return authn.send(
        HttpRequest.newBuilder(authn.url().resolve(path))
            .header("Cookie", "staithe_session=" + session)
            .GET());
  }

  /** Sends a form of a page, as a browser does. */
  private static HttpResponse<String> form(
      String session, HttpResponse<String> page, String path, Object... fields) {
    String csrf = page.body().replaceAll("(?s).*name=\"_csrf\" value=\"([^\"]+)\".*", "$1");
    String cookie =
        page.headers().allValues("Set-Cookie").stream()
            .filter(each -> each.startsWith("staithe-csrf="))
            .map(each -> "; " + each.substring(0, each.indexOf(';')))
            .findFirst()
            .orElse("");
    return authn.send(
        HttpRequest.newBuilder(authn.url().resolve(path))
            .header("Cookie", "staithe_session=" + session + cookie)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    Web.form("_csrf", csrf) + (fields.length == 0 ? "" : "&" + Web.form(fields)))));
  }

  private static HttpResponse<String> asClient(String path, Object... fields) {
    String basic = client.id() + ":" + client.secret();
    return authn.send(
        HttpRequest.newBuilder(authn.url().resolve(path))
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(basic.getBytes(StandardCharsets.UTF_8)))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(Web.form(fields))));
  }

  /** Tokens of one grant. */
  private record Tokens(
      String session, boolean offline, Instant since, String access, String refresh) {
    boolean active() {
      return json(asClient("oauth2/introspect", "token", access)).path("active").asBoolean(false);
    }

    HttpResponse<String> refreshed() {
      return asClient("oauth2/token", "grant_type", "refresh_token", "refresh_token", refresh);
    }
  }

  private static Tokens grant(String session, boolean offline) {
    return grant(session, "openid" + (offline ? " offline_access" : ""));
  }

  private static Tokens grant(String session, String scope) {
    String query =
        Web.form(
            "response_type",
            "code",
            "client_id",
            client.id(),
            "redirect_uri",
            FlowSteps.CALLBACK,
            "scope",
            scope,
            "state",
            "s",
            "code_challenge",
            Digests.of(FlowSteps.VERIFIER),
            "code_challenge_method",
            "S256");
    HttpResponse<String> sent = page(session, "oauth2/authorize?" + query);
    String location = sent.headers().firstValue("Location").orElse("");
    assertThat(location).startsWith(FlowSteps.CALLBACK + "?code=");
    String code = URI.create(location).getRawQuery().replaceAll(".*code=([^&]*).*", "$1");
    HttpResponse<String> answer =
        asClient(
            "oauth2/token",
            "grant_type",
            "authorization_code",
            "code",
            URLDecoder.decode(code, StandardCharsets.UTF_8),
            "redirect_uri",
            FlowSteps.CALLBACK,
            "code_verifier",
            FlowSteps.VERIFIER);
    return tokens(session, scope.contains("offline_access"), answer);
  }

  private static Tokens tokens(String session, boolean offline, HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new Tokens(
        session,
        offline,
        CLOCK.instant(),
        json(answer).path("access_token").asString(""),
        json(answer).path("refresh_token").asString(""));
  }

  private static void ended(Tokens tokens) {
    assertThat(tokens.active()).isFalse();
    assertThat(json(tokens.refreshed()).path("error").asString("")).isEqualTo("invalid_grant");
  }

  @ParameterizedTest
  @EnumSource(Event.class)
  void whatEndsAUsersSessionsEndsWhatWasGrantedInThem(Event event) {
    Tokens tokens = grant(login(), true);
    CLOCK.advance(Duration.ofSeconds(1));

    event.happens.accept(this);

    ended(tokens);
  }

  /** The session that granted it is past its time, and its end was never in the log. */
  @ParameterizedTest
  @EnumSource(Event.class)
  void whatEndsAUsersSessionsEndsWhatWasGrantedInOneThatIsOver(Event event) {
    Tokens tokens = grant(login(), true);
    CLOCK.advance(ABSOLUTE.plusMinutes(5));
    Tokens later = tokens(tokens.session(), true, tokens.refreshed());

    event.happens.accept(this);

    ended(later);
  }

  @ParameterizedTest
  @EnumSource(Event.class)
  void whatWasEndedStaysSoLongAfterTheSessionsTime(Event event) {
    Tokens tokens = grant(login(), true);
    CLOCK.advance(Duration.ofSeconds(1));
    event.happens.accept(this);

    CLOCK.advance(ABSOLUTE.multipliedBy(3));

    ended(tokens);
  }

  /** The eager end did not happen: what a node that was killed between leaves behind. */
  @Test
  void grantThatWasMissedByThePasswordsChangeIsOverAllTheSame() {
    Tokens tokens = grant(login(), true);
    CLOCK.advance(ABSOLUTE.plusMinutes(5));

    // The transaction that changes the password, and nothing after it.
    assertThat(
            authn
                .bean(dev.staithe.authn.users.UserAdministration.class)
                .setPassword(user, NEW_PASSWORD.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(dev.staithe.authn.users.AdministrationOutcome.Done.class);

    ended(tokens);
  }

  /** What services keep by the subject of a token is not the namesake's. */
  @Test
  void namesakeOfADeletedUserIsAnotherSubjectAndIsAskedForConsentAnew() {
    Tokens tokens = grant(login(), false);
    String before = claim(tokens.access(), "sub");
    assertThat(before).isNotEqualTo(user).hasSize(36);
    Consents consents =
        new Consents(
            authn.bean(javax.sql.DataSource.class),
            name -> SessionLink.notBefore(authn.bean(UserEnds.class), name),
            CLOCK);
    consents.save(OAuth2AuthorizationConsent.withId(client.id(), user).scope("openid").build());
    assertThat(consents.findById(client.id(), user)).isNotNull();
    CLOCK.advance(Duration.ofSeconds(1));

    Event.DELETED_AND_MADE_ANEW.happens.accept(this);

    String session = login();
    assertThat(claim(grant(session, false).access(), "sub")).isNotEqualTo(before);
    String own =
        json(authn.as(session, "POST", "json/tokens", "{\"scope\":\"openid\"}"))
            .path("access_token")
            .asString("");
    assertThat(claim(own, "sub")).isNotEqualTo(before).hasSize(36);
    assertThat(consents.findById(client.id(), user)).isNull();
  }

  private static String claim(String token, String name) {
    String body =
        new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]), StandardCharsets.UTF_8);
    return tools.jackson.databind.json.JsonMapper.shared().readTree(body).path(name).asString("");
  }

  /** As the operator took the user out of the group, so are the tokens; the rest goes on. */
  @Test
  void whoLeavesAGroupKeepsWhatIsLeftAndTokensOfBeforeAreNotGood() {
    GrantRule rule = GrantRule.of("group:/left storage.read:/physics");
    assertThat(authn.bean(ScopeGrants.class).add(rule)).isTrue();
    admin("PATCH", "admin/users/" + user, "{\"groups\":[\"/left\"]}");
    Tokens tokens = grant(login(), "openid offline_access storage.read:/physics");
    Tokens former = tokens;
    tokens = tokens(tokens.session(), true, tokens.refreshed());
    Tokens plain = grant(tokens.session(), "openid profile");
    Tokens nothing = grant(tokens.session(), "storage.read:/physics");
    assertThat(former.active() && tokens.active() && nothing.active()).isTrue();
    assertThat(exchanged(former, "openid").statusCode()).isEqualTo(200);
    assertThat(exchanged(tokens, "openid").statusCode()).isEqualTo(200);

    admin("PATCH", "admin/users/" + user, "{\"groups\":[]}");

    for (Tokens each : List.of(former, tokens, nothing)) {
      assertThat(each.active()).isFalse();
      for (String scope : List.of("openid", "storage.read:/physics")) {
        HttpResponse<String> refused = exchanged(each, scope);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).path("error").asString("")).isEqualTo("invalid_grant");
        Trials.held();
      }
    }
    assertThat(plain.active()).isTrue();
    assertThat(json(nothing.refreshed()).path("error").asString("")).isEqualTo("invalid_scope");
    // Who names what is not to be had is told so, and has used nothing up.
    HttpResponse<String> named =
        asClient(
            "oauth2/token",
            "grant_type",
            "refresh_token",
            "refresh_token",
            tokens.refresh(),
            "scope",
            "openid storage.read:/physics");
    assertThat(json(named).path("error").asString("")).isEqualTo("invalid_scope");
    HttpResponse<String> answer = tokens.refreshed();
    Tokens left = tokens(tokens.session(), true, answer);
    assertThat(json(answer).path("scope").asString("").split(" "))
        .containsExactlyInAnyOrder("openid", "offline_access");
    assertThat(claim(left.access(), "scope").split(" "))
        .containsExactlyInAnyOrder("openid", "offline_access");
    assertThat(left.active()).isTrue();

    // Back in the group: what was granted was not taken from the grant. A token that was revoked
    // meanwhile stays so.
    asClient("oauth2/revoke", "token", nothing.access());
    admin("PATCH", "admin/users/" + user, "{\"groups\":[\"/left\"]}");
    assertThat(nothing.active()).isFalse();
    Tokens again = tokens(left.session(), true, left.refreshed());
    assertThat(claim(again.access(), "scope")).contains("storage.read:/physics");
    assertThat(again.active()).isTrue();
  }

  private static HttpResponse<String> exchanged(Tokens tokens, String scope) {
    return asClient(
        "oauth2/token",
        "grant_type",
        "urn:ietf:params:oauth:grant-type:token-exchange",
        "subject_token",
        tokens.access(),
        "subject_token_type",
        "urn:ietf:params:oauth:token-type:access_token",
        "scope",
        scope);
  }

  @Test
  void logoutEndsTheOfflineGrantsOfItsSessionAndNoOthers() {
    String session = login();
    Tokens gone = grant(session, true);
    Tokens stays = grant(login(), true);
    assertThat(gone.active()).isTrue();

    assertThat(authn.rest().logout(session).statusCode()).isEqualTo(200);

    ended(gone);
    assertThat(stays.active()).isTrue();
    CLOCK.advance(ABSOLUTE.plusMinutes(5));
    assertThat(stays.refreshed().statusCode()).isEqualTo(200);
  }

  /** Random lives of a user and of what acts for her, compared with a model of what is promised. */
  @Test
  void noTokenLivesPastAnEventThatEndsIt() {
    int asked = 0;
    for (int seed = 1; seed <= 8; seed++) {
      freshUser();
      password = RunningAuthn.PASSWORD;
      var random = new Random(seed);
      var alive = new ArrayList<Tokens>();
      var over = new ArrayList<Tokens>();
      var sessions = new ArrayList<String>();
      var story = new ArrayList<String>();
      for (int step = 0; step < 14; step++) {
        CLOCK.advance(Duration.ofSeconds(1));
        switch (random.nextInt(6)) {
          case 0, 1 -> {
            String session = login();
            sessions.add(session);
            boolean offline = random.nextInt(3) > 0;
            alive.add(grant(session, offline));
            story.add("granted offline=" + offline);
          }
          case 2 -> {
            if (!alive.isEmpty()) {
              Tokens one = alive.remove(random.nextInt(alive.size()));
              HttpResponse<String> answer = one.refreshed();
              if (stands(one)) {
                alive.add(tokens(one.session(), one.offline(), answer));
              } else {
                assertThat(answer.statusCode()).as(story.toString()).isEqualTo(400);
                over.add(one);
              }
              story.add("refreshed");
            }
          }
          case 3 -> {
            Duration passed = Duration.ofMinutes(random.nextInt(200));
            CLOCK.advance(passed);
            story.add(passed + " passed");
          }
          case 4 -> {
            if (!sessions.isEmpty()) {
              String session = sessions.get(random.nextInt(sessions.size()));
              authn.rest().logout(session);
              over.addAll(alive);
              alive.removeIf(each -> each.session().equals(session));
              over.removeAll(alive);
              story.add("logout");
            }
          }
          default -> {
            Event event = Event.values()[random.nextInt(Event.values().length)];
            event.happens.accept(this);
            over.addAll(alive);
            alive.clear();
            sessions.clear();
            story.add(event.name());
          }
        }
        for (Tokens each : over) {
          assertThat(each.refreshed().statusCode()).as("seed %d: %s", seed, story).isEqualTo(400);
        }
        asked += over.size();
      }
      for (Tokens each : alive) {
        assertThat(each.refreshed().statusCode() == 200)
            .as("seed %d: %s", seed, story)
            .isEqualTo(stands(each));
      }
    }
    Trials.held(asked);
  }

  /** By time alone: the refresh token lives for a day, the session for two hours. */
  private static boolean stands(Tokens tokens) {
    Instant now = CLOCK.instant();
    boolean sessionGood = authn.isGood(tokens.session());
    return now.isBefore(tokens.since().plus(client.client().refreshLifetime()))
        && (tokens.offline() || sessionGood);
  }

  /** What all nodes share is not one's to judge by a clock that is wrong. */
  @Test
  void nodeWithAWrongClockTakesNobodysGrants() {
    Tokens tokens = grant(login(), true);
    for (Duration wrong :
        List.of(
            Duration.ofDays(-1),
            Duration.ofMinutes(-5),
            client.client().refreshLifetime().plusDays(1))) {
      CLOCK.advance(wrong);
      authn.bean(Grants.class).sweep();
      if (wrong.isNegative()) {
        assertThat(tokens.refreshed().statusCode()).isEqualTo(503);
      }
      CLOCK.advance(wrong.negated());
      assertThat(tokens.active()).as("after " + wrong).isTrue();
    }
    assertThat(tokens.refreshed().statusCode()).isEqualTo(200);
  }

  @Test
  void usersSeeAndStopWhatActsForThemByRest() {
    String session = login();
    Tokens one = grant(session, true);
    Tokens two = grant(session, false);
    var list = json(authn.as(session, "GET", "json/grants", "")).path("grants");
    assertThat(list).hasSize(2);
    assertThat(list.get(0).path("client").asString("")).isEqualTo(client.id());
    assertThat(list.get(0).path("name").asString("")).isEqualTo("Test app");
    assertThat(list.toString()).doesNotContain(one.access()).doesNotContain(one.refresh());
    var offline = list.get(list.get(0).path("offline").asBoolean(false) ? 0 : 1);
    assertThat(offline.path("scope").asString("")).isEqualTo("offline_access openid");
    String id = offline.path("id").asString("");
    freshUser();
    String stranger = login();
    String body = "{\"grantId\":\"" + id + "\"}";
    assertThat(authn.as(stranger, "POST", "json/grants?_action=end", body).statusCode())
        .isEqualTo(404);
    assertThat(one.active()).isTrue();

    assertThat(authn.as(session, "POST", "json/grants?_action=end", body).statusCode())
        .isEqualTo(200);

    ended(one);
    assertThat(two.active()).isTrue();
    assertThat(json(authn.as(session, "GET", "json/grants", "")).path("grants")).hasSize(1);
    assertThat(authn.as("v1.x", "GET", "json/grants", "").statusCode()).isEqualTo(401);
    // PostgreSQL takes no NUL, and that was answered as if the store were down.
    for (String none : new String[] {"{}", "{\"grantId\":\"a\\u0000b\"}"}) {
      assertThat(authn.as(session, "POST", "json/grants?_action=end", none).statusCode())
          .as(none)
          .isEqualTo(400);
    }
  }

  @Test
  void administratorsSeeAndStopWhatActsForAUser() {
    Tokens tokens = grant(login(), true);
    CLOCK.advance(ABSOLUTE.plusMinutes(5));
    var list = json(admin("GET", "admin/grants?user=" + user, "")).path("grants");
    assertThat(list).hasSize(1);

    admin("DELETE", "admin/grants/" + list.get(0).path("id").asString(""), "");

    ended(tokens);
    assertThat(json(admin("GET", "admin/grants?user=" + user, "")).path("grants")).isEmpty();
    assertThat(authn.as(authn.login("root1"), "DELETE", "admin/grants/unknown", "").statusCode())
        .isEqualTo(404);
  }

  @Test
  void thePageShowsWhatActsForTheUserAndStopsIt() {
    String session = login();
    Tokens tokens = grant(session, true);
    HttpResponse<String> page = page(session, "applications");
    assertThat(page.body())
        .contains("Test app", "Act for you when you are not here", "Know who you are")
        .doesNotContain(tokens.refresh());
    // A form of another session's page.
    assertThat(form(login(), page, "applications/stop", "client", client.id()).statusCode())
        .isEqualTo(403);
    assertThat(tokens.active()).isTrue();

    assertThat(form(session, page, "applications/stop", "client", client.id()).statusCode())
        .isEqualTo(302);

    ended(tokens);
    assertThat(page(session, "applications").body()).contains("There is none.");
  }
}
