package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.program.Profile;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What who has a login and no certificate is told where her issuer does not vouch for a key. */
class LoginVoucherTests {
  @TempDir private Path folder;
  private ThrowAwayAuthority authority;

  @BeforeEach
  void make() {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
  }

  private String told(TokenIssuer issuer, String metadata, String answer) {
    Map<String, String> json = Map.of("Content-Type", "application/json");
    issuer.answer("/.well-known/openid-configuration", new TokenIssuer.Answer(200, json, metadata));
    issuer.answer("/json/tokens", new TokenIssuer.Answer(200, json, answer));
    var told =
        new StaitheProgram(folder.resolve("home"))
            .run(
                "",
                "get",
                "https://localhost:1/f",
                "--login",
                "--to",
                folder.resolve("f").toString(),
                "--trust",
                authority.certificateFile().toString());
    assertThat(told.code()).isEqualTo(1);
    assertThat(told.errors()).hasLineCount(1);
    return told.errors();
  }

  @Test
  void issuerThatNamesNoKeyIsToldInOneLine() throws Exception {
    try (TokenIssuer issuer = TokenIssuer.overHttp(Clock.systemUTC())) {
      String url = issuer.issuer();
      new Profile(folder.resolve("home"), Map.of())
          .write(new Profile.Login(url, "", "a session token"));
      String good =
          "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/jwks\",\"dpop_signing_alg_values_supported\":[\"ES256\"]}";
      assertThat(told(issuer, "{\"issuer\":\"" + url + "\"}", "{}"))
          .contains("binds no keys to ID tokens", "--cert FILE");
      assertThat(told(issuer, good.formatted("https://authn.example", url), "{}"))
          .contains("is the issuer https://authn.example: log in there");
      assertThat(told(issuer, good.formatted(url, "https://authn.example"), "{}"))
          .contains("does not say where its keys are");
      assertThat(told(issuer, good.formatted(url, url), "{\"access_token\":\"x\"}"))
          .contains("the ID token cannot be read");
      assertThat(told(issuer, good.formatted(url, url), "{\"id_token\":\"a.b.c\"}"))
          .contains("the ID token cannot be read");
    }
  }
}
