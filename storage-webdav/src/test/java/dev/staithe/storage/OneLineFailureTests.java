package dev.staithe.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.staithe.testkit.ThrowAwayAuthority;
import dev.staithe.testkit.TokenIssuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** A start that fails says in one line which setting is wrong, its value and what is allowed. */
class OneLineFailureTests {
  @TempDir Path folder;
  private ThrowAwayAuthority authority;
  private TokenIssuer issuer;

  @BeforeEach
  void begin() throws IOException {
    authority = ThrowAwayAuthority.in(folder.resolve("authority"), Clock.systemUTC());
    issuer = TokenIssuer.overHttp(Clock.systemUTC());
    Files.createDirectories(folder.resolve("data"));
    Files.createDirectories(folder.resolve("open"));
  }

  @AfterEach
  void end() {
    issuer.close();
  }

  /** The line of a start with settings that are right but for this one. */
  private String lineWith(String key, Object value) {
    Map<String, Object> settings = RunningStorage.properties(folder, authority, issuer);
    settings.put("staithe.issuers[0].plain-http-on-loopback", true);
    settings.put(key, value);
    Throwable failure =
        catchThrowable(
            () ->
                new SpringApplicationBuilder(StorageApplication.class)
                    .run(
                        settings.entrySet().stream()
                            .map(e -> "--" + e.getKey() + "=" + e.getValue())
                            .toArray(String[]::new))
                    .close());
    assertThat(failure).as("the start must fail").isNotNull();
    String line = OneLineFailure.describe(failure);
    assertThat(line).isNotNull().doesNotContain("\n").doesNotContain("Exception");
    return line;
  }

  @Test
  void unknownKeyNamesWhatIsAllowedThere() {
    assertThat(lineWith("staithe.limits.conections", "5"))
        .startsWith("staithe.limits.conections = \"5\": is not known")
        .contains("connections", "idle-timeout", "header-size");
  }

  @Test
  void valueOfTheWrongKindNamesTheKind() {
    assertThat(lineWith("staithe.copy.running", "many"))
        .contains("staithe.copy.running", "many", "a whole number");
    assertThat(lineWith("staithe.tls.provider", "openssl"))
        .contains("staithe.tls.provider", "openssl", "auto, conscrypt, jdk");
  }

  @Test
  void valueOutOfRangeNamesTheRange() {
    assertThat(lineWith("staithe.limits.connections", "0"))
        .contains("limits.connections", "\"0\"", "1 to 100000");
    assertThat(lineWith("staithe.copy.running", "0")).contains("staithe.copy", "running", "1 to");
  }

  @Test
  void brokenAreaIsNamed() {
    assertThat(lineWith("staithe.areas[0].root", folder.resolve("missing")))
        .contains("staithe.areas[0]", "root", "missing", "a folder");
    assertThat(lineWith("staithe.areas[0].access-points", "/a/../b"))
        .contains("staithe.areas[0]", "access-points", "/a/../b");
    assertThat(lineWith("staithe.areas[1].name", "data")).contains("name", "data");
  }

  @Test
  void brokenKeyIsNamed() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.pem"), "no key");
    assertThat(lineWith("staithe.tls.key", broken)).contains("staithe.tls", "broken.pem");
    ThrowAwayAuthority.Host other = authority.host("other.test");
    assertThat(lineWith("staithe.tls.key", other.key())).contains("staithe.tls");
  }

  @Test
  void brokenIssuerIsNamed() throws IOException {
    assertThat(lineWith("staithe.areas[0].grants[0].issuer", "https://stranger.test"))
        .contains("issuer", "https://stranger.test");
    Path keys = Files.writeString(folder.resolve("keys.json"), "{}");
    assertThat(lineWith("staithe.issuers[0].jwks-file", keys)).contains("staithe.issuers");
  }

  @Test
  void portThatIsTakenIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThat(lineWith("server.port", taken.getLocalPort()))
          .contains("server.port", Integer.toString(taken.getLocalPort()), "free");
    }
  }
}
