package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.peers.process.ManagedProcess;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.ReleasedJar;
import dev.staithe.testkit.trust.GridAuthority;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The released command and the released delegation-service, in all languages that both speak; what
 * is acquired is judged by OpenSSL and Globus. Needs {@code mvn package} of both.
 */
class DelegateIT {
  private static final String ALICE = GridAuthority.NAMESPACE + "/CN=Alice";
  private static final String TRANSFER = GridAuthority.NAMESPACE + "/CN=transfer.example.org";
  private static final String ARCHIVE = GridAuthority.NAMESPACE + "/CN=archive.example.org";

  @TempDir private static Path folder;
  private static GridAuthority people;
  private static GridAuthority.Holder alice;
  private static GridAuthority.Holder mallory;
  private static GridAuthority.Holder transfer;
  private static GridAuthority.Holder archive;
  private static GridAuthority.Holder gone;
  private static ManagedProcess server;
  private static String url;
  private static String trust;

  private StaitheProgram staithe = new StaitheProgram(Path.of(""));
  private int acquired;

  @BeforeAll
  static void start() throws IOException {
    people = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    alice = people.person(ALICE);
    mallory = people.person(GridAuthority.NAMESPACE + "/CN=Mallory");
    transfer = people.person(TRANSFER);
    archive = people.person(ARCHIVE);
    gone = people.person(GridAuthority.NAMESPACE + "/CN=Gone");
    // Before the service starts, which looks at its folder from time to time only.
    people.revoke(gone);
    people.publishRevocations();
    var hosts = ThrowAwayAuthority.in(folder.resolve("hosts"), Clock.systemUTC());
    var host = hosts.localhost();
    trust = hosts.certificateFile().toString();
    int port = FreePort.next();
    url = "https://localhost:" + port;
    Path settings =
        Files.writeString(
            folder.resolve("delegation.yml"),
            """
            server:
              port: %1$d
            staithe:
              url: %2$s
              state: %3$s
              tls:
                certificate: %4$s
                key: %5$s
              client-certificates:
                trust: %6$s
              delegations:
                acquirers: ["%7$s"]
            """
                .formatted(
                    port,
                    url,
                    folder.resolve("state"),
                    host.certificate(),
                    host.key(),
                    people.trust(),
                    TRANSFER));
    server =
        ManagedProcess.start(
            ReleasedJar.command(
                Path.of("../delegation-service/target/delegation-service.jar"),
                List.of("--spring.config.additional-location=file:" + settings)),
            Map.of(),
            folder.resolve("delegation.log"));
    server.awaitPort(port, Programs.LONGEST);
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
            List.of(
                "delegate",
                command,
                "--cert",
                "" + by.certificate(),
                "--key",
                "" + by.key(),
                "--url",
                url,
                "--trust",
                trust));
    arguments.addAll(List.of(more));
    return staithe.run("", arguments.toArray(String[]::new));
  }

  private static Ran ok(Ran ran) {
    assertThat(ran.code()).as(ran.output() + ran.errors() + server.output()).isZero();
    return ran;
  }

  private static String refused(Ran ran) {
    assertThat(ran.code()).as(ran.output() + ran.errors()).isEqualTo(1);
    String last = ran.errors().lines().reduce((one, other) -> other).orElse("");
    assertThat(last).startsWith("staithe: ");
    return last;
  }

  private String put(GridAuthority.Holder by, String... options) {
    return ok(delegate(by, "put", options)).output().strip();
  }

  private Ran acquire(GridAuthority.Holder by, String id, Path out, String... options) {
    var arguments = new ArrayList<>(List.of(id, "--out", "" + out));
    arguments.addAll(List.of(options));
    return delegate(by, "acquire", arguments.toArray(String[]::new));
  }

  private GridAuthority.Holder acquired(GridAuthority.Holder by, String id, String... options) {
    Path out = staithe.home().resolveSibling("acquired-" + ++acquired + ".pem");
    assertThat(ok(acquire(by, id, out, options)).output()).isEqualTo(out + "\n");
    assertThat(
            Judge.content(
                "openssl",
                "verify",
                "-allow_proxy_certs",
                "-CAfile",
                "" + people.certificate(),
                "-untrusted",
                "" + out,
                "" + out))
        .contains("OK");
    assertThat(Judge.content("grid-proxy-info", "-file", "" + out, "-identity").strip())
        .isEqualTo(ALICE);
    return new GridAuthority.Holder(out, out);
  }

  private String info(GridAuthority.Holder proxy) {
    return staithe.done("", "proxy", "info", "" + proxy.certificate()).output();
  }

  @Test
  void whoIsNamedActsForTheOwnerAsOftenAsWasSaidAndNobodyElseDoes() {
    String id = put(alice, "job-1", "--acquirer", TRANSFER, "--uses", "2", "--longest", "1h");
    assertThat(id).isEqualTo("job-1");
    assertThat(ok(delegate(alice, "info")).output())
        .contains("id           job-1\n", "acquirers    " + TRANSFER + "\n", "uses         2\n");

    GridAuthority.Holder first = acquired(transfer, id, "--delegator", ALICE);
    assertThat(info(first)).contains("RFC 3820 proxy", "RSA 2048", "pathLength   0");
    assertThat(staithe.run("", "proxy", "info", "" + first.certificate(), "--left", "2h").code())
        .isEqualTo(1);
    assertThat(info(acquired(transfer, id, "--limited", "--key-type", "ec")))
        .contains("limited RFC 3820 proxy", "EC 256");
    Path none = folder.resolve("none.pem");
    refused(acquire(transfer, id, none));

    // An id alone buys nothing, and there is no telling whether it is one.
    String strangers = refused(acquire(mallory, id, none));
    assertThat(refused(acquire(mallory, "no-such", none)).replace("no-such", id))
        .isEqualTo(strangers);
    refused(delegate(mallory, "info", id));
    refused(delegate(mallory, "destroy", id));
    assertThat(none).doesNotExist();

    ok(delegate(alice, "renew", id, "--valid", "20h"));
    ok(delegate(alice, "info", id, "--left", "19h"));
    assertThat(refused(delegate(alice, "info", id, "--left", "21h"))).contains("ends in less");
    ok(delegate(alice, "info", "--left", "19h"));
    assertThat(refused(delegate(alice, "info", "--left", "21h"))).contains("ends in less");
    assertThat(ok(delegate(alice, "info", id, "--json")).output())
        .contains("\"id\" : \"job-1\"", "\"used\" : 2", "\"uses\" : 2");
    assertThat(ok(delegate(alice, "destroy", id)).output()).isEqualTo("destroyed job-1\n");
    refused(delegate(alice, "info", id));
    refused(acquire(transfer, id, none));
  }

  @Test
  void idThatCannotBeRememberedIsToldAllTheSame() throws IOException {
    Path none = staithe.home().resolveSibling("none");
    staithe =
        new StaitheProgram(Files.createSymbolicLink(staithe.home(), none))
            .with("X509_USER_PROXY", none.toString());

    Ran ran = delegate(alice, "put", "untold");

    refused(ran);
    assertThat(ran.output()).isEqualTo("untold\n");
    ok(delegate(alice, "destroy", "untold"));
  }

  @Test
  void servicesChainAsFarAsTheOwnerSays() {
    String id = put(alice, "chained", "--acquirer", TRANSFER, "--hops", "1", "--limited");
    GridAuthority.Holder first = acquired(transfer, id);
    assertThat(info(first)).contains("limited RFC 3820 proxy", "pathLength   2");

    // Speaks and signs with what it has acquired.
    String further = put(first, "further", "--acquirer", ARCHIVE);
    GridAuthority.Holder second = acquired(archive, further, "--delegator", ALICE);
    assertThat(info(second)).contains("limited RFC 3820 proxy", "pathLength   0");
    assertThat(delegate(second, "put", "too-far", "--acquirer", ARCHIVE).code()).isEqualTo(1);
    ok(delegate(alice, "destroy", id));
  }

  @Test
  void arcsLanguageDelegatesAndAcquires() {
    String id = put(alice, "--protocol", "arc");
    Path out = folder.resolve("arc-none.pem");
    refused(acquire(mallory, id, out, "--protocol", "arc"));
    assertThat(out).doesNotExist();
    assertThat(info(acquired(transfer, id, "--protocol", "arc", "--delegator", ALICE)))
        .contains("identity     " + ALICE + "\n");
    assertThat(refused(delegate(alice, "renew", id, "--protocol", "arc"))).contains("put again");
    assertThat(refused(acquire(transfer, id, out, "--protocol", "arc", "--limited")))
        .contains("no words");
    // One store behind all languages.
    ok(delegate(alice, "destroy", id, "--protocol", "json"));
  }

  @Test
  void bothOfGridSitesLanguagesAreOneStoreWithOurs() {
    for (String protocol : new String[] {"gridsite", "gridsite2"}) {
      String id = put(alice, protocol + ".1", "--protocol", protocol, "--valid", "3h");
      ok(delegate(alice, "info", id, "--protocol", protocol, "--left", "2h"));
      ok(delegate(alice, "renew", id, "--protocol", protocol, "--valid", "6h"));
      ok(delegate(alice, "info", id, "--protocol", "json", "--left", "5h"));
      assertThat(info(acquired(transfer, id))).contains("identity     " + ALICE + "\n");
      ok(delegate(alice, "destroy", id, "--protocol", protocol));
      refused(delegate(alice, "info", id, "--protocol", protocol));
    }
    String given = put(alice, "--protocol", "gridsite");
    assertThat(given).matches("[0-9a-f]{16,32}");
    assertThat(ok(delegate(alice, "info", "--protocol", "json")).output()).contains(given);
    ok(delegate(alice, "destroy", given));
  }

  @Test
  void aRevokedPersonsCertificateDelegatesNothing() {
    refused(delegate(gone, "put", "of-gone"));
    refused(delegate(gone, "info"));
  }
}
