package dev.staithe.testkit.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.testkit.trust.ThrowAwayAuthority;
import dev.staithe.testkit.trust.TokenIssuer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CurlTests {
  @Test
  void statusHeadersAndBodyAreReported(@TempDir Path folder) {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder, Clock.systemUTC());
    try (TokenIssuer server = TokenIssuer.overHttps(authority, Clock.systemUTC())) {
      server.answer("/a", new TokenIssuer.Answer(418, Map.of("X-Kind", "tea \"pot\""), "short"));

      Curl.Response response =
          Curl.to(server.issuer() + "/a").trusting(authority).header("X-A", "\"b\\c").run();

      assertThat(response.exitCode()).isZero();
      assertThat(response.status()).isEqualTo(418);
      assertThat(response.header("x-kind")).contains("tea \"pot\"");
      assertThat(response.text()).isEqualTo("short");
    }
  }

  @Test
  void anAuthorityThatIsNotTrustedEndsInNoStatus(@TempDir Path folder) {
    ThrowAwayAuthority authority = ThrowAwayAuthority.in(folder.resolve("one"), Clock.systemUTC());
    ThrowAwayAuthority other = ThrowAwayAuthority.in(folder.resolve("other"), Clock.systemUTC());
    try (TokenIssuer server = TokenIssuer.overHttps(authority, Clock.systemUTC())) {
      Curl.Response response = Curl.to(server.issuer() + "/jwks").trusting(other).run();

      assertThat(response.exitCode()).isEqualTo(60);
      assertThat(response.status()).isZero();
      assertThat(server.requests()).isEmpty();
    }
  }
}
