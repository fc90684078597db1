package dev.staithe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.cli.StaitheProgram.Ran;
import dev.staithe.pki.Pem;
import dev.staithe.pki.PemException;
import dev.staithe.testkit.trust.GridAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proxies by the released command; OpenSSL and the tools of Globus and VOMS judge them. */
class ProxyIT {
  private static final String ALICE = GridAuthority.NAMESPACE + "/CN=Alice";

  @TempDir private static Path folder;
  private static GridAuthority authority;
  private static GridAuthority.Holder alice;

  private StaitheProgram staithe = new StaitheProgram(Path.of(""));
  private int made;

  @BeforeAll
  static void people() {
    authority = GridAuthority.in(folder.resolve("grid"), Clock.systemUTC());
    alice = authority.person(ALICE);
  }

  @BeforeEach
  void newHome() throws IOException {
    staithe = new StaitheProgram(Files.createTempDirectory(folder, "home").resolve("staithe"));
  }

  private static Ran refused(Ran ran, String line) {
    assertThat(ran.code()).as(ran.output() + ran.errors()).isEqualTo(1);
    assertThat(ran.errors().lines().reduce((one, other) -> other))
        .hasValueSatisfying(last -> assertThat(last).startsWith("staithe: ").contains(line));
    return ran;
  }

  private Ran run(GridAuthority.Holder by, Path out, String... options) {
    var arguments =
        new ArrayList<>(
            List.of(
                "proxy",
                "init",
                "--cert",
                "" + by.certificate(),
                "--key",
                "" + by.key(),
                "--out",
                "" + out));
    arguments.addAll(List.of(options));
    return staithe.run("", arguments.toArray(String[]::new));
  }

  private GridAuthority.Holder proxy(GridAuthority.Holder by, String... options) {
    Path out = staithe.home().resolveSibling("proxy-" + ++made + ".pem");
    Ran ran = run(by, out, options);
    assertThat(ran.code()).as(ran.output() + ran.errors()).isZero();
    assertThat(ran.output()).isEqualTo(out + "\n");
    return new GridAuthority.Holder(out, out);
  }

  private String info(GridAuthority.Holder proxy, String... more) {
    var arguments = new ArrayList<>(List.of("proxy", "info", "" + proxy.certificate()));
    arguments.addAll(List.of(more));
    return staithe.done("", arguments.toArray(String[]::new)).output();
  }

  private static Judge.Said openssl(GridAuthority.Holder proxy) {
    String file = proxy.certificate().toString();
    return Judge.ask(
        Map.of(),
        List.of(
            "openssl",
            "verify",
            "-allow_proxy_certs",
            "-CAfile",
            "" + authority.certificate(),
            "-untrusted",
            file,
            file));
  }

  private static void assertOpensslIsContent(GridAuthority.Holder proxy) {
    Judge.Said said = openssl(proxy);
    assertThat(said.code()).as(said.text()).isZero();
    String file = proxy.certificate().toString();
    assertThat(Judge.content("openssl", "x509", "-in", file, "-noout", "-pubkey"))
        .isEqualTo(Judge.content("openssl", "pkey", "-in", file, "-pubout"));
  }

  private static String globus(GridAuthority.Holder proxy, String question) {
    return Judge.content("grid-proxy-info", "-file", "" + proxy.certificate(), question).strip();
  }

  private static String voms(GridAuthority.Holder proxy, String question) {
    return Judge.ask(
            Map.of("X509_CERT_DIR", "" + authority.trust()),
            List.of("voms-proxy-info2", "-file", "" + proxy.certificate(), question))
        .text()
        .strip();
  }

  @Test
  void eachKindOfProxyIsWhatItsJudgesTakeItFor() throws IOException {
    GridAuthority.Holder full = proxy(alice);
    assertOpensslIsContent(full);
    assertThat(globus(full, "-type")).isEqualTo("RFC 3820 compliant impersonation proxy");
    assertThat(voms(full, "-type")).contains("RFC compliant proxy");
    assertThat(globus(full, "-identity")).isEqualTo(ALICE);
    assertThat(voms(full, "-identity")).contains(ALICE).doesNotContain("/CN=1");
    assertThat(Integer.parseInt(globus(full, "-timeleft"))).isBetween(42_000, 43_200);
    assertThat(info(full))
        .contains("RFC 3820 proxy", "identity     " + ALICE + "\n", "unlimited", "RSA 2048");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(full.certificate())))
        .isEqualTo("rw-------");

    GridAuthority.Holder limited = proxy(alice, "--limited");
    assertOpensslIsContent(limited);
    assertThat(globus(limited, "-type")).isEqualTo("RFC 3820 compliant limited proxy");
    assertThat(info(limited)).contains("limited RFC 3820 proxy");

    GridAuthority.Holder independent = proxy(alice, "--independent");
    assertOpensslIsContent(independent);
    assertThat(globus(independent, "-type")).isEqualTo("RFC 3820 compliant independent proxy");
    assertThat(info(independent))
        .contains("independent RFC 3820 proxy")
        .contains("identity     " + globus(independent, "-identity") + "\n")
        .doesNotContain("identity     " + ALICE + "\n");

    GridAuthority.Holder legacy = proxy(alice, "--legacy");
    assertThat(globus(legacy, "-type")).isEqualTo("full legacy globus proxy");
    assertThat(globus(legacy, "-subject")).isEqualTo(ALICE + "/CN=proxy");
    assertThat(info(legacy)).contains("legacy proxy");

    GridAuthority.Holder limitedLegacy = proxy(alice, "--legacy", "--limited");
    assertThat(globus(limitedLegacy, "-type")).isEqualTo("limited legacy globus proxy");
  }

  @Test
  void keysOfTheKindAskedForAreMade() {
    GridAuthority.Holder ec = proxy(alice, "--key-type", "ec");
    assertOpensslIsContent(ec);
    assertThat(info(ec)).contains("EC 256");
    GridAuthority.Holder below = proxy(ec);
    assertOpensslIsContent(below);
    assertThat(info(below)).contains("EC 256", "identity     " + ALICE + "\n");
  }

  @Test
  void aProxyOfAProxyHasNoMoreThanTheOneAboveIt() {
    GridAuthority.Holder first = proxy(alice, "--path-length", "1", "--valid", "2h");
    assertOpensslIsContent(first);
    assertThat(voms(first, "-path")).isNotEmpty();
    assertThat(info(first)).contains("pathLength   1");

    GridAuthority.Holder second = proxy(first, "--limited");
    assertOpensslIsContent(second);
    assertThat(info(second)).contains("pathLength   0", "limited RFC 3820 proxy");
    assertThat(Integer.parseInt(globus(second, "-timeleft"))).isLessThanOrEqualTo(7_200);
    Path none = folder.resolve("none.pem");
    assertThat(run(second, none).code()).isEqualTo(1);
    assertThat(none).doesNotExist();

    GridAuthority.Holder limited = proxy(alice, "--limited");
    assertThat(info(proxy(limited))).contains("limited RFC 3820 proxy");
  }

  @Test
  void aProxyEndsWithItsCertificateAndItsMakerIsTold() {
    Path out = folder.resolve("long.pem");
    Ran ran = run(alice, out, "--valid", "30d");
    assertThat(ran.code()).as(ran.errors()).isZero();
    assertThat(ran.errors()).contains("the certificate allows less than 30d");
    refused(staithe.run("", "proxy", "info", "" + out, "--left", "20d"), "ends in less than 20d");

    GridAuthority.Holder old = authority.expiredPerson(GridAuthority.NAMESPACE + "/CN=Old");
    Path none = folder.resolve("of-old.pem");
    assertThat(run(old, none).code()).isEqualTo(1);
    assertThat(none).doesNotExist();
  }

  @Test
  void attributesOfVomsAreShownAndStayInTheChain() throws PemException {
    GridAuthority.Holder fake = fakeVoms();
    assertThat(info(fake))
        .contains("voms         example until 20", "attribute    /example/Role=NULL");
    GridAuthority.Holder below = proxy(fake);
    assertOpensslIsContent(below);
    assertThat(info(below, "--json")).contains("\"vo\" : \"example\"", "/example/physics");
    assertThat(voms(below, "-vo")).contains("example");
    assertThat(voms(below, "-fqan")).contains("/example/physics");
    assertThat(Pem.readCertificates(below.certificate())).hasSizeGreaterThanOrEqualTo(3);
  }

  /** A proxy with attributes of a virtual organisation that has no server. */
  private static GridAuthority.Holder fakeVoms() {
    GridAuthority.Holder server =
        authority.person(GridAuthority.NAMESPACE + "/CN=voms.example.org");
    Path out = folder.resolve("voms.pem");
    Judge.content(
        "voms-proxy-fake",
        "-q",
        "-rfc",
        "-bits",
        "2048",
        "-cert",
        "" + alice.certificate(),
        "-key",
        "" + alice.key(),
        "-certdir",
        "" + authority.trust(),
        "-hostcert",
        "" + server.certificate(),
        "-hostkey",
        "" + server.key(),
        "-voms",
        "example",
        "-fqan",
        "/example/Role=NULL/Capability=NULL",
        "-fqan",
        "/example/physics/Role=NULL/Capability=NULL",
        "-uri",
        "voms.example.org:15000",
        "-out",
        "" + out);
    return new GridAuthority.Holder(out, out);
  }

  @Test
  void refusalsAreOneLineAndSayWhatToChange() throws IOException {
    refused(staithe.run("", "proxy", "init"), "staithe cert gets a certificate");
    refused(staithe.run("", "proxy", "info", "" + folder.resolve("nothing")), "staithe proxy init");
    Path out = folder.resolve("refused.pem");
    refused(run(alice, out, "--valid", "soon"), "12h, 90m or 2d");
    refused(run(alice, out, "--valid", "0s"), "--valid 0s");
    refused(run(alice, out, "--path-length", "-1"), "0 or more");
    refused(run(alice, out, "--legacy", "--path-length", "1"), "--legacy");
    refused(run(alice, out, "--key-type", "dsa"), "ec, rsa or rsa-3072");
    refused(run(alice, Path.of("/nowhere/proxy.pem")), "no such folder");
    String key = Files.readString(alice.key());
    refused(run(alice, alice.key()), "has the certificate or key that signs");
    refused(run(alice, alice.certificate()), "has the certificate or key that signs");
    assertThat(alice.key()).hasContent(key);
    GridAuthority.Holder mixed =
        new GridAuthority.Holder(
            alice.certificate(), authority.person(GridAuthority.NAMESPACE + "/CN=Bob").key());
    refused(run(mixed, out), "is not the private key");
    assertThat(run(alice, out, "--limited", "--independent").code()).isEqualTo(2);
    assertThat(out).doesNotExist();
    Path open = Files.writeString(folder.resolve("open.pem"), Files.readString(alice.key()));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(run(new GridAuthority.Holder(alice.certificate(), open), out).errors())
        .contains("chmod 600");
  }
}
