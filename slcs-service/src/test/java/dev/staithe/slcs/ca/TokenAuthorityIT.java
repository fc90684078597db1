package dev.staithe.slcs.ca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.issue.OpenSsl;
import dev.staithe.slcs.saml.TestIdp;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose authority's key is in a token (SoftHSM by PKCS#11) and never leaves it. */
class TokenAuthorityIT {
  private static final Path LIBRARY = Path.of("/usr/lib/softhsm/libsofthsm2.so");
  private static final String PIN = "1234";
  private static final TestIdp IDP = TestIdp.of("https://idp.test.example.org", "example.org");

  @TempDir Path folder;

  private OpenSsl openssl;

  private void run(String... line) {
    OpenSsl.Said said = openssl.program(line);
    assertThat(said.exit()).as(said.text()).isZero();
  }

  /** Makes an authority and puts it into a new token; its files are deleted. */
  private String token() throws Exception {
    // Its library asks the environment, which the build sets, and reads its settings once.
    Path settings = Path.of(System.getenv("SOFTHSM2_CONF"));
    Path tokens = settings.resolveSibling("softhsm-tokens");
    Files.createDirectories(tokens);
    Files.writeString(
        settings,
        "directories.tokendir = " + tokens + "\nobjectstore.backend = file\nlog.level = ERROR\n");
    String label = "people " + Long.toHexString(System.nanoTime());
    run(
        "softhsm2-util",
        "--init-token",
        "--free",
        "--label",
        label,
        "--so-pin",
        "5678",
        "--pin",
        PIN);
    Path certificate = folder.resolve("ca.pem");
    Path key = folder.resolve("ca-key.pem");
    CertificateIssuer.create(
            DistinguishedName.parse("/DC=org/DC=staithe/CN=Token"),
            KeyKind.RSA_2048,
            Duration.ofDays(30),
            Clock.systemUTC())
        .write(certificate, key);
    run("openssl", "x509", "-in", "ca.pem", "-outform", "DER", "-out", "cert.der");
    run("openssl", "pkey", "-in", "ca-key.pem", "-outform", "DER", "-out", "privkey.der");
    for (String type : new String[] {"cert", "privkey"}) {
      run(
          "pkcs11-tool",
          "--module",
          LIBRARY.toString(),
          "--token-label",
          label,
          "--login",
          "--pin",
          PIN,
          "--write-object",
          type + ".der",
          "--type",
          type,
          "--id",
          "01",
          "--label",
          "ca");
    }
    Files.delete(key);
    Files.delete(folder.resolve("privkey.der"));
    return label;
  }

  @Test
  void keyInATokenSignsCertificatesAndListsOfARunningService() throws Exception {
    openssl = new OpenSsl(folder);
    String label = token();
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.ca.pkcs11.library", LIBRARY);
    settings.put("staithe.ca.pkcs11.token", label);
    settings.put("staithe.ca.pkcs11.pin-file", openssl.file("pin", PIN + "\n"));
    settings.put("staithe.ca.pkcs11.key", "ca");
    settings.put("staithe.saml.providers[0].name", "test");
    settings.put("staithe.saml.providers[0].metadata", openssl.file("test.xml", IDP.metadata()));
    try (RunningSlcs slcs = RunningSlcs.start(folder, settings)) {
      TestBrowser alice = slcs.browser();
      IDP.logIn(slcs, alice, "test", "alice@example.org");

      HttpResponse<String> answer =
          alice.post(
              slcs.url().resolve("/certificates"),
              "application/pkcs10",
              OpenSsl.text(openssl.request()));

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      openssl.file("alice.pem", answer.body());
      openssl.file("crl.pem", alice.get("/crl.pem").body());
      assertThat(alice.get("/ca.pem").body()).isEqualTo(OpenSsl.text(folder.resolve("ca.pem")));
      run(
          "openssl",
          "verify",
          "-purpose",
          "sslclient",
          "-crl_check",
          "-CRLfile",
          "crl.pem",
          "-CAfile",
          "ca.pem",
          "alice.pem");
    }
  }
}
