package dev.staithe.authn.oauth;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of other sites that ask from within a browser, and whoever shows no token. */
final class BrowserApplicationsTests {
  private static final String LISTED = "https://app.example.org";
  private static final String STRANGER = "https://evil.example";

  private final RunningAuthn authn = RunningAuthn.shared();

  /** Head and body, with fields that clients of Java do not let one choose. */
  private String ask(String method, String path, String... fields) {
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nConnection: close\r\n"
            + String.join("\r\n", fields)
            + (String.join("", fields).contains("Host:") ? "" : "\r\nHost: 127.0.0.1")
            + "\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), authn.node().port())) {
      socket.getOutputStream().write(head.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII).toLowerCase(Locale.ROOT);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/.well-known/openid-configuration,https://evil.example,*",
    "/.well-known/oauth-authorization-server,https://app.example.org,*",
    "/oauth2/jwks,https://evil.example,*",
    "/userinfo,https://app.example.org,https://app.example.org",
    "/userinfo,https://evil.example,''",
    "/userinfo,null,''",
    "/oauth2/authorize,https://app.example.org,''",
    "/login,https://app.example.org,''",
  })
  void pagesMayReadWhatIsPublicAndTheListedOnesTokens(String path, String origin, String allowed) {
    String answer = ask("GET", path, "Origin: " + origin);

    if (allowed.isEmpty()) {
      assertThat(answer).doesNotContain("access-control-allow-origin");
    } else {
      assertThat(answer).contains("access-control-allow-origin: " + allowed + "\r\n");
    }
    assertThat(answer).doesNotContain("access-control-allow-credentials");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/oauth2/token", "/oauth2/revoke", "/userinfo"})
  void browserThatAsksFirstIsToldByTheList(String path) {
    String[] question = {
      "Origin: " + LISTED,
      "Access-Control-Request-Method: POST",
      "Access-Control-Request-Headers: authorization, content-type"
    };
    assertThat(ask("OPTIONS", path, question))
        .startsWith("http/1.1 200")
        .contains("access-control-allow-origin: " + LISTED)
        .contains("access-control-allow-headers: authorization, content-type");
    question[0] = "Origin: " + STRANGER;
    assertThat(ask("OPTIONS", path, question))
        .startsWith("http/1.1 403")
        .doesNotContain("access-control-allow-origin");
  }

  @Test
  void whoShowsNoTokenIsAskedForOneAndIsToldNothingOfTheOwnHostHeader() {
    String none = ask("GET", "/userinfo", "Host: evil.example");
    assertThat(none).startsWith("http/1.1 401").contains("www-authenticate: bearer\r\n");
    String wrong = ask("GET", "/userinfo", "Host: evil.example", "Authorization: Bearer x.y.z");
    assertThat(wrong)
        .startsWith("http/1.1 401")
        .contains("www-authenticate: bearer error=\"invalid_token\"");
    assertThat(none + wrong).doesNotContain("evil.example", "resource_metadata");
  }
}
