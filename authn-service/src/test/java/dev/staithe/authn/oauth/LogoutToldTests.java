package dev.staithe.authn.oauth;

import static dev.staithe.authn.oauth.FlowSteps.draft;
import static dev.staithe.authn.oauth.FlowSteps.login;
import static dev.staithe.authn.oauth.FlowSteps.register;
import static dev.staithe.authn.oauth.FlowSteps.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What pages say of a logout that the store of sessions does not take, over HTTP. */
final class LogoutToldTests {
  private static final String SOON = "as soon as a store answers that is away right now";

  private final RunningAuthn authn = RunningAuthn.start();
  private final Web web = new Web(authn::node);
  private final Web other = new Web(authn::node);
  private String csrf = "";

  @BeforeEach
  void begin() {
    login(other, "alice");
    login(web, "alice");
    csrf = web.get("/sessions").field("_csrf");
  }

  @AfterEach
  void stop() {
    authn.kept().mute = false;
    authn.kept().full = false;
    authn.close();
  }

  private String id(Web browser) {
    return authn
        .node()
        .sessions()
        .read(browser.cookies().get("staithe_session"))
        .orElseThrow()
        .id()
        .toString();
  }

  private Web.Answer post(String path, Object... form) {
    Object[] all = new Object[form.length + 2];
    all[0] = "_csrf";
    all[1] = csrf;
    System.arraycopy(form, 0, all, 2, form.length);
    return web.post(path, all);
  }

  private void assertPending(Web.Answer answer, String address, String text) {
    assertThat(answer.location()).as(answer.body()).endsWith(address);
    assertThat(web.follow(answer).body()).contains(text, SOON);
  }

  private static void assertNotKept(Web.Answer answer) {
    assertThat(answer.status()).as(answer.location()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(answer.body()).contains("does not work right now");
  }

  @Test
  void logoutThatWasKeptIsToldAsDone() {
    Web.Answer ended = post("/sessions/end", "id", id(other));
    assertThat(ended.location()).endsWith("/sessions");
    assertThat(web.follow(ended).body()).doesNotContain(SOON);

    Web.Answer out = post("/logout");
    assertThat(out.location()).endsWith("/signed-out");
    assertThat(web.follow(out).body()).contains("You are logged out<").doesNotContain(SOON);
    assertThat(web.cookies()).doesNotContainKey("staithe_session");
  }

  @Test
  void logoutThatIsNotAcknowledgedIsToldAsPending() {
    final Web third = new Web(authn::node);
    login(third, "alice");
    authn.kept().mute = true;

    assertPending(post("/sessions/end", "id", id(other)), "/sessions?pending", "id=\"pending\"");
    assertPending(post("/sessions/end-others"), "/sessions?pending", "id=\"pending\"");
    assertPending(post("/logout"), "/signed-out?pending", "You are logged out here");
    assertThat(web.cookies()).doesNotContainKey("staithe_session");
  }

  @Test
  void endOfOnesOwnSessionThatIsNotAcknowledgedIsToldAsPending() {
    authn.kept().mute = true;

    assertPending(
        post("/sessions/end", "id", id(web)), "/signed-out?pending", "You are logged out here");
  }

  @Test
  void logoutThatCouldNotBeKeptIsNoSuccessAndMayBeTriedAgain() {
    final Web third = new Web(authn::node);
    login(third, "alice");
    authn.kept().full = true;

    assertNotKept(post("/sessions/end", "id", id(other)));
    assertNotKept(post("/sessions/end-others"));
    assertNotKept(post("/logout"));

    // It is refused here already, which must not pass for done.
    assertThat(web.get("/logout").body()).contains("Log out?").doesNotContain("logged in as");
    assertPending(post("/logout"), "/signed-out?pending", "You are logged out here");
  }

  @Test
  void logoutThatAClientBeganDoesNotGoBackToItAsIfItWereDone() {
    Web.Answer answer = tokens(web, register(authn.node(), draft()), "openid");
    String logout =
        "/connect/logout?"
            + Web.form(
                "id_token_hint",
                answer.text("id_token"),
                "post_logout_redirect_uri",
                "https://app.example.org/bye");
    authn.kept().full = true;
    Web.Answer failed = web.get(logout);
    assertThat(failed.status()).as(failed.location()).isEqualTo(503);
    assertThat(failed.body()).contains("does not work right now");
    authn.kept().full = false;
    login(web, "alice");
    answer = tokens(web, register(authn.node(), draft()), "openid");
    authn.kept().mute = true;

    Web.Answer gone =
        web.get("/connect/logout?" + Web.form("id_token_hint", answer.text("id_token")));

    assertPending(gone, "/signed-out?pending", "You are logged out here");
  }

  @Test
  void newPasswordSaysThatOtherSessionsWaitForTheStore() {
    String next = "an entirely new password";
    authn.kept().mute = true;

    Web.Answer changed =
        post(
            "/account/password",
            "password",
            RunningAuthn.PASSWORD,
            "new-password",
            next,
            "repeated",
            next);

    assertThat(changed.location()).as(changed.body()).endsWith("/account?done=password-pending");
    authn.kept().mute = false;
    login(web, "bob");
    assertThat(web.get("/account?done=password-pending").body())
        .contains("Your password is changed. Other sessions", SOON);
  }
}
