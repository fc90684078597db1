package dev.staithe.slcs.ca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.pki.KeyKind;
import dev.staithe.pki.ca.CertificateIssuer;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.issue.OpenSsl;
import dev.staithe.slcs.saml.TestIdp;
import dev.staithe.testkit.trust.SoftHsm;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose authority's key is in a token (SoftHSM by PKCS#11) and never leaves it. */
class TokenAuthorityIT {
  private static final TestIdp IDP = TestIdp.of("https://idp.test.example.org", "example.org");

  @TempDir Path folder;

  private OpenSsl openssl;

  private void run(String... line) {
    OpenSsl.Said said = openssl.program(line);
    assertThat(said.exit()).as(said.text()).isZero();
  }

  /** Makes an authority and puts it into a new token; the file of its key is deleted. */
  private SoftHsm token() throws Exception {
    SoftHsm token = SoftHsm.make(folder, "people");
    Path certificate = folder.resolve("ca.pem");
    Path key = folder.resolve("ca-key.pem");
    CertificateIssuer.create(
            DistinguishedName.parse("/DC=org/DC=staithe/CN=Token"),
            KeyKind.RSA_2048,
            Duration.ofDays(30),
            Clock.systemUTC())
        .write(certificate, key);
    token.take(certificate, key, "ca");
    return token;
  }

  @Test
  void keyInATokenSignsCertificatesAndListsOfARunningService() throws Exception {
    openssl = new OpenSsl(folder);
    SoftHsm token = token();
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.ca.pkcs11.library", SoftHsm.LIBRARY);
    settings.put("staithe.ca.pkcs11.token", token.label());
    settings.put("staithe.ca.pkcs11.pin-file", token.pinFile());
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
