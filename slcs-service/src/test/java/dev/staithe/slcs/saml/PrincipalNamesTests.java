package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.pki.DistinguishedName;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.issue.OpenSsl;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Names that people have, from the login to the certificate: one rule for both. */
class PrincipalNamesTests {
  @TempDir static Path folder;

  private static final TestIdp IDP = TestIdp.of("https://idp.test.example.org", "example.org");
  private static RunningSlcs slcs;
  private static OpenSsl openssl;

  @BeforeAll
  static void start() throws IOException {
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.saml.providers[0].name",
                "test",
                "staithe.saml.providers[0].metadata",
                Files.writeString(folder.resolve("test.xml"), IDP.metadata())));
    openssl = new OpenSsl(folder);
  }

  @AfterAll
  static void stop() {
    slcs.close();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "ada@example.org,ada@example.org",
        "Ada.Lovelace@EXAMPLE.org,Ada.Lovelace@example.org",
        "ada-l_2@example.org,ada-l_2@example.org",
        "_ada@example.org,_ada@example.org",
        "o'brien@example.org,o'brien@example.org",
        "ada+x@example.org,ada%2Bx@example.org",
        "ada~x@example.org,ada%7Ex@example.org"
      })
  void whoLogsInByANameGetsACertificateByIt(String eppn, String written) throws Exception {
    TestBrowser browser = slcs.browser();
    IDP.logIn(slcs, browser, "test", eppn);

    assertThat(
            JsonMapper.shared()
                .readTree(browser.get("/session").body())
                .get("principalName")
                .asString())
        .isEqualToIgnoringCase(eppn)
        .endsWith("@example.org");
    assertThat(DistinguishedName.of(certificate(browser).getSubjectX500Principal()).slashes())
        .isEqualTo("/DC=org/DC=staithe/O=example.org/CN=" + written);
  }

  private static X509Certificate certificate(TestBrowser browser) throws CertificateException {
    HttpResponse<String> answer =
        browser.post(
            slcs.url().resolve("/certificates"),
            "application/pkcs10",
            OpenSsl.text(openssl.request()));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(answer.body().getBytes(StandardCharsets.US_ASCII)));
  }
}
