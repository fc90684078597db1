package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.peers.GridSiteServer;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The released command against GridSite's own service in Apache, which keeps what is delegated as a
 * file: OpenSSL judges that.
 */
class DelegateToGridSiteIT {
  private static final String ALICE = GridAuthority.NAMESPACE + "/CN=Alice";

  @TempDir private static Path folder;
  private static GridAuthority people;
  private static GridAuthority.Holder alice;
  private static ThrowAwayAuthority hosts;
  private static GridSiteServer server;

  private StaitheProgram staithe = new StaitheProgram(Path.of(""));

  @BeforeAll
  static void start() {
    people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    alice = people.person(ALICE);
    hosts = ThrowAwayAuthority.in(folder.resolve("hosts"), Clock.systemUTC());
    server = GridSiteServer.start(hosts.server().trusting(people.certificate()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void newHome() throws IOException {
    staithe = new StaitheProgram(Files.createTempDirectory(folder, "home").resolve("staithe"));
  }

  private Ran delegate(GridAuthority.Holder by, String command, String... more) {
    var arguments =
        new ArrayList<>(
            List.of("delegate", command, "--cert", "" + by.certificate(), "--key", "" + by.key()));
    arguments.addAll(List.of(more));
    return staithe.run("", arguments.toArray(String[]::new));
  }

  private Ran put(GridAuthority.Holder by, String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "--url",
                "" + server.url(),
                "--trust",
                "" + hosts.certificateFile(),
                "--protocol",
                "gridsite",
                "--weak-keys"));
    arguments.addAll(List.of(more));
    return delegate(by, "put", arguments.toArray(String[]::new));
  }

  private static Ran ok(Ran ran) {
    assertThat(ran.code()).as(ran.output() + ran.errors() + server.log()).isZero();
    return ran;
  }

  private static void refused(Ran ran, String line) {
    assertThat(ran.code()).as(ran.output() + ran.errors()).isEqualTo(1);
    assertThat(ran.errors().lines().reduce((one, other) -> other))
        .hasValueSatisfying(last -> assertThat(last).startsWith("staithe: ").contains(line));
  }

  private static Path proxy() {
    assertThat(server.proxies()).as(server.log()).hasSize(1);
    return server.proxies().getFirst();
  }

  @Test
  void fromPutToDestroyWithTheCounterpartThatNobodyHereHasWritten() throws IOException {
    String id = ok(put(alice, "a-job.1", "--valid", "2h")).output().strip();
    assertThat(id).isEqualTo("a-job.1");
    String first = Files.readString(proxy());
    // GridSite's keys have 1024 bits.
    assertThat(
            Judge.content(
                "openssl",
                "verify",
                "-allow_proxy_certs",
                "-auth_level",
                "0",
                "-CAfile",
                "" + people.certificate(),
                "-untrusted",
                "" + proxy(),
                "" + proxy()))
        .contains("OK");
    assertThat(Judge.content("openssl", "x509", "-in", "" + proxy(), "-noout", "-pubkey"))
        .isEqualTo(Judge.content("openssl", "pkey", "-in", "" + proxy(), "-pubout"));
    assertThat(staithe.done("", "proxy", "info", "" + proxy()).output())
        .contains("RFC 3820 proxy", "identity     " + ALICE + "\n", "RSA 1024");

    // Service, trust, protocol and id are those of the last time.
    assertThat(ok(delegate(alice, "info", "--left", "1h")).output())
        .contains("id           a-job.1", "notAfter");
    refused(delegate(alice, "info", "--left", "3h"), "ends in less than 3h");

    ok(delegate(alice, "renew", "--weak-keys", "--valid", "5h", "--limited"));
    assertThat(Files.readString(proxy())).isNotEqualTo(first);
    assertThat(staithe.done("", "proxy", "info", "" + proxy()).output())
        .contains("limited RFC 3820");
    ok(delegate(alice, "info", "--left", "4h"));

    assertThat(ok(delegate(alice, "destroy")).output()).isEqualTo("destroyed a-job.1\n");
    assertThat(server.proxies()).isEmpty();
    refused(delegate(alice, "info"), "");
    refused(delegate(alice, "destroy", "never-there"), "");
  }

  @Test
  void theServiceNamesADelegationThatIsGivenNoName() {
    GridAuthority.Holder bob = people.person(GridAuthority.NAMESPACE + "/CN=Bob");
    String told = ok(put(bob, "--json")).output();
    assertThat(told).containsPattern("\"id\" : \"[0-9a-f]{16}\"").contains("\"notAfter\"");
    ok(delegate(bob, "destroy"));
    assertThat(server.proxies()).isEmpty();
  }

  @Test
  void refusalsAreOneLineAndSayWhatToChange() {
    refused(delegate(alice, "info"), "staithe delegate put --url URL");
    refused(delegate(alice, "put", "--url", "http://localhost:1/"), "https only");
    refused(delegate(alice, "put", "--url", "" + server.url(), "--protocol", "fax"), "arc");
    refused(put(alice, "--acquirer", "/CN=other"), "--protocol json");
    refused(put(alice, "--acquirer", "Bob"), "is no name of a certificate");
    refused(put(alice, "--uses", "3"), "--acquirer DN");
    refused(
        delegate(
            alice,
            "put",
            "--url",
            "" + server.url(),
            "--trust",
            "" + hosts.certificateFile(),
            "--protocol",
            "gridsite"),
        "key");
    refused(
        delegate(
            alice,
            "put",
            "--url",
            "" + server.url(),
            "--trust",
            "" + people.certificate(),
            "--protocol",
            "gridsite"),
        "cannot be reached");
    refused(
        delegate(
            alice,
            "acquire",
            "an-id",
            "--url",
            "" + server.url(),
            "--trust",
            "" + hosts.certificateFile(),
            "--protocol",
            "gridsite"),
        "json or arc");
    assertThat(staithe.run("", "delegate", "acquire").code()).isEqualTo(2);
    assertThat(server.proxies()).isEmpty();
  }

  @Test
  void aStrangersCertificateIsTakenForNobody() {
    GridAuthority others =
        GridAuthority.in(folder.resolve("others"), "/C=DE/O=Other/CN=CA", Clock.systemUTC());
    GridAuthority.Holder mallory = others.person("/C=DE/O=Example/CN=Alice");
    assertThat(put(mallory).code()).isEqualTo(1);
    assertThat(server.proxies()).isEmpty();
  }
}
