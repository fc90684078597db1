package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.ManagedProcess;
import dev.staithe.testkit.Curl;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ReleasedJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Who has logged in at the released authn-service is given macaroons by the released storage
 * element, for a job that shall have less.
 */
class SessionMacaroonIT {
  private static final String PASSWORD = "a password of ada's";

  @TempDir private static Path folder;
  private static DevelopmentAuthn authn;
  private static StaitheProgram ada;
  private static ManagedProcess storage;
  private static String url;

  @BeforeAll
  static void start() throws IOException {
    authn = new DevelopmentAuthn(Files.createDirectory(folder.resolve("site")));
    var administrator = new StaitheProgram(folder.resolve("admin"));
    authn.login(administrator, "admin", authn.administratorPassword() + "\n");
    administrator.done(PASSWORD + "\n", "user", "add", "ada", "--group", "/vo");
    ada = new StaitheProgram(folder.resolve("ada"));
    authn.login(ada, "ada", PASSWORD + "\n");
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.writeString(Files.createDirectory(data.resolve("run7")).resolve("file"), "seven");
    Files.writeString(data.resolve("other"), "rye");
    int port = FreePort.next();
    url = "http://localhost:" + port;
    String grant = "--staithe.areas[0].grants[0].";
    List<String> settings =
        new ArrayList<>(
            List.of(
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--staithe.tls.enabled=false",
                "--staithe.issuer-trust=" + authn.trust(),
                "--staithe.issuers[0].issuer=" + authn.url(),
                "--staithe.issuers[0].audiences=" + url,
                "--staithe.areas[0].name=data",
                "--staithe.areas[0].root=" + data));
    settings.addAll(
        List.of(
            grant + "issuer=" + authn.url(),
            grant + "strategy=groups",
            grant + "groups[0].group=/vo",
            grant + "groups[0].scopes=storage.read:/"));
    storage =
        ManagedProcess.start(
            ReleasedJar.command(Path.of("../storage-webdav/target/storage-webdav.jar"), settings),
            Map.of("LC_ALL", "C.UTF-8"),
            folder.resolve("storage.log"));
    storage.awaitPort(port, Programs.LONGEST);
  }

  @AfterAll
  static void stop() {
    storage.close();
    authn.close();
  }

  private static Curl by(String token, String path) {
    return Curl.to(url + path).token(token);
  }

  private static Curl.Response ask(String token, String path, String json) {
    return by(token, path).header("Content-Type", "application/macaroon-request").body(json).run();
  }

  private static JsonNode given(Curl.Response answer) {
    assertThat(answer.status()).as(answer.text() + storage.output()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.text());
  }

  @Test
  void macaroonReachesNoFurtherAndNoLongerThanTheSession() {
    String token =
        ada.done("", "token", "--audience", url, "--scope", "wlcg.groups").output().strip();
    Instant end =
        Instant.ofEpochSecond(
            JsonMapper.shared()
                .readTree(Base64.getUrlDecoder().decode(token.split("\\.")[1]))
                .path("exp")
                .asLong());
    assertThat(by(token, "/data/other").run().text()).isEqualTo("rye");

    JsonNode given =
        given(
            ask(
                token,
                "/data/run7",
                "{\"caveats\":[\"activity:DOWNLOAD,LIST\"],\"validity\":\"P7D\"}"));
    String macaroon = given.path("macaroon").asString();

    long seconds = given.path("expires_in").asLong();
    assertThat(seconds).isPositive();
    assertThat(Instant.now().plusSeconds(seconds).minus(Duration.ofSeconds(2))).isBefore(end);
    assertThat(by(macaroon, "/data/run7/file").run().text()).isEqualTo("seven");
    assertThat(by(macaroon, "/data/other").run().status()).as("beside its path").isEqualTo(403);
    assertThat(by(macaroon, "/data/run7/new").method("PUT").body("x").run().status())
        .as("the session may not either")
        .isEqualTo(403);
    assertThat(ask(token, "/data/run7", "{\"caveats\":[\"activity:UPLOAD\"]}").status())
        .isEqualTo(403);
    assertThat(ask(macaroon, "/data", "{}").status()).as("it gives none").isEqualTo(403);
  }

  /** A session token is for its own service: here it is nobody's. */
  @Test
  void sessionTokenItselfIsNotTaken() throws IOException {
    var session = new Properties();
    try (var kept = Files.newBufferedReader(ada.home().resolve("session.properties"))) {
      session.load(kept);
    }
    Curl.Response refused = ask(session.getProperty("token"), "/data/run7", "{}");

    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.text()).containsOnlyOnce("\n").doesNotContain(session.getProperty("token"));
  }
}
