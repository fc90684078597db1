package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.peers.SimpleSamlServer;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ReleasedJar;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the password of a campus to a certificate: the released command, the released service, and
 * SimpleSAMLphp as two identity providers. OpenSSL judges what comes out. Needs {@code mvn package}
 * of both.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SlcsLoginIT {
  private static final String PASSWORD = "alice pass\n";

  @TempDir private static Path folder;
  private static SimpleSamlServer campuses;
  private static SimpleSamlServer.Idp open;
  private static ManagedProcess server;
  private static String url;
  private static String trust;
  private StaitheProgram staithe = new StaitheProgram(Path.of(""));

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    campuses = SimpleSamlServer.start(folder.resolve("campuses"));
    open = campuses.idp("open", SimpleSamlServer.Options.of("example.org"));
    var sealed =
        campuses.idp("sealed", SimpleSamlServer.Options.of("example.net").withEncryption());
    var authority = ThrowAwayAuthority.in(folder.resolve("ca"), Clock.systemUTC());
    var host = authority.localhost();
    trust = authority.certificateFile().toString();
    int port = FreePort.next();
    url = "https://localhost:" + port;
    Path settings =
        Files.writeString(
            folder.resolve("slcs.yml"),
            """
            server:
              port: %1$d
            staithe:
              url: %2$s
              state: %3$s
              tls:
                certificate: %4$s
                key: %5$s
              saml:
                providers:
                  - name: open
                    metadata: %6$s
                  - name: sealed
                    metadata: %7$s
                    encryption: legacy
              issue:
                operators:
                  - attribute: eduPersonPrincipalName
                    values: [bob@example.org]
            """
                .formatted(
                    port,
                    url,
                    folder.resolve("state"),
                    host.certificate(),
                    host.key(),
                    campuses.metadataFile(open),
                    campuses.metadataFile(sealed)));
    server =
        ManagedProcess.start(
            ReleasedJar.command(
                Path.of("../slcs-service/target/slcs-service.jar"),
                List.of("--spring.config.additional-location=file:" + settings)),
            Map.of(),
            folder.resolve("slcs.log"));
    server.awaitPort(port, Programs.LONGEST);
    try (var client = HttpClient.newBuilder().sslContext(authority.clientContext()).build()) {
      campuses.trust(
          client
              .send(
                  HttpRequest.newBuilder(URI.create(url + "/saml2/metadata")).build(),
                  BodyHandlers.ofString())
              .body());
    }
  }

  @AfterAll
  static void stop() {
    server.close();
    campuses.close();
  }

  @BeforeEach
  void newHome() throws IOException {
    staithe = new StaitheProgram(Files.createTempDirectory(folder, "home").resolve("staithe"));
  }

  private Ran login(String typed, String... more) {
    var arguments =
        new java.util.ArrayList<>(
            List.of("login", "--idp", "open", "--url", url, "--trust", trust, "--user", "alice"));
    arguments.addAll(List.of(more));
    return staithe.run(typed, arguments.toArray(String[]::new));
  }

  private static Ran ok(Ran ran) {
    assertThat(ran.code()).as(ran.output() + ran.errors()).isZero();
    return ran;
  }

  private static Ran refused(Ran ran, String line) {
    assertThat(ran.code()).as(ran.output() + ran.errors()).isEqualTo(1);
    assertThat(ran.errors().lines().reduce((one, other) -> other))
        .hasValueSatisfying(last -> assertThat(last).startsWith("staithe: ").contains(line));
    return ran;
  }

  private static String openssl(String... arguments) throws IOException, InterruptedException {
    var command = new java.util.ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  /** The files after a login: nobody else reads them, and the password is in none of them. */
  private void assertProfileIsPrivate() throws IOException {
    assertThat(permissions(staithe.home())).isEqualTo("rwx------");
    try (var files = Files.list(staithe.home())) {
      for (Path file : files.toList()) {
        assertThat(permissions(file)).as(file.toString()).isEqualTo("rw-------");
        assertThat(Files.readString(file)).doesNotContain(PASSWORD.strip());
      }
    }
  }

  @Test
  void fromPasswordToCertificateAndBack() throws IOException, InterruptedException {
    Ran in = ok(login(PASSWORD));
    assertThat(in.output())
        .startsWith("logged in as alice@example.org by ")
        .containsPattern(", until \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    assertProfileIsPrivate();
    assertThat(ok(staithe.run("", "whoami")).output()).startsWith("alice@example.org by ");

    Path authority = folder.resolve("slcs-ca.pem");
    Path file =
        Path.of(
            ok(staithe.run("", "cert", "--lifetime", "2h", "--ca-out", authority.toString()))
                .output()
                .strip());
    assertThat(file).isEqualTo(staithe.home().resolve("cert.pem"));
    assertProfileIsPrivate();
    assertThat(openssl("x509", "-in", file.toString(), "-noout", "-subject", "-nameopt", "RFC2253"))
        .contains("alice@example.org");
    openssl("x509", "-in", file.toString(), "-noout", "-checkend", "7000");
    openssl("verify", "-CAfile", authority.toString(), file.toString());
    assertThat(openssl("x509", "-in", file.toString(), "-noout", "-pubkey"))
        .isEqualTo(openssl("pkey", "-in", file.toString(), "-pubout"));

    String info = ok(staithe.run("", "cert", "info", "--left", "1h")).output();
    assertThat(info).contains("subject", "notAfter");
    refused(staithe.run("", "cert", "info", "--left", "3h"), "ends in less than 3h");
    String serial =
        ok(staithe.run("", "cert", "info", "--json"))
            .output()
            .replaceAll("(?s).*\"serial\" : \"([0-9a-f]+)\".*", "$1");
    assertThat(ok(staithe.run("", "cert", "list")).output()).contains(serial);
    ok(staithe.run("", "cert", "revoke", serial, "--reason", "superseded"));
    refused(staithe.run("", "cert", "revoke", "12ab"), "HTTP 404");

    assertThat(ok(staithe.run("", "logout")).output()).contains("logged out of " + url);
    assertThat(staithe.home().resolve("cookies.json")).doesNotExist();
    refused(staithe.run("", "whoami"), "not logged in");
    refused(staithe.run("", "cert"), "standard input");
  }

  @Test
  void fileOfTheAuthorityThatCannotBeWrittenIsNamed() {
    ok(login(PASSWORD));

    refused(
        staithe.run("", "cert", "--ca-out", folder.toString()),
        folder + " cannot be written: it is a folder");
    refused(
        staithe.run("", "cert", "--ca-out", folder.resolve("none/ca.pem").toString()),
        folder.resolve("none/ca.pem") + " cannot be written: no such folder");
  }

  /** The last: from then on her campus has to tell the identifier that she is linked to. */
  @Test
  @Order(Integer.MAX_VALUE)
  void operatorSeesWhoHoldsANameAndSaysWhoseAnIdentifierIs() {
    ok(login(PASSWORD));
    ok(staithe.run("", "cert"));
    refused(staithe.run("", "person", "find", "alice"), "only operators");
    ok(staithe.run("bob pass\n", "login", "--idp", "open", "--user", "bob"));
    String[] link = {
      "person",
      "link",
      "--provider",
      open.entityId(),
      "--person",
      "alice@example.org",
      "subject-id",
      "4711@example.org"
    };

    assertThat(ok(staithe.run("", link)).output()).contains("linked");

    assertThat(ok(staithe.run("", "person", "find", "4711")).output())
        .contains("alice@example.org", open.entityId(), "subject-id 4711@example.org");
    refused(
        staithe.run("", "person", "provider", "https://nobody.org", "https://new.org"),
        "nobody of this provider holds a name");
  }

  @Test
  void campusesAreListedBeforeAnybodyHasLoggedIn() {
    refused(staithe.run("", "idps"), "which service? staithe idps --url URL");
    assertThat(ok(staithe.run("", "idps", "--url", url, "--trust", trust)).output().lines())
        .containsExactly("name    displayName", "open    open", "sealed  sealed");

    ok(login(PASSWORD));

    assertThat(ok(staithe.run("", "idps", "OPEN")).output().lines().skip(1))
        .singleElement()
        .satisfies(line -> assertThat(line).startsWith("open "));
    assertThat(ok(staithe.run("", "idps", "sealed", "--json")).output())
        .contains("\"name\" : \"sealed\"")
        .doesNotContain("\"open\"");
    refused(staithe.run("", "idps", "open", "nowhere"), "nothing is found");
  }

  @Test
  void byTheLoginPageToo() {
    Ran in = ok(login(PASSWORD, "--pages"));
    assertThat(in.output()).startsWith("logged in as alice@example.org by ");
    assertThat(ok(staithe.run("", "cert", "--json")).output())
        .contains("\"secondsLeft\"", "\"files\"");
  }

  /**
   * SimpleSAMLphp 1.19 breaks the signature around what it encrypts when it answers without pages;
   * the command then goes on by its pages, where the campus knows us already.
   */
  @Test
  void anEncryptedStatementIsNoDifference() {
    for (String way : new String[] {"--no-remember", "--pages"}) {
      Ran in =
          ok(
              staithe.run(
                  PASSWORD, "login", "--idp", "sealed", "--url", url, "--trust", trust, "--user",
                  "alice", way));
      assertThat(in.output()).contains("alice@example.net");
    }
  }

  @Test
  void whileTheCampusRemembersNoPasswordIsAskedAgain() {
    for (String way : new String[] {"--json", "--pages"}) {
      ok(login(PASSWORD, way, "--no-remember"));
      refused(login("", way), "standard input");
      ok(login(PASSWORD, way));
      ok(login("", way));
      refused(login("", way, "--no-remember"), "standard input");
      ok(staithe.run("", "logout"));
      refused(login("", way), "standard input");
    }
  }

  @Test
  void logoutEndsTheSessionsThemselvesAndDoesNotOnlyForgetThem() throws IOException {
    ok(login(PASSWORD, "--pages"));
    Path cookies = staithe.home().resolve("cookies.json");
    String kept = Files.readString(cookies);
    assertThat(ok(staithe.run("", "logout")).errors()).isEmpty();
    Files.writeString(cookies, kept);
    refused(staithe.run("", "whoami"), "HTTP 401");
    refused(login("", "--pages"), "standard input");
  }

  @Test
  void anotherUserIsNotTheOneOfTheLastTime() {
    ok(login(PASSWORD));
    refused(staithe.run("", "login", "--idp", "open", "--user", "bob"), "standard input");
    assertThat(ok(staithe.run("bob pass\n", "login", "--idp", "open", "--user", "bob")).output())
        .contains("bob@example.org");
  }

  @Test
  void certLogsInWhereThatIsNecessary() throws IOException, InterruptedException {
    Path secret = Files.writeString(folder.resolve("password"), PASSWORD);
    Path store = folder.resolve("alice.p12");
    Path certificate = folder.resolve("alice.pem");
    Path key = folder.resolve("alice-key.pem");
    Ran ran =
        ok(
            staithe.run(
                "store pass\n",
                "cert",
                "--idp",
                "open",
                "--url",
                url,
                "--trust",
                trust,
                "--user",
                "alice",
                "--password-file",
                secret.toString(),
                "--key-type",
                "rsa",
                "--out",
                certificate.toString(),
                "--key-out",
                key.toString(),
                "--pkcs12",
                store.toString(),
                "--pkcs12-password-file",
                "-"));
    assertThat(ran.output().lines())
        .containsExactly(certificate.toString(), key.toString(), store.toString());
    assertThat(ran.errors()).contains("the password goes to 127.0.0.1:" + open.port());
    assertThat(permissions(key)).isEqualTo("rw-------");
    assertThat(Files.readString(certificate)).doesNotContain("PRIVATE");
    assertThat(openssl("rsa", "-in", key.toString(), "-noout", "-text")).contains("2048 bit");
    assertThat(openssl("pkcs12", "-in", store.toString(), "-passin", "pass:store pass", "-nokeys"))
        .contains("BEGIN CERTIFICATE");
    assertThat(staithe.home().resolve("cert.pem")).doesNotExist();
  }

  @Test
  void refusalsAreOneLineAndSayWhatToChange() {
    refused(login("wrong\n"), "refuses this name and password");
    refused(login("wrong\n", "--pages"), "refuses this name and password");
    refused(
        staithe.run("", "login", "--idp", "nowhere", "--url", url, "--trust", trust),
        "knows no identity provider nowhere");
    refused(
        staithe.run("", "login", "--idp", "nowhere", "--url", url, "--trust", trust, "--pages"),
        "knows no identity provider nowhere");
    refused(staithe.run("", "login", "--idp", "open", "--url", url), "--trust");
    refused(
        staithe.run("", "login", "--idp", "open", "--url", "http://slcs.example.org"),
        "https only");
    refused(login(PASSWORD, "--idp-host", "idp.example.org"), "--idp-host 127.0.0.1:");
    refused(staithe.run("", "cert"), "staithe login --idp NAME --url URL");
    refused(staithe.run("", "cert", "info"), "no such file");
    ok(login(PASSWORD));
    refused(staithe.run("", "cert", "--lifetime", "soon"), "12h, 90m or 2d");
    refused(staithe.run("", "cert", "--key-type", "dsa"), "ec, rsa or rsa-3072");
    refused(staithe.run("", "cert", "--out", "/nowhere/cert.pem"), "no such folder");
    refused(staithe.run("", "cert", "--lifetime", "60d"), "HTTP 4");
    assertThat(staithe.run("", "cert", "--password", "x").code()).isEqualTo(2);
  }
}
