package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.staithe.authn.clients.Client;
import dev.staithe.authn.clients.ClientOutcome;
import dev.staithe.authn.clients.Clients;
import dev.staithe.authn.clients.Grant;
import dev.staithe.authn.keys.KeyAlgorithm;
import dev.staithe.testkit.clients.Browser;
import dev.staithe.testkit.clients.OidcAgent;
import dev.staithe.testkit.clients.SciTokens;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * oidc-agent as people have it on their machines, let in from a browser, and scitokens-cpp, by
 * which services of sites judge the tokens that it gets.
 */
final class OidcAgentIT {
  private static final String STORAGE = "https://storage.test";
  private static final String OTHER = "https://other.test";
  private static final String SCOPES = "openid offline_access storage.read:/ storage.modify:/run7";
  private static final Map<String, Object> RULES =
      Map.of(
          "staithe.tokens.grants[0].to",
          "group:/vo",
          "staithe.tokens.grants[0].scopes",
          "storage.read:/,storage.modify:/run7");

  @TempDir private static Path folder;
  private static ThrowAwayAuthority authority;
  private static RunningAuthn authn;
  private static Browser browser;
  private static OidcAgent agent;

  @BeforeAll
  static void start() {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    authn = RunningAuthn.overTls(folder.resolve("authn"), authority, RULES).user("ada", "/vo");
    assertThat(authn.bean(Clients.class).register(client())).isInstanceOf(ClientOutcome.Done.class);
    browser = Browser.withoutScripts(folder.resolve("browser"));
    agent = OidcAgent.start(folder.resolve("agent"));
    letIn();
  }

  @AfterAll
  static void stop() {
    agent.close();
    browser.close();
    authn.close();
  }

  /** As {@code staithe client add --public --grant device_code} makes it. */
  private static Client client() {
    return new Client(
        "oidc-agent",
        "oidc-agent",
        false,
        List.of(),
        List.of(),
        Set.of(Grant.DEVICE_CODE, Grant.REFRESH_TOKEN),
        List.of(SCOPES.split(" ")),
        List.of(STORAGE, OTHER),
        true,
        false,
        KeyAlgorithm.RS256,
        Duration.ofHours(1),
        Duration.ofDays(30),
        true);
  }

  private static String issuer() {
    return authn.url().toString().replaceFirst("/$", "");
  }

  private static OidcAgent.Login begin(OidcAgent agent) {
    return agent.login(issuer(), "oidc-agent", SCOPES, authority.certificateFile());
  }

  /** What the person at the browser does with the code, up to the question. */
  private static void enter(String code) {
    browser.driver().manage().deleteAllCookies();
    browser.open(authn.url() + "device");
    browser.await("#username").sendKeys("ada");
    browser.await("#password").sendKeys(RunningAuthn.PASSWORD);
    browser.click("button.main");
    browser.awaitTitle("Let a device in");
    browser.await("#user_code").sendKeys(code);
    browser.click("button.main");
    browser.awaitTitle("Allow access?");
    assertThat(browser.text("#client")).isEqualTo("oidc-agent");
  }

  private static void letIn() {
    try (OidcAgent.Login login = begin(agent)) {
      enter(login.code());
      browser.click("#allow");
      browser.awaitTitle("The device is let in");
      OidcAgent.Said said = login.end();
      assertThat(said.exitCode()).as(said.output()).isZero();
      assertThat(said.output()).contains("Everything setup correctly!");
    }
  }

  private static String token(String... options) {
    OidcAgent.Said said = agent.token(options);
    assertThat(said.exitCode()).as(said.output() + said.errors()).isZero();
    return said.output();
  }

  private static JWTClaimsSet claims(String token) throws ParseException {
    return SignedJWT.parse(token).getJWTClaimsSet();
  }

  @Test
  void whoIsLetInGetsTokensForAFolderAndForAService() throws ParseException {
    assertThat(claims(token()).getStringClaim("scope")).contains("storage.read:/ ");
    JWTClaimsSet below = claims(token("--scope=storage.read:/run7/raw", "--aud=" + OTHER));
    assertThat(below.getStringClaim("scope")).isEqualTo("storage.read:/run7/raw");
    assertThat(below.getAudience()).containsExactly(OTHER);

    OidcAgent.Said more = agent.token("--scope=storage.modify:/");
    assertThat(more.exitCode()).isNotZero();
    assertThat(more.errors()).contains("invalid_scope");
    OidcAgent.Said elsewhere = agent.token("--force-new", "--aud=https://nowhere.test");
    assertThat(elsewhere.exitCode()).isNotZero();
    assertThat(elsewhere.errors()).contains("invalid_target");
    // A refusal costs the agent nothing of what it has.
    assertThat(claims(token("--force-new")).getStringClaim("scope"))
        .contains("storage.modify:/run7");
  }

  @Test
  void whoIsRefusedReadsSo() {
    try (OidcAgent other = OidcAgent.start(folder.resolve("refused"));
        OidcAgent.Login login = begin(other)) {
      enter(login.code());
      browser.click("#refuse");
      OidcAgent.Said said = login.end();
      assertThat(said.exitCode()).as(said.output()).isNotZero();
      assertThat(said.output()).contains("access_denied");
    }
  }

  @Test
  void servicesWithScitokensCppTakeTheTokensForWhatTheySayAndForNothingElse() {
    assumeTrue(SciTokens.obstacle().isEmpty(), SciTokens.obstacle());
    SciTokens sciTokens = SciTokens.in(folder.resolve("scitokens"), authority.certificateFile());
    String token = token("--scope=storage.read:/ storage.modify:/run7", "--aud=" + STORAGE);

    assertThat(sciTokens.verify(token, "wlcg"))
        .isEqualTo(new SciTokens.Said(0, "Token deserialization successful."));
    SciTokens.Said access = sciTokens.access(token, issuer(), STORAGE);
    assertThat(access.exitCode()).as(access.output()).isZero();
    assertThat(access.output().lines().filter(line -> line.startsWith("ACL: ")))
        .contains("ACL: read:/", "ACL: write:/run7");

    refused(sciTokens.access(token, issuer(), OTHER), "'aud' claim verification failed");
    refused(
        sciTokens.access(token, "https://issuer.test", STORAGE),
        "issuer is not in list of allowed issuers");
    String[] parts = token.split("\\.");
    refused(
        sciTokens.verify(parts[0] + "." + parts[1] + "." + reversed(parts[2]), "wlcg"),
        "Failed to deserialize a token");
  }

  @Test
  void anEndedTokenIsTakenByNobody() {
    assumeTrue(SciTokens.obstacle().isEmpty(), SciTokens.obstacle());
    SciTokens sciTokens = SciTokens.in(folder.resolve("ended-keys"), authority.certificateFile());
    Clock dayBefore = Clock.offset(Clock.systemUTC(), Duration.ofDays(-1));
    try (RunningAuthn slow =
        RunningAuthn.overTls(folder.resolve("slow"), authority, RULES, dayBefore)
            .user("ada", "/vo")) {
      String token =
          RunningAuthn.json(
                  slow.as(
                      slow.login("ada"),
                      "POST",
                      "json/tokens",
                      "{\"audience\":[\"" + STORAGE + "\"],\"scope\":\"storage.read:/\"}"))
              .path("access_token")
              .asString("");

      refused(sciTokens.verify(token, "wlcg"), "token expired");
    }
  }

  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  private static void refused(SciTokens.Said said, String why) {
    assertThat(said.exitCode()).as(said.output()).isNotZero();
    assertThat(said.output()).contains(why);
  }
}
