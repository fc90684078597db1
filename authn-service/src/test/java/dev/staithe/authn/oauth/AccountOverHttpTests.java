package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.login;
import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.MutableClock;
import dev.staithe.testkit.Trials;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page of the own account, over HTTP: what somebody with another's open browser may change. */
final class AccountOverHttpTests {
  private static final String NEW = "an entirely new password";

  private final MutableClock clock = MutableClock.at(Clock.systemUTC().instant());
  private final RunningAuthn authn = RunningAuthn.start(clock);
  private final Web web = new Web(authn::node);

  @AfterEach
  void stop() {
    authn.close();
  }

  private Web.Answer post(String path, Object... form) {
    Object[] all = new Object[form.length + 2];
    all[0] = "_csrf";
    all[1] = web.get("/account").field("_csrf");
    System.arraycopy(form, 0, all, 2, form.length);
    return web.post(path, all);
  }

  private Web.Answer change(String password, String code) {
    return post(
        "/account/password",
        "password",
        password,
        "code",
        code,
        "new-password",
        NEW,
        "repeated",
        NEW);
  }

  private int logsIn(String password) {
    Web other = new Web(authn::node);
    String csrf = other.get("/login").field("_csrf");
    return other.post("/login", "_csrf", csrf, "username", "alice", "password", password).status();
  }

  /** Sets codes up; the key. */
  private String enrol() {
    String page = post("/account/code/begin", "password", RunningAuthn.PASSWORD).body();
    Matcher found = Pattern.compile("id=\"secret\">([A-Z2-7 ]+)<").matcher(page);
    assertThat(found.find()).as(page).isTrue();
    String secret = found.group(1).replace(" ", "");
    Web.Answer on = post("/account/code/confirm", "code", Codes.now(secret, clock));
    assertThat(on.status()).isEqualTo(200);
    assertThat(on.body()).contains("id=\"recovery\"");
    return secret;
  }

  @Test
  void formsWithoutATokenAgainstForgeryAreRefused() {
    login(web, "alice");
    for (String path : List.of("password", "code/begin", "code/confirm", "code/remove")) {
      Web.Answer answer =
          web.post(
              "/account/" + path,
              "password",
              RunningAuthn.PASSWORD,
              "new-password",
              NEW,
              "repeated",
              NEW);
      assertThat(answer.status()).as(path).isEqualTo(403);
      Trials.held();
    }
    assertThat(logsIn(RunningAuthn.PASSWORD)).isEqualTo(303);
  }

  @Test
  void sessionAloneChangesNoPasswordAndSetsNoCodesUp() {
    login(web, "alice");
    assertThat(change("a wrong password", "").status()).isEqualTo(403);
    assertThat(change("", "").status()).isEqualTo(403);
    assertThat(post("/account/code/begin", "password", "wrong").body()).doesNotContain("secret");
    assertThat(logsIn(NEW)).isEqualTo(401);
    assertThat(logsIn(RunningAuthn.PASSWORD)).isEqualTo(303);
  }

  @Test
  void guessesAtTheAccountPageCountAsThoseAtTheLogin() {
    login(web, "alice");
    for (int i = 0; i < 5; i++) {
      assertThat(change("guess " + i, "").status()).isEqualTo(403);
      Trials.held();
    }
    assertThat(change(RunningAuthn.PASSWORD, "").status()).isEqualTo(429);
    assertThat(logsIn(RunningAuthn.PASSWORD)).isEqualTo(429);
  }

  @Test
  void changedPasswordEndsAllOtherSessionsAndKeepsThisBrowserLoggedIn() {
    Web other = new Web(authn::node);
    login(other, "alice");
    login(web, "alice");
    Web.Answer changed = change(RunningAuthn.PASSWORD, "");
    assertThat(changed.location()).as(changed.body()).endsWith("/account?done=password");
    assertThat(web.get("/account").status()).isEqualTo(200);
    assertThat(other.get("/account").status()).isEqualTo(302);
    assertThat(logsIn(RunningAuthn.PASSWORD)).isEqualTo(401);
    assertThat(logsIn(NEW)).isEqualTo(303);
  }

  @Test
  void passwordThatIsTooShortOrDiffersFromItsRepetitionIsTold() {
    login(web, "alice");
    Web.Answer differs =
        post(
            "/account/password",
            "password",
            RunningAuthn.PASSWORD,
            "new-password",
            NEW,
            "repeated",
            NEW + "r");
    assertThat(differs.status()).isEqualTo(400);
    assertThat(differs.body()).contains("differ");
    Web.Answer tooShort =
        post(
            "/account/password",
            "password",
            RunningAuthn.PASSWORD,
            "new-password",
            "short",
            "repeated",
            "short");
    assertThat(tooShort.status()).isEqualTo(400);
    assertThat(tooShort.body()).contains("12");
    assertThat(logsIn(RunningAuthn.PASSWORD)).isEqualTo(303);
  }

  @Test
  void whoeverHasCodesNeedsOneToChangeOrRemoveAnything() {
    login(web, "alice");
    String secret = enrol();
    assertThat(post("/account/code/begin", "password", RunningAuthn.PASSWORD).status())
        .isEqualTo(409);
    assertThat(change(RunningAuthn.PASSWORD, "").status()).isEqualTo(403);
    assertThat(post("/account/code/remove", "password", RunningAuthn.PASSWORD).status())
        .isEqualTo(403);
    assertThat(
            post("/account/code/remove", "password", RunningAuthn.PASSWORD, "code", "000000")
                .status())
        .isEqualTo(403);
    assertThat(authn.audit()).doesNotContain("code.remove");

    // The code that confirmed is used up.
    clock.advance(Duration.ofSeconds(30));
    Web.Answer off =
        post(
            "/account/code/remove",
            "password",
            RunningAuthn.PASSWORD,
            "code",
            Codes.now(secret, clock));
    assertThat(off.location()).as(off.body()).endsWith("/account?done=code-off");
    assertThat(web.get("/account?done=code-off").body()).contains("One-time codes are off");
    assertThat(logsIn(RunningAuthn.PASSWORD)).as("no code is asked for").isEqualTo(303);
    assertThat(authn.audit()).contains("\"code.remove\"");
  }

  /**
   * Whose session ends while a form is filled in logs in again, and no password is in an address.
   */
  @Test
  void passwordsOfAFormComeIntoNoAddress() {
    login(web, "alice");
    String csrf = web.get("/account").field("_csrf");
    clock.advance(Duration.ofHours(3));
    Web.Answer answer =
        web.post(
            "/account/password",
            "_csrf",
            csrf,
            "password",
            RunningAuthn.PASSWORD,
            "new-password",
            NEW,
            "repeated",
            NEW);
    assertThat(answer.location()).endsWith("/login?continue=%2Faccount");
  }
}
