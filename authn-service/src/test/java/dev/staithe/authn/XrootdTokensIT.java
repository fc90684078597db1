package dev.staithe.authn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.staithe.peers.XrootdServer;
import dev.staithe.testkit.clients.Curl;
import dev.staithe.testkit.clients.SciTokens;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XRootD as sites run it for tokens, which asks us for our keys and lets in by what we signed. */
final class XrootdTokensIT {
  private static final String STORAGE = "https://storage.test";
  private static final Map<String, Object> RULES =
      Map.of(
          "staithe.tokens.grants[0].to",
          "group:/vo",
          "staithe.tokens.grants[0].scopes",
          "storage.read:/,storage.modify:/run7");

  @TempDir private static Path folder;
  private static ThrowAwayAuthority authority;
  private static RunningAuthn authn;
  private static XrootdServer xrootd;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(SciTokens.obstacle().isEmpty(), SciTokens.obstacle());
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    authn = RunningAuthn.overTls(folder.resolve("authn"), authority, RULES).user("ada", "/vo");
    xrootd = XrootdServer.withTokens(authority.server(), issuer(authn), STORAGE);
    xrootd.putFile("there", "stored".getBytes(StandardCharsets.UTF_8));
  }

  @AfterAll
  static void stop() {
    if (xrootd != null) {
      xrootd.close();
    }
    if (authn != null) {
      authn.close();
    }
  }

  private static String issuer(RunningAuthn of) {
    return of.url().toString().replaceFirst("/$", "");
  }

  private static String token(RunningAuthn of, String audience, String scope) {
    String token =
        RunningAuthn.json(
                of.as(
                    of.login("ada"),
                    "POST",
                    "json/tokens",
                    "{\"audience\":[\"" + audience + "\"],\"scope\":\"" + scope + "\"}"))
            .path("access_token")
            .asString("");
    assertThat(token).isNotEmpty();
    return token;
  }

  private static Curl at(String path) {
    return Curl.to(xrootd.url(path)).trusting(authority);
  }

  @Test
  void tokenOpensWhatItsScopesSayAndNothingElse() {
    String token = token(authn, STORAGE, "storage.read:/ storage.modify:/run7");

    Curl.Response read = at("/there").token(token).run();
    assertThat(read.status()).as("%s %s", read, xrootd.log()).isEqualTo(200);
    assertThat(read.text()).isEqualTo("stored");
    assertThat(at("/run7/new").token(token).method("PUT").body("mine").run().status())
        .isIn(200, 201);
    assertThat(xrootd.dataFolder().resolve("run7/new")).hasContent("mine");

    assertThat(at("/elsewhere").token(token).method("PUT").body("mine").run().status())
        .isEqualTo(403);
    assertThat(Files.exists(xrootd.dataFolder().resolve("elsewhere"))).isFalse();
    String readOnly = token(authn, STORAGE, "storage.read:/");
    assertThat(at("/run7/more").token(readOnly).method("PUT").body("x").run().status())
        .isEqualTo(403);
  }

  @Test
  void nobodyElseIsLetIn() {
    assertThat(at("/there").run().status()).isEqualTo(403);
    assertThat(at("/there").token(token(authn, STORAGE, "storage.read:/run7")).run().status())
        .isEqualTo(403);
    String forOthers = token(authn, "https://other.test", "storage.read:/");
    assertThat(at("/there").token(forOthers).run().status()).isEqualTo(403);
    String token = token(authn, STORAGE, "storage.read:/");
    String changed =
        token.substring(0, token.lastIndexOf('.') + 1)
            + new StringBuilder(token.substring(token.lastIndexOf('.') + 1)).reverse();
    assertThat(at("/there").token(changed).run().status()).isEqualTo(403);
    try (RunningAuthn another =
        RunningAuthn.overTls(folder.resolve("another"), authority, RULES).user("ada", "/vo")) {
      String elsewhere = token(another, STORAGE, "storage.read:/");
      assertThat(at("/there").token(elsewhere).run().status()).isEqualTo(403);
    }
  }
}
