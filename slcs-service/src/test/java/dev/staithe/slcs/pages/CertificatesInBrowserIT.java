package dev.staithe.slcs.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.peers.SimpleSamlServer;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.testkit.clients.Browser;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a campus account to a file with key and certificate, in a real Chromium. */
final class CertificatesInBrowserIT {
  private static final String FILE_PASSWORD = "pässword of the file";

  @TempDir static Path folder;

  private static SimpleSamlServer idps;
  private static RunningSlcs slcs;
  private static Browser browser;

  @BeforeAll
  static void start() {
    idps = SimpleSamlServer.start(folder.resolve("idp"));
    var campus = idps.idp("campus", SimpleSamlServer.Options.of("campus.example.org"));
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.saml.providers[0].name",
                "campus",
                "staithe.saml.providers[0].metadata",
                idps.metadataFile(campus)));
    idps.trust(slcs.browser().get("/saml2/metadata").body());
    browser = Browser.in(folder.resolve("browser"));
  }

  @AfterAll
  static void stop() {
    browser.close();
    slcs.close();
    idps.close();
  }

  @AfterEach
  void forget() {
    // Those of the identity provider too, which would not ask again.
    browser.driver().executeCdpCommand("Network.clearBrowserCookies", Map.of());
  }

  private static void logIn(String user) {
    browser.open(slcs.url() + "/");
    browser.await("#username").sendKeys(user);
    browser.await("#password").sendKeys(user + " pass");
    browser.driver().findElement(org.openqa.selenium.By.id("password")).submit();
    browser.awaitTitle("Your certificates");
  }

  private static Path make(String kind) throws Exception {
    Path file = browser.downloads().resolve("certificate.p12");
    Files.deleteIfExists(file);
    browser.click("input[value=" + kind + "]");
    browser.await("#password").sendKeys(FILE_PASSWORD);
    browser.await("#repeat").sendKeys(FILE_PASSWORD);
    browser.click("#make");
    browser.await("#file");
    browser.click("#file");
    browser.await(
        "the file",
        () -> {
          long size = file.toFile().length();
          return size > 0 ? size : null;
        });
    return file;
  }

  private static KeyStore open(Path file) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, FILE_PASSWORD.toCharArray());
    }
    return store;
  }

  private static X509Certificate madeWith(String kind, String algorithm) throws Exception {
    KeyStore store = open(make(kind));
    String alias = store.aliases().nextElement();
    Certificate[] chain = store.getCertificateChain(alias);
    X509Certificate own = (X509Certificate) chain[0];
    PrivateKey key = (PrivateKey) store.getKey(alias, FILE_PASSWORD.toCharArray());
    assertThat(key.getAlgorithm()).isEqualTo(algorithm);
    var signature =
        java.security.Signature.getInstance(
            algorithm.equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
    signature.initSign(key);
    signature.update(new byte[] {1, 2, 3});
    byte[] signed = signature.sign();
    signature.initVerify(own.getPublicKey());
    signature.update(new byte[] {1, 2, 3});
    assertThat(signature.verify(signed)).isTrue();
    own.verify(authority().getPublicKey());
    return own;
  }

  private static X509Certificate authority() throws Exception {
    byte[] pem = slcs.browser().get("/ca.pem").body().getBytes(StandardCharsets.US_ASCII);
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
  }

  @Test
  void keyMadeInTheBrowserComesInAFileWithItsCertificate() throws Exception {
    logIn("alice");
    assertThat(browser.text("#principal")).isEqualTo("alice@campus.example.org");

    X509Certificate own = madeWith("ec", "EC");
    assertThat(
            browser
                .driver()
                .executeScript(
                    "const m = document.querySelector('main');"
                        + "const box = m.getBoundingClientRect();"
                        + "return [...m.querySelectorAll('td, th')].every("
                        + "each => each.getBoundingClientRect().right <= box.right)"
                        + " && document.documentElement.scrollWidth <= window.innerWidth"))
        .as("the list stays within its card")
        .isEqualTo(true);

    assertThat(own.getSubjectX500Principal().getName()).contains("alice");
    assertThat(browser.texts("#lines .serial"))
        .anySatisfy(
            serial ->
                assertThat(new java.math.BigInteger(serial, 16)).isEqualTo(own.getSerialNumber()));
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void keyForOldSoftwareIsRsa() throws Exception {
    logIn("bob");

    assertThat(madeWith("rsa", "RSA").getSubjectX500Principal().getName()).contains("bob");
    browser.assertNoScriptFailedAndNothingWasBlocked();
  }

  @Test
  void passwordsThatDifferAreToldBeforeAnythingIsAskedFor() {
    logIn("alice");
    browser.await("#password").sendKeys(FILE_PASSWORD);
    browser.await("#repeat").sendKeys(FILE_PASSWORD + "!");

    browser.click("#make");

    assertThat(browser.await("#problem").getText())
        .isEqualTo("The two passwords are not the same.");
    assertThat(browser.has("#file:not([hidden])")).isFalse();
  }

  @Test
  void ownCertificateIsRevokedOnThePage() throws Exception {
    logIn("bob");
    X509Certificate own = madeWith("ec", "EC");
    String row = "//tr[td[@class='serial' and .='" + own.getSerialNumber().toString(16) + "']]";

    browser.driver().findElement(org.openqa.selenium.By.xpath(row + "//button")).click();

    browser.await(
        "the state is told",
        () ->
            browser
                .driver()
                .findElement(org.openqa.selenium.By.xpath(row + "/td[@class='state']"))
                .getText()
                .equals("revoked"));
  }

  @Test
  void logoutGoesThroughTheCampusAndComesBack() {
    logIn("alice");

    browser.click("#logout");

    browser.awaitTitle("Logged out");
    browser.open(slcs.url() + "/");
    // The campus has forgotten too: it asks for the password again.
    browser.await("#password");
  }
}
