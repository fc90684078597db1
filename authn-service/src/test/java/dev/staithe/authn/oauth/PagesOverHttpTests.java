package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.authorize;
import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.browser.SessionCookie;
import dev.staithe.authn.oauth.FlowSteps.Registered;
import dev.staithe.testkit.Trials;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Attacks on the pages, over HTTP. */
final class PagesOverHttpTests {
  private final RunningAuthn authn = RunningAuthn.shared();
  private final Web web = new Web(authn::node);

  @Test
  void formWithoutATokenAgainstForgeryIsRefused() {
    assertThat(web.post("/login", "username", "alice", "password", RunningAuthn.PASSWORD).status())
        .isEqualTo(403);
    login(web, "alice");
    for (String path : List.of("/logout", "/sessions/end", "/sessions/end-others")) {
      assertThat(web.post(path).status()).as(path).isEqualTo(403);
      Trials.held();
    }
    assertThat(web.get("/sessions").status()).isEqualTo(200);
  }

  @Test
  void tokenAgainstForgeryOfAnotherSessionIsRefusedEvenWithItsCookie() {
    Web attacker = new Web(authn::node);
    login(attacker, "bob");
    String token = attacker.get("/sessions").field("_csrf");
    login(web, "alice");

    web.cookies().put("staithe-csrf", attacker.cookies().get("staithe-csrf"));

    assertThat(web.post("/logout", "_csrf", token).status()).isEqualTo(403);
    assertThat(web.get("/sessions").body()).contains("alice");
  }

  @Test
  void tokenAgainstForgeryThatSomebodyMadeUpIsRefused() {
    web.cookies().put("staithe-csrf", "abc.def");

    assertThat(
            web.post(
                    "/login",
                    "_csrf",
                    "abc.def",
                    "username",
                    "alice",
                    "password",
                    RunningAuthn.PASSWORD)
                .status())
        .isEqualTo(403);
  }

  @Test
  void loginNeverLeadsToAnotherSite() {
    for (String to :
        List.of(
            "https://evil.example/",
            "//evil.example/sessions",
            "/\\evil.example/",
            "\\\\evil.example",
            "/sessions/../../evil",
            "http:/sessions",
            "javascript:alert(1)",
            "/login",
            "/sessions#x",
            "/sessions\r\nSet-Cookie: a=b",
            "/%2f%2fevil.example")) {
      Web each = new Web(authn::node);
      Web.Answer page = each.get("/login?" + Web.form("continue", to));
      Web.Answer in =
          each.post(
              "/login",
              "_csrf",
              page.field("_csrf"),
              "continue",
              to,
              "username",
              "alice",
              "password",
              RunningAuthn.PASSWORD);
      assertThat(in.status()).isEqualTo(303);
      assertThat(in.location()).as(to).isEqualTo("/sessions");
      Trials.held();
    }
  }

  @Test
  void loginLeadsToThePageThatWasAskedFor() {
    for (String page : List.of("/sessions", "/applications", "/account", "/device")) {
      Web each = new Web(authn::node);
      Web.Answer sent = each.get(page);
      Web.Answer in =
          each.post(
              "/login",
              "_csrf",
              each.follow(sent).field("_csrf"),
              "continue",
              sent.parameter("continue"),
              "username",
              "alice",
              "password",
              RunningAuthn.PASSWORD);
      assertThat(in.location()).isEqualTo(page);
    }
  }

  /** All of it would be in the address of the login page. */
  @Test
  void requestThatIsTooLongToGoOnWithAfterALoginIsRefused() {
    String parameter = "x".repeat(8000);
    Web.Answer refused =
        web.post(
            "/oauth2/authorize",
            "response_type",
            "code",
            "client_id",
            register(authn.node(), draft()).id(),
            "redirect_uri",
            FlowSteps.CALLBACK,
            "scope",
            "openid",
            "nonce",
            "n1",
            "code_challenge",
            "c".repeat(43),
            "code_challenge_method",
            "S256",
            "one",
            parameter,
            "two",
            parameter,
            "three",
            parameter);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
  }

  @Test
  void wrongPasswordAndUnknownUserGetTheSameAnswer() {
    String[] bodies = new String[2];
    String[] users = {"alice", "nobody"};
    for (int i = 0; i < 2; i++) {
      Web each = new Web(authn::node);
      Web.Answer page = each.get("/login");
      Web.Answer answer =
          each.post(
              "/login",
              "_csrf",
              page.field("_csrf"),
              "username",
              users[i],
              "password",
              "not the password");
      assertThat(answer.status()).isEqualTo(401);
      bodies[i] =
          answer.body().replace(users[i], "USER").replaceAll("name=\"_csrf\" value=\"[^\"]*\"", "");
    }
    assertThat(bodies[0]).contains("not right").isEqualTo(bodies[1]);
  }

  @Test
  void guesserIsToldToWait() {
    Web.Answer answer = null;
    for (int i = 0; i < 8; i++) {
      Web each = new Web(authn::node);
      answer =
          each.post(
              "/login",
              "_csrf",
              each.get("/login").field("_csrf"),
              "username",
              "nobody-" + authn.node().port(),
              "password",
              "guess " + i);
    }
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Retry-After").orElse("")).matches("[1-9][0-9]*");
    assertThat(answer.body()).contains("Too many attempts. Please wait");
  }

  @Test
  void pagesMayRunNoScriptAndLieInNoFrame() {
    Web.Answer page = web.get("/login");

    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'none'")
        .contains("frame-ancestors 'none'", "form-action 'self'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(page.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
    assertThat(page.body()).doesNotContain("<script").doesNotContain("style=");
  }

  @Test
  void cookieOfTheSessionIsNotForScripts() {
    Web.Answer page = web.get("/login");
    Web.Answer in =
        web.post(
            "/login",
            "_csrf",
            page.field("_csrf"),
            "username",
            "alice",
            "password",
            RunningAuthn.PASSWORD);

    String cookie =
        in.headers().allValues("Set-Cookie").stream()
            .filter(each -> each.startsWith("staithe_session="))
            .findFirst()
            .orElseThrow();
    assertThat(cookie).contains("HttpOnly", "SameSite=Lax", "Path=/");
    assertThat(new SessionCookie("https://x.example").name()).startsWith("__Host-");
    assertThat(new SessionCookie("https://x.example").cookie("a", "b").build().toString())
        .contains("Secure");
  }

  @Test
  void loginOverALiveSessionEndsIt() {
    login(web, "alice");
    String before = web.cookies().get("staithe_session");
    login(web, "alice");

    Web old = new Web(authn::node);
    old.cookies().put("staithe_session", before);
    assertThat(old.get("/sessions").location()).startsWith("/login");
    assertThat(web.get("/sessions").status()).isEqualTo(200);
  }

  @Test
  void sessionOfAnotherUserCannotBeEnded() {
    login(web, "alice");
    Web bob = new Web(authn::node);
    login(bob, "bob");
    String alices = web.get("/sessions").field("id");

    bob.post("/sessions/end", "_csrf", bob.get("/sessions").field("_csrf"), "id", alices);

    assertThat(web.get("/sessions").status()).isEqualTo(200);
  }

  /** As the token has them (WLCG profile 1.3, section 3.1). */
  @Test
  void consentSaysThatWhoAsksForOneGroupIsToldAll() {
    login(web, "alice");
    Registered asking = register(authn.node(), FlowSteps.asking(draft()));
    Web.Answer sent = web.get(authorize(asking.id(), "openid wlcg.groups:/physics"));

    assertThat(web.get("/consent?" + Web.form("state", sent.parameter("state"))).body())
        .contains("Know your groups, /physics first");
  }

  @Test
  void consentShowsWhatWasAskedWhateverItsAddressSays() {
    login(web, "alice");
    Registered asking = register(authn.node(), FlowSteps.asking(draft()));
    Web.Answer sent = web.get(authorize(asking.id(), "openid storage.read:/physics"));
    String state = sent.parameter("state");

    Web.Answer page =
        web.get("/consent?" + Web.form("state", state, "scope", "openid", "client_id", "nice-app"));

    assertThat(page.body()).contains("Read files in /physics", "Test app");
    Web bob = new Web(authn::node);
    login(bob, "bob");
    assertThat(bob.get("/consent?" + Web.form("state", state)).status()).isEqualTo(400);
    Web.Answer stolen =
        bob.post("/oauth2/authorize", "client_id", asking.id(), "state", state, "scope", "openid");
    assertThat(stolen.parameter("code")).isEmpty();
  }

  @Test
  void consentGivesNothingThatWasNotAskedFor() {
    login(web, "alice");
    Registered asking = register(authn.node(), FlowSteps.asking(draft()));
    Web.Answer sent = web.get(authorize(asking.id(), "openid storage.read:/physics/a"));

    Web.Answer answer =
        web.post(
            "/oauth2/authorize",
            "client_id",
            asking.id(),
            "state",
            sent.parameter("state"),
            "scope",
            "openid",
            "scope",
            "storage.read:/physics");

    assertThat(answer.parameter("error")).isEqualTo("invalid_scope");
  }

  @Test
  void refusedConsentIsToldToTheClient() {
    login(web, "alice");
    Registered asking = register(authn.node(), FlowSteps.asking(draft()));
    Web.Answer sent = web.get(authorize(asking.id(), "openid profile"));

    Web.Answer answer =
        web.post("/oauth2/authorize", "client_id", asking.id(), "state", sent.parameter("state"));

    assertThat(answer.location()).startsWith(FlowSteps.CALLBACK);
    assertThat(answer.parameter("error")).isEqualTo("access_denied");
  }

  @Test
  void markupInAddressesIsShownAndNotObeyed() {
    Web.Answer page =
        web.get("/login?" + Web.form("continue", "/sessions?\"><script>alert(1)</script>"));
    assertThat(page.body()).doesNotContain("<script");
    login(web, "alice");
    assertThat(web.get("/device?" + Web.form("user_code", "\"><b>x")).body())
        .doesNotContain("\"><b>x");
  }

  @Test
  void errorPageHasANumberAndNothingOfItsInside() {
    Web.Answer page = web.get("/oauth2/authorize?response_type=code&client_id=unknown");

    assertThat(page.status()).isEqualTo(400);
    assertThat(page.body())
        .containsPattern("id=\"request-id\">[0-9a-f]{12}<")
        .doesNotContain("Exception", "org.springframework");
  }

  @Test
  void oversizedFieldsOfTheLoginAreRefusedWithoutHashing() {
    Web.Answer page = web.get("/login");

    Web.Answer answer =
        web.post(
            "/login",
            "_csrf",
            page.field("_csrf"),
            "username",
            "alice",
            "password",
            "x".repeat(100_000));

    assertThat(answer.status()).isEqualTo(401);
  }
}
