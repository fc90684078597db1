package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.ClientOutcome;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.peers.ApacheServer;
import dev.staithe.testkit.clients.Browser;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page of a site in Apache, for whoever can log in here: mod_auth_openidc at its defaults. */
final class ModAuthOpenidcIT {
  private static final Map<String, String> PAGES =
      Map.of(
          "members/page.html",
          "<!DOCTYPE html><title>Members</title><p id=\"user\"><!--#echo var=\"REMOTE_USER\" --></p>",
          "bye.html",
          "<!DOCTYPE html><title>Good bye</title>");

  @TempDir private static Path folder;
  private static ThrowAwayAuthority authority;
  private static RunningAuthn authn;
  private static Browser browser;

  @BeforeAll
  static void start() {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    authn = RunningAuthn.overTls(folder.resolve("authn"), authority, Map.of()).user("ada");
    browser = Browser.withoutScripts(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    browser.close();
    authn.close();
  }

  @AfterEach
  void forget() {
    // Of localhost, whichever port.
    browser.driver().manage().deleteAllCookies();
  }

  /** A site whose client needs a proof of its code, or shows a nonce in place of that. */
  private static ApacheServer site(String id, boolean proofKey, String more) {
    return ApacheServer.start(
        authority.server(),
        PAGES,
        url ->
            """
            OIDCProviderMetadataURL %1$s.well-known/openid-configuration
            OIDCClientID %2$s
            OIDCClientSecret %3$s
            OIDCRedirectURI %4$smembers/redirect
            OIDCCryptoPassphrase throw-away
            OIDCScope "openid profile"
            OIDCRemoteUserClaim preferred_username
            %5$s
            # As docs/authn-service.md has it.
            RewriteEngine on
            RewriteCond %%{QUERY_STRING} ^(error=.*)&iss=[^&]*(.*)$
            RewriteRule ^/members/redirect$ /members/redirect?%%1%%2 [NE,PT]
            <Location /members>
              AuthType openid-connect
              Require valid-user
            </Location>
            """
                .formatted(authn.url(), id, secret(id, url, proofKey), url, more));
  }

  private static String secret(String id, URI url, boolean proofKey) {
    Client client =
        new Client(
            id,
            "Pages for members",
            true,
            List.of(url + "members/redirect"),
            List.of(url + "bye.html"),
            Set.of(Grant.AUTHORIZATION_CODE, Grant.REFRESH_TOKEN),
            List.of("openid", "profile"),
            List.of(url.toString()),
            true,
            false,
            KeyAlgorithm.RS256,
            Duration.ofHours(1),
            Duration.ofDays(30),
            proofKey);
    if (authn.bean(Clients.class).register(client) instanceof ClientOutcome.Done done
        && done.secret() != null) {
      return done.secret();
    }
    throw new AssertionError("not registered");
  }

  private static void openPage(ApacheServer site) {
    browser.open(site.url() + "members/page.html");
  }

  private static void logIn(ApacheServer site) {
    openPage(site);
    browser.awaitTitle("Log in");
    browser.await("#username").sendKeys("ada");
    browser.await("#password").sendKeys(RunningAuthn.PASSWORD);
    browser.click("button.main");
  }

  @Test
  void whoAllowsItReadsThePageAndLogsOutOfBoth() {
    try (ApacheServer site = site("with-nonce", false, "")) {
      logIn(site);
      browser.awaitTitle("Allow access?");
      assertThat(browser.text("#client")).isEqualTo("Pages for members");
      browser.click("#allow");

      browser.awaitTitle("Members");
      assertThat(browser.text("#user")).isEqualTo("ada");

      browser.open(site.url() + "members/redirect?logout=" + site.url() + "bye.html");
      browser.awaitTitle("Good bye");
      openPage(site);
      browser.awaitTitle("Log in");
    }
  }

  @Test
  void whoRefusesReadsSo() {
    try (ApacheServer site = site("refused", false, "")) {
      logIn(site);
      browser.awaitTitle("Allow access?");
      browser.click("#refuse");

      browser.awaitTitle("Error");
      assertThat(browser.text("body")).contains("access_denied");
      assertThat(browser.url()).startsWith(site.url() + "members/redirect?");
    }
  }

  /** As {@code staithe client add} makes it unless somebody says {@code --nonce}. */
  @Test
  void clientThatNeedsAProofWorksWithOneLineMoreAndSaysSoWithoutIt() {
    try (ApacheServer site = site("without-proof", true, "")) {
      openPage(site);

      browser.awaitTitle("Error");
      assertThat(browser.text("body")).contains("invalid_request").contains("code_challenge");
    }
    forget();
    try (ApacheServer site = site("with-proof", true, "OIDCPKCEMethod S256")) {
      logIn(site);
      browser.click("#allow");

      browser.awaitTitle("Members");
      assertThat(browser.text("#user")).isEqualTo("ada");
    }
  }
}
