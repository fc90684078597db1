package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.issue.OpenSsl;
import dev.staithe.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A site's authority below a root of its own, as those see it who check its certificates. */
class SubordinateAuthorityTests {
  private static final TestIdp IDP = TestIdp.of("https://idp.campus.org", "campus.org");

  @TempDir static Path folder;
  private static OpenSsl openssl;
  private static RunningSlcs slcs;
  private static int plain;

  @BeforeAll
  static void start() throws IOException {
    openssl = new OpenSsl(folder);
    openssl.file(
        "ca.cnf",
        "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n"
            + "subjectKeyIdentifier=hash\n");
    done(
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "root.key",
        "-out",
        "root.pem",
        "-days",
        "9",
        "-subj",
        "/DC=org/DC=campus/CN=Root");
    done(
        "req",
        "-new",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        "sub.key",
        "-out",
        "sub.csr",
        "-subj",
        "/DC=org/DC=campus/CN=Issuing");
    done(
        "x509",
        "-req",
        "-in",
        "sub.csr",
        "-CA",
        "root.pem",
        "-CAkey",
        "root.key",
        "-CAcreateserial",
        "-days",
        "8",
        "-extfile",
        "ca.cnf",
        "-out",
        "sub.pem");
    Path chain =
        openssl.file(
            "chain.pem",
            Files.readString(folder.resolve("sub.pem"))
                + Files.readString(folder.resolve("root.pem")));
    plain = FreePort.next();
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.saml.providers[0].name", "campus");
    settings.put(
        "staithe.saml.providers[0].metadata",
        Files.writeString(folder.resolve("campus.xml"), IDP.metadata()));
    settings.put("staithe.ca.certificate", chain);
    settings.put("staithe.ca.key", folder.resolve("sub.key"));
    settings.put("staithe.ca.plain-port", plain);
    settings.put("staithe.issue.name", "/DC=org/DC=campus/CN={eppn}");
    settings.put("staithe.client-certificates.trust", chain);
    settings.put("staithe.saml.session.bind-to-client-key", "false");
    settings.put("staithe.services[0].path", "/echo");
    settings.put("staithe.services[0].protection", "certificate");
    slcs = RunningSlcs.start(folder, settings);
  }

  private static void done(String... arguments) {
    OpenSsl.Said said = openssl.run(arguments);
    assertThat(said.exit()).as(said.text()).isZero();
  }

  @AfterAll
  static void stop() {
    slcs.close();
  }

  private static TestBrowser loggedIn() {
    TestBrowser browser = slcs.browser();
    IDP.logIn(slcs, browser, "campus", "ada@campus.org");
    return browser;
  }

  private static HttpResponse<String> ask(TestBrowser browser, String request) {
    return browser.post(
        slcs.url().resolve("/certificates"),
        "application/pkcs10",
        request,
        "Accept",
        "application/json");
  }

  /** The certificate alone, in a file of that name. */
  private static Path certificate(TestBrowser browser, String name) {
    return certificate(browser, name, openssl.request());
  }

  private static Path certificate(TestBrowser browser, String name, Path request) {
    HttpResponse<String> answer = ask(browser, OpenSsl.text(request));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return openssl.file(
        name, JsonMapper.shared().readTree(answer.body()).path("chain").asString(""));
  }

  @Test
  void filesOfTheAuthorityAreEnoughToCheckACertificate() throws IOException {
    Path certificate = certificate(loggedIn(), "one.pem");
    // The leaf alone: nothing above it comes from the holder.
    openssl.run("x509", "-in", certificate.toString(), "-out", "leaf.pem");
    Path trusted = published("trusted");

    done("verify", "-CApath", trusted.toString(), "leaf.pem");
    openssl.file("ca-bundle.pem", slcs.browser().get("/ca.pem").body());
    done("verify", "-CAfile", "ca-bundle.pem", "leaf.pem");
    assertThat(Files.readString(trusted.resolve("staithe-1.signing_policy")))
        .contains("/DC=org/DC=campus/CN=Root", "\"/DC=org/DC=campus/*\"");
  }

  /** Unlike OpenSSL it obeys the signing policy of every authority in the chain. */
  @Test
  void globusBelievesACertificateByTheFilesOfTheAuthority() throws IOException {
    Path request = openssl.request("rsa", "rsa_keygen_bits:2048");
    Path certificate = certificate(loggedIn(), "globus.pem", request);
    openssl.run("x509", "-in", certificate.toString(), "-out", "globus-leaf.pem");
    Path trusted = published("trusted-by-globus");

    OpenSsl.Said said =
        openssl.program(
            "grid-proxy-init",
            "-verify",
            "-cert",
            "globus-leaf.pem",
            "-key",
            request.toString().replace(".pem", ".key"),
            "-certdir",
            trusted.toString(),
            "-out",
            "globus-proxy.pem");

    assertThat(said.text()).contains("Proxy Verify OK");
    assertThat(said.exit()).isZero();
  }

  /** What the service publishes for those who believe it, unpacked. */
  private static Path published(String name) throws IOException {
    Path trusted = Files.createDirectory(folder.resolve(name));
    OpenSsl.Said packed =
        openssl.program(
            "curl",
            "-sS",
            "--cacert",
            slcs.authority().certificateFile().toString(),
            "-o",
            "anchors.tar.gz",
            slcs.url() + "/trust-anchors.tar.gz");
    assertThat(packed.exit()).as(packed.text()).isZero();
    OpenSsl.Said unpacked =
        openssl.program("tar", "-xzf", "anchors.tar.gz", "-C", trusted.toString());
    assertThat(unpacked.exit()).as(unpacked.text()).isZero();
    return trusted;
  }

  @Test
  void clientsThatNeverEndTheirQuestionKeepListsFromNobody() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), plain);
        slow.add(socket);
        socket
            .getOutputStream()
            .write(
                "POST /ocsp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n0"
                    .getBytes(StandardCharsets.US_ASCII));
      }
      OpenSsl.Said list =
          openssl.program(
              "curl",
              "-sSf",
              "-m",
              "10",
              "-o",
              "meanwhile.der",
              "http://127.0.0.1:" + plain + "/crl.der");
      assertThat(list.exit()).as(list.text()).isZero();
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void listsAndAnswersAreFetchedByPlainHttpAndNothingElseIs() {
    Path certificate = certificate(loggedIn(), "two.pem");
    String base = "http://localhost:" + plain;

    assertThat(
            openssl
                .run(
                    "x509",
                    "-in",
                    certificate.toString(),
                    "-noout",
                    "-ext",
                    "crlDistributionPoints,authorityInfoAccess")
                .text())
        .contains("URI:" + base + "/crl.der", "OCSP - URI:" + base + "/ocsp", base + "/ca.der")
        .doesNotContain("https:");
    OpenSsl.Said list = openssl.program("curl", "-sSf", "-o", "list.der", base + "/crl.der");
    assertThat(list.exit()).as(list.text()).isZero();
    done("crl", "-inform", "DER", "-in", "list.der", "-CAfile", "sub.pem", "-noout");
    openssl.run("x509", "-in", certificate.toString(), "-out", "two-leaf.pem");
    assertThat(
            openssl
                .run(
                    "ocsp",
                    "-issuer",
                    "sub.pem",
                    "-cert",
                    "two-leaf.pem",
                    "-url",
                    base + "/ocsp",
                    "-CAfile",
                    "chain.pem")
                .text())
        .contains("two-leaf.pem: good");
    for (String path : new String[] {"/", "/login", "/certificates", "/trust-anchors.tar.gz"}) {
      assertThat(
              openssl
                  .program("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", base + path)
                  .text())
          .as(path)
          .isEqualTo("404");
    }
    assertThat(
            openssl
                .program(
                    "curl",
                    "-sS",
                    "-D",
                    "-",
                    "-o",
                    "answer",
                    "-d",
                    "x".repeat(9000),
                    base + "/ocsp")
                .text())
        .as("a request of which the rest is not read")
        .contains("200 OK", "Connection: close");
  }

  @Test
  void withdrawnCertificateOpensNoDoorHereBeforeAnyListSaysSo() {
    TestBrowser browser = loggedIn();
    Path request = openssl.request();
    HttpResponse<String> answer = ask(browser, OpenSsl.text(request));
    var told = JsonMapper.shared().readTree(answer.body());
    Path certificate = openssl.file("three.pem", told.path("chain").asString(""));
    String key = request.toString().replace(".pem", ".key");

    assertThat(echo(certificate, key)).startsWith("200");
    HttpResponse<String> revoked =
        browser.send(
            HttpRequest.newBuilder(
                    slcs.url().resolve("/certificates/" + told.path("serial").asString("")))
                .DELETE());
    assertThat(revoked.statusCode()).as(revoked.body()).isEqualTo(204);

    assertThat(echo(certificate, key)).startsWith("403").contains("the certificate was revoked");
  }

  private static String echo(Path certificate, String key) {
    String body =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>"
            + "<e:echo xmlns:e='http://www.nordugrid.org/schemas/echo'><e:say>hello</e:say></e:echo>"
            + "</s:Body></s:Envelope>";
    return openssl
            .program(
                "curl",
                "-sS",
                "--cacert",
                slcs.authority().certificateFile().toString(),
                "--cert",
                certificate.toString(),
                "--key",
                key,
                "-H",
                "Content-Type: text/xml",
                "-d",
                body,
                "-o",
                "answer",
                "-w",
                "%{http_code}",
                slcs.url() + "/echo")
            .text()
        + OpenSsl.text(folder.resolve("answer"));
  }

  @Test
  void privateKeyInTheRequestIsRefusedAndSaidToBeUsedUp() throws IOException {
    Path request = openssl.request();
    String both =
        Files.readString(Path.of(request.toString().replace(".pem", ".key")))
            + OpenSsl.text(request);

    HttpResponse<String> answer = ask(loggedIn(), both);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("a private key was sent", "must not be used any more")
        .doesNotContain("BEGIN");
  }
}
