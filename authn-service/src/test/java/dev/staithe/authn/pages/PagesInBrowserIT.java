package dev.staithe.authn.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.ClientOutcome;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.authn.oauth.Codes;
import dev.staithe.authn.oauth.RunningAuthn;
import dev.staithe.testkit.clients.Browser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The pages in a real Chromium that runs no scripts, on the real service. */
final class PagesInBrowserIT {
  @TempDir static Path folder;

  private static RunningAuthn authn;
  private static Browser browser;
  private static HttpServer app;

  @BeforeAll
  static void start() throws IOException {
    authn = RunningAuthn.shared();
    browser = Browser.withoutScripts(folder.resolve("one"));
    app = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    app.createContext(
        "/",
        exchange -> {
          byte[] body =
              "<!DOCTYPE html><title>The app</title><h1>The app</h1>"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    app.start();
  }

  @AfterAll
  static void stop() {
    browser.close();
    app.stop(0);
  }

  @AfterEach
  void forget() {
    browser.driver().manage().deleteAllCookies();
  }

  private static String url(String path) {
    return authn.node().url(path);
  }

  private static void login(Browser in, String user, String password) {
    in.await("#username").clear();
    in.await("#username").sendKeys(user);
    in.await("#password").sendKeys(password);
    in.click("button.main");
  }

  private static Client app(boolean consent) {
    Client client =
        new Client(
            "browser-" + UUID.randomUUID(),
            "Analysis <b>portal</b>",
            true,
            List.of("http://127.0.0.1/cb"),
            List.of(),
            Set.of(Grant.AUTHORIZATION_CODE),
            List.of("openid", "profile", "storage.read:/physics"),
            List.of("https://storage.example.org"),
            consent,
            false,
            KeyAlgorithm.RS256,
            Duration.ofMinutes(20),
            Duration.ofDays(1),
            true);
    assertThat(authn.node().part(Clients.class).register(client))
        .isInstanceOf(ClientOutcome.Done.class);
    return client;
  }

  private static String authorize(Client client) {
    String redirect = "http://127.0.0.1:" + app.getAddress().getPort() + "/cb";
    return url("/oauth2/authorize?response_type=code&client_id=")
        + client.id()
        + "&redirect_uri="
        + URLEncoder.encode(redirect, StandardCharsets.UTF_8)
        + "&scope=openid+profile+storage.read:/physics/run1&state=s1"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        + "&code_challenge_method=S256";
  }

  @Test
  void loginLeadsToTheSessionsAndLogoutAwayFromThem() {
    browser.open(url("/sessions"));
    browser.awaitTitle("Log in");
    assertThat(browser.driver().switchTo().activeElement().getAttribute("id"))
        .isEqualTo("username");

    login(browser, "alice", RunningAuthn.PASSWORD);

    browser.awaitTitle("Your sessions");
    assertThat(browser.text("#user")).isEqualTo("alice");
    assertThat(browser.texts("tbody tr").stream().filter(row -> row.contains("(this one)")))
        .hasSize(1)
        .allMatch(row -> row.contains("127.0.0.1") && row.contains("on Linux"));

    browser.click("#logout");
    browser.awaitTitle("You are logged out");
    browser.open(url("/sessions"));
    browser.awaitTitle("Log in");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void wrongPasswordIsToldInOneSentenceThatIsAnnounced() {
    browser.open(url("/login"));

    login(browser, "alice", "wrong");

    assertThat(browser.text("#problem")).isEqualTo("That user name and password are not right.");
    assertThat(browser.await("#problem").getAttribute("role")).isEqualTo("alert");
    assertThat(browser.await("#username").getAttribute("value")).isEqualTo("alice");
    assertThat(browser.await("#password").getAttribute("value")).isEmpty();
    login(browser, "alice", RunningAuthn.PASSWORD);
    browser.awaitTitle("Your sessions");
  }

  @Test
  void loginWorksByKeyboardAlone() {
    browser.open(url("/login"));

    browser.driver().switchTo().activeElement().sendKeys("bob" + Keys.TAB);
    browser.driver().switchTo().activeElement().sendKeys(RunningAuthn.PASSWORD + Keys.ENTER);

    browser.awaitTitle("Your sessions");
  }

  @Test
  void everyFieldHasALabel() {
    browser.open(url("/login"));
    browser.await("#password");

    assertThat(browser.texts("label")).containsExactly("User name", "Password");
    assertThat(browser.await("label[for=username]").isDisplayed()).isTrue();
    assertThat(browser.driver().getPageSource()).contains("lang=\"en\"");
  }

  @Test
  void consentSaysWhatIsAskedAndSendsTheBrowserBackToTheApp() {
    browser.open(authorize(app(true)));
    login(browser, "alice", RunningAuthn.PASSWORD);

    browser.awaitTitle("Allow access?");
    assertThat(browser.text("#client")).isEqualTo("Analysis <b>portal</b>");
    assertThat(browser.texts("ul.scopes li"))
        .containsExactly("Know who you are", "Know your name", "Read files in /physics/run1");
    assertThat(browser.text("#target")).isEqualTo("http://127.0.0.1");
    browser.click("#allow");

    browser.awaitTitle("The app");
    assertThat(browser.url()).contains("/cb?code=").contains("state=s1");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void refusalSendsTheBrowserBackWithoutACode() {
    browser.open(authorize(app(true)));
    login(browser, "alice", RunningAuthn.PASSWORD);

    browser.click("#refuse");

    browser.awaitTitle("The app");
    assertThat(browser.url()).contains("error=access_denied").doesNotContain("code=");
  }

  @Test
  void appThatNeedsNoConsentGetsTheBrowserBackFromTheLoginAtOnce() {
    browser.open(authorize(app(false)));

    login(browser, "alice", RunningAuthn.PASSWORD);

    browser.awaitTitle("The app");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void sessionOfAnotherBrowserIsSeenAndEnded() {
    try (Browser other = Browser.withoutScripts(folder.resolve("two"))) {
      other.open(url("/login"));
      login(other, "carol", RunningAuthn.PASSWORD);
      other.awaitTitle("Your sessions");
      browser.open(url("/login"));
      login(browser, "carol", RunningAuthn.PASSWORD);
      browser.awaitTitle("Your sessions");
      assertThat(browser.texts("tbody tr")).hasSize(2);

      browser.click("#end-others");

      browser.await("one session", () -> browser.texts("tbody tr").size() == 1);
      other.open(url("/sessions"));
      other.awaitTitle("Log in");
      browser.open(url("/sessions"));
      browser.awaitTitle("Your sessions");
    }
  }

  @Test
  void peopleChangeTheirPasswordAndSetCodesUpByThemselves() {
    String fresh = "bob's entirely new password";
    browser.open(url("/account"));
    login(browser, "bob", RunningAuthn.PASSWORD);
    browser.awaitTitle("Your account");
    try {
      changePassword(RunningAuthn.PASSWORD, fresh);
      assertThat(browser.text("#done")).startsWith("Your password is changed.");

      browser.await("#begin-password").sendKeys(fresh);
      browser.click("#begin");
      String secret = browser.text("#secret").replace(" ", "");
      browser.await("#code").sendKeys(Codes.now(secret, Clock.systemUTC()));
      browser.click("#confirm");
      browser.await("#recovery li");
      List<String> recovery = browser.texts("#recovery li");
      assertThat(recovery).hasSize(8);

      browser.open(url("/account"));
      browser.await("#remove-password").sendKeys(fresh);
      browser.await("#remove-code").sendKeys(recovery.getFirst());
      browser.click("#remove");
      assertThat(browser.text("#done")).startsWith("One-time codes are off.");
      browser.assertNoScriptFailedAndNothingWasBlocked();
    } finally {
      browser.open(url("/account"));
      changePassword(fresh, RunningAuthn.PASSWORD);
    }
    assertThat(browser.text("#done")).startsWith("Your password is changed.");
  }

  private static void changePassword(String before, String after) {
    browser.await("#password").sendKeys(before);
    browser.await("#new-password").sendKeys(after);
    browser.await("#repeated").sendKeys(after);
    browser.click("#change-password");
  }

  @Test
  void errorPageShowsANumber() {
    browser.open(url("/oauth2/authorize?response_type=code&client_id=nobody"));

    browser.awaitTitle("This request cannot be answered");
    assertThat(browser.text("#request-id")).matches("[0-9a-f]{12}");
  }

  @Test
  void deviceCodeThatIsUnknownIsTold() {
    browser.open(url("/device"));
    login(browser, "alice", RunningAuthn.PASSWORD);
    browser.awaitTitle("Let a device in");

    browser.await("#user_code").sendKeys("bbbb-bbbb");
    browser.click("button.main");

    assertThat(browser.text("#problem")).startsWith("That code is not known");
  }
}
