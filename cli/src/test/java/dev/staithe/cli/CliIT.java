package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.testkit.Eventually;
import dev.staithe.testkit.Trials;
import dev.staithe.testkit.clients.Curl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code staithe}, as it is released, against the service, as it is released. */
class CliIT {
  private static final String PASSWORD = "a password of ada's";

  @TempDir private static Path folder;
  private static DevelopmentAuthn authn;
  private Path home = Path.of("");

  @BeforeAll
  static void start() {
    authn = new DevelopmentAuthn(folder);
  }

  @AfterAll
  static void stop() {
    authn.close();
  }

  @BeforeEach
  void newHome() throws IOException {
    home = Files.createTempDirectory(folder, "home").resolve("staithe");
  }

  /** Runs it; what is typed goes to its standard input. */
  private Ran run(String typed, String... arguments) {
    return staithe().run(typed, arguments);
  }

  private StaitheProgram staithe() {
    return new StaitheProgram(home);
  }

  private Ran done(String typed, String... arguments) {
    return staithe().done(typed, arguments);
  }

  private void login(String user, String typed) {
    authn.login(staithe(), user, typed);
  }

  private void administrator() {
    login("admin", authn.administratorPassword() + "\n");
  }

  @Test
  void loginWhoamiSessionsLogout() throws IOException {
    administrator();
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(home.resolve("session.properties"))))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
        .isEqualTo("rwx------");
    assertThat(Files.readString(home.resolve("session.properties")))
        .doesNotContain(authn.administratorPassword());
    assertThat(done("", "whoami").output()).startsWith("admin, until ");
    Eventually.holds(
        "the own session is listed", () -> done("", "sessions").output().contains("staithe"));
    String kept = Files.readString(home.resolve("session.properties"));
    assertThat(done("", "logout").output()).contains("logged out");
    assertThat(home.resolve("session.properties")).doesNotExist();
    // The token itself is over, not only forgotten here.
    Files.writeString(home.resolve("session.properties"), kept);
    assertThat(run("", "whoami").code()).isEqualTo(1);
    done("", "logout");
  }

  @Test
  void exitCodesTellRefusalFromWrongUse() {
    Ran nobody = run("", "whoami");
    assertThat(nobody.code()).isEqualTo(1);
    assertThat(nobody.errors()).startsWith("staithe: not logged in").hasLineCount(1);
    assertThat(run("", "fly").code()).isEqualTo(2);
    assertThat(run("", "token").code()).isEqualTo(2);
    Ran wrong =
        run("not it\n", "login", "--url", authn.url(), "--trust", authn.trust(), "--user", "admin");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.errors()).contains("HTTP 401").hasLineCount(1);
    Ran untrusted = run("x\n", "login", "--url", authn.url(), "--user", "admin");
    assertThat(untrusted.code()).isEqualTo(1);
    assertThat(untrusted.errors()).contains("cannot be reached").hasLineCount(1);
    Ran plain = run("x\n", "login", "--url", "http://authn.example.org", "--user", "admin");
    assertThat(plain.code()).isEqualTo(1);
    assertThat(plain.errors()).contains("https only");
    Ran silent = run("x\n", "login", "--url", "http://127.0.0.1:1", "--user", "admin");
    assertThat(silent.code()).isEqualTo(1);
    assertThat(silent.errors()).contains("cannot be reached").hasLineCount(1);
  }

  @Test
  void usersAndGroups() {
    administrator();
    done(PASSWORD + "\n", "user", "add", "ada", "--display-name", "Ada L.", "--group", "/physics");
    assertThat(done("", "user", "list").output()).contains("ada", "/physics");
    assertThat(done("", "user", "show", "ada").output()).contains("Ada L.").doesNotContain("argon");
    Ran again = run(PASSWORD + "\n", "user", "add", "ada");
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.errors()).contains("HTTP 409");
    done("", "group", "add", "/physics/analysis", "ada");
    assertThat(done("", "group", "members", "/physics/analysis").output()).contains("ada");
    done("", "group", "remove", "/physics/analysis", "ada");
    assertThat(done("", "group", "members", "/physics/analysis").output()).doesNotContain("ada");
    assertThat(done("", "group", "list", "--json").output()).contains("\"/physics\"");
    assertThat(run("", "user", "change", "ada", "--enable", "--disable").errors())
        .contains("not both");
    done("", "user", "change", "ada", "--disable");
    Path mine = home;
    home = mine.resolveSibling("ada");
    assertThat(
            run(
                    PASSWORD + "\n",
                    "login",
                    "--url",
                    authn.url(),
                    "--trust",
                    authn.trust(),
                    "--user",
                    "ada")
                .code())
        .isEqualTo(1);
    home = mine;
    done("", "user", "change", "ada", "--enable");
    done("another " + PASSWORD + "\n", "user", "password", "ada");
    home = mine.resolveSibling("ada");
    login("ada", "another " + PASSWORD + "\n");
    Ran refused = run("", "user", "list");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.errors()).contains("HTTP 403");
    home = mine;
    done("", "user", "logout", "ada");
    home = mine.resolveSibling("ada");
    assertThat(run("", "whoami").code()).isEqualTo(1);
    home = mine;
    done("", "user", "remove", "ada");
    assertThat(run("", "user", "show", "ada").errors()).contains("HTTP 404");
  }

  @Test
  void clients() {
    administrator();
    String secret =
        done("", "client", "add", "robot", "--grant", "client_credentials", "--scope", "openid")
            .output()
            .strip();
    assertThat(secret).hasSizeGreaterThan(20).doesNotContain(" ");
    assertThat(done("", "client", "list").output()).contains("robot").doesNotContain(secret);
    assertThat(done("", "client", "secret", "robot").output().strip())
        .hasSizeGreaterThan(20)
        .isNotEqualTo(secret);
    done("", "client", "change", "robot", "--scope", "wlcg", "--no-consent", "--second-factor");
    assertThat(done("", "client", "list").output()).contains("wlcg").contains("client_credentials");
    assertThat(run("", "client", "change", "robot").errors()).contains("nothing to change");
    assertThat(run("", "client", "change", "nobody", "--scope", "wlcg").code()).isEqualTo(1);
    done("", "client", "remove", "robot");
    assertThat(done("", "client", "list").output()).doesNotContain("robot");
    assertThat(run("", "client", "add", "robot", "--grant", "magic").code()).isEqualTo(1);
  }

  /** Each option arrives as what it says: one with a wrong name would be ignored. */
  @Test
  void everyOptionOfAClientArrives() {
    administrator();
    done(
        "",
        "client",
        "add",
        "portal",
        "--display-name",
        "Portal",
        "--grant",
        "authorization_code",
        "--grant",
        "refresh_token",
        "--redirect-uri",
        "https://portal.example/cb",
        "--logout-uri",
        "https://portal.example/bye",
        "--scope",
        "openid",
        "--audience",
        "https://one.example",
        "--no-consent",
        "--nonce",
        "--second-factor",
        "--algorithm",
        "ES256",
        "--access-lifetime",
        "PT30M",
        "--refresh-lifetime",
        "P3D");
    assertThat(client("portal"))
        .contains(
            "\"displayName\":\"Portal\"",
            "\"open\":false",
            "\"grants\":[\"authorization_code\",\"refresh_token\"]",
            "\"redirectUris\":[\"https://portal.example/cb\"]",
            "\"logoutUris\":[\"https://portal.example/bye\"]",
            "\"scopes\":[\"openid\"]",
            "\"audiences\":[\"https://one.example\"]",
            "\"consent\":false",
            "\"proofKey\":false",
            "\"secondFactor\":true",
            "\"algorithm\":\"ES256\"",
            "\"accessLifetime\":\"PT30M\"",
            "\"refreshLifetime\":\"PT72H\"");

    done("", "client", "change", "portal", "--no-nonce", "--consent", "--algorithm", "RS256");
    assertThat(client("portal"))
        .contains("\"proofKey\":true", "\"consent\":true", "\"algorithm\":\"RS256\"")
        .contains("\"accessLifetime\":\"PT30M\"");
    done("", "client", "remove", "portal");
  }

  /** What the service has of it, without blanks. */
  private String client(String id) {
    String all = done("", "client", "list", "--json").output().replaceAll("\\s", "");
    return all.replaceAll(".*(\\{\"id\":\"" + id + "\"[^}]*}).*", "$1");
  }

  @Test
  void applicationsThatActForAUserAreListedAndStopped() throws IOException {
    administrator();
    done(PASSWORD + "\n", "user", "add", "dora");
    String secret =
        done(
                "",
                "client",
                "add",
                "mailer",
                "--grant",
                "authorization_code",
                "--redirect-uri",
                "https://mailer.example/cb",
                "--scope",
                "openid",
                "--no-consent")
            .output()
            .strip();
    Path mine = home;
    home = mine.resolveSibling("dora");
    login("dora", PASSWORD + "\n");
    String access = granted("mailer", secret);
    assertThat(run("", "grant", "list", "--user", "dora").errors()).contains("HTTP 403");
    home = mine;
    assertThat(done("", "grant", "list", "--user", "admin").output()).doesNotContain("mailer");

    String list = done("", "grant", "list", "--user", "dora").output();
    assertThat(list).contains("mailer", "openid").doesNotContain(access, secret);
    String id = list.lines().skip(1).findFirst().orElseThrow().split(" ")[0];
    assertThat(done("", "grant", "list", "--user", "dora", "--json").output()).contains(id);
    assertThat(active(access, "mailer", secret)).isTrue();
    assertThat(done("", "grant", "end", id).output()).contains("ended");

    assertThat(done("", "grant", "list", "--user", "dora").output()).doesNotContain(id);
    assertThat(active(access, "mailer", secret)).isFalse();
    assertThat(run("", "grant", "end", id).errors()).contains("HTTP 404");
    done("", "client", "remove", "mailer");
  }

  /** An access token that the one who is logged in gives to an application, as by a browser. */
  private String granted(String client, String secret) throws IOException {
    var session = new Properties();
    try (var file = Files.newBufferedReader(home.resolve("session.properties"))) {
      session.load(file);
    }
    String location =
        Curl.to(
                authn.url()
                    + "/oauth2/authorize?response_type=code&scope=openid&state=s&client_id="
                    + client
                    + "&redirect_uri=https%3A%2F%2Fmailer.example%2Fcb"
                    + "&code_challenge_method=S256&code_challenge="
                    // RFC 7636, appendix B.
                    + "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
            .trusting(Path.of(authn.trust()))
            .header("Cookie", "__Host-staithe=" + session.getProperty("token"))
            .run()
            .header("Location")
            .orElse("");
    assertThat(location).startsWith("https://mailer.example/cb?code=");
    String answer =
        asClient("token", client, secret)
            .body(
                "grant_type=authorization_code&redirect_uri=https%3A%2F%2Fmailer.example%2Fcb"
                    + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&code="
                    + location.replaceAll(".*[?&]code=([^&]*).*", "$1"))
            .run()
            .text();
    assertThat(answer).contains("access_token");
    return answer.replaceAll(".*\"access_token\":\"([^\"]*)\".*", "$1");
  }

  private static boolean active(String token, String client, String secret) {
    return asClient("introspect", client, secret)
        .body("token=" + token)
        .run()
        .text()
        .contains("\"active\":true");
  }

  private static Curl asClient(String endpoint, String client, String secret) {
    return Curl.to(authn.url() + "/oauth2/" + endpoint)
        .trusting(Path.of(authn.trust()))
        .option("user", client + ":" + secret);
  }

  @Test
  void sessionsOfOthers() {
    administrator();
    done(PASSWORD + "\n", "user", "add", "bob");
    Path mine = home;
    home = mine.resolveSibling("bob");
    login("bob", PASSWORD + "\n");
    home = mine;
    String id = firstSessionOf("bob");
    done("", "session", "end", id);
    assertThat(done("", "session", "list", "--user", "bob").output()).doesNotContain(id);
    for (String none : new String[] {"nonsense", "-h" + "A".repeat(20), "-V" + "_".repeat(20)}) {
      assertThat(run("", "session", "end", none).errors()).contains("HTTP 404");
    }
    home = mine.resolveSibling("bob");
    assertThat(run("", "whoami").code()).isEqualTo(1);
  }

  /** With H2 a login is answered up to 50 ms before its session is written, and listed. */
  private String firstSessionOf(String user) {
    Supplier<Optional<String>> first =
        () -> done("", "session", "list", "--user", user).output().lines().skip(1).findFirst();
    Eventually.holds("the session is listed", () -> first.get().isPresent());
    return first.get().orElseThrow().split(" ")[0];
  }

  /** No option takes a secret: everyone on the machine could read it. */
  @Test
  void noArgumentTakesASecret() {
    for (String[] command :
        new String[][] {{"login"}, {"cert"}, {"user", "add"}, {"user", "password"}, {"code"}}) {
      String[] help = Arrays.copyOf(command, command.length + 1);
      help[command.length] = "--help";
      assertThat(done("", help).output())
          .doesNotContainPattern("--(password|code|secret|pkcs12-password)(?!-file)");
      Trials.held();
    }
    assertThat(run("", "login", "--url", authn.url(), "--user", "admin", "--password", "x").code())
        .isEqualTo(2);
  }
}
