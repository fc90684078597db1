package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.metadata.SamlNamespaces;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Refusal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.crypto.KeyGenerator;
import org.apache.xml.security.Init;
import org.apache.xml.security.encryption.XMLCipher;
import org.apache.xml.security.keys.KeyInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Encrypted assertions as ADFS and Entra send them, signed inside of a response that is not, and
 * what else may be encrypted, at a provider for each value of the setting.
 */
class EncryptedAssertionTests {
  private static final String ENC = "http://www.w3.org/2001/04/xmlenc#";
  private static final String GCM = "http://www.w3.org/2009/xmlenc11#aes128-gcm";
  private static final String CBC = ENC + "aes256-cbc";
  private static final String OAEP = ENC + "rsa-oaep-mgf1p";
  private static final String RSA_15 = ENC + "rsa-1_5";
  private static final String ENTERED = "logged in";

  @TempDir static Path folder;

  private static final Map<String, TestIdp> IDPS =
      Map.of(
          "usual", TestIdp.of("https://idp.usual.org", "usual.org"),
          "old", TestIdp.of("https://idp.old.org", "old.org"),
          "plain", TestIdp.of("https://idp.plain.org", "plain.org"));
  private static RunningSlcs slcs;

  @BeforeAll
  static void start() throws IOException {
    Init.init();
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.saml.providers[0].name",
                "usual",
                "staithe.saml.providers[0].metadata",
                file("usual"),
                "staithe.saml.providers[1].name",
                "old",
                "staithe.saml.providers[1].metadata",
                file("old"),
                "staithe.saml.providers[1].encryption",
                "legacy",
                "staithe.saml.providers[2].name",
                "plain",
                "staithe.saml.providers[2].metadata",
                file("plain"),
                "staithe.saml.providers[2].encryption",
                "none"));
  }

  private static Path file(String name) throws IOException {
    return Files.writeString(folder.resolve(name + ".xml"), idp(name).metadata());
  }

  private static TestIdp idp(String name) {
    return java.util.Objects.requireNonNull(IDPS.get(name));
  }

  @AfterAll
  static void stop() {
    slcs.close();
  }

  /** How a provider encrypts, and what it signs. */
  private record Form(String content, String key, boolean signedInside, boolean signedAround) {}

  /** What comes of such a login: {@link #ENTERED}, or the line. */
  private static String login(String name, Form form, Consumer<Document> forging) throws Exception {
    TestIdp idp = idp(name);
    TestBrowser browser = slcs.browser();
    TestIdp.Said said =
        idp.good(
            slcs.url().toString(),
            TestIdp.requestId(
                URI.create(
                    browser
                        .get("/saml2/authenticate/" + name + "?to=/session")
                        .headers()
                        .firstValue("Location")
                        .orElseThrow())));
    said.attributes.put(TestIdp.EPPN, List.of("ada@" + name + ".org"));
    said.signAssertion = form.signedInside();
    Document document = idp.response(said);
    encrypt(document, form);
    if (form.signedAround()) {
      TestIdp.sign(
          document.getDocumentElement(), idp.keys().key(), TestIdp.RSA_SHA256, TestIdp.SHA256);
    }
    forging.accept(document);
    HttpResponse<String> answer =
        browser.post(
            new TestBrowser.Form(
                slcs.url().resolve(ServiceProvider.CONSUMER),
                Map.of(
                    "SAMLResponse",
                    Base64.getEncoder()
                        .encodeToString(TestIdp.text(document).getBytes(StandardCharsets.UTF_8)))));
    if (answer.statusCode() == 303) {
      assertThat(browser.get("/session").body()).contains("ada@" + name + ".org");
      return ENTERED;
    }
    assertThat(browser.get("/session").statusCode()).isEqualTo(401);
    return answer.body().strip();
  }

  private static void encrypt(Document document, Form form) throws Exception {
    Element assertion = TestIdp.assertion(document);
    Element around = document.createElementNS(SamlNamespaces.ASSERTION, "saml:EncryptedAssertion");
    assertion.getParentNode().replaceChild(around, assertion);
    around.appendChild(assertion);
    KeyGenerator generator = KeyGenerator.getInstance("AES");
    generator.init(form.content().equals(CBC) ? 256 : 128);
    var secret = generator.generateKey();
    XMLCipher wrap = XMLCipher.getInstance(form.key());
    wrap.init(
        XMLCipher.WRAP_MODE,
        slcs.bean(SamlSettings.class).credential().certificate().getPublicKey());
    XMLCipher cipher =
        XMLCipher.getInstance(form.content(), "http://www.w3.org/2001/10/xml-exc-c14n#");
    cipher.init(XMLCipher.ENCRYPT_MODE, secret);
    var info = new KeyInfo(document);
    info.add(wrap.encryptKey(document, secret));
    cipher.getEncryptedData().setKeyInfo(info);
    cipher.doFinal(document, assertion);
  }

  private static final String REFUSED = "not logged in: " + Refusal.Reason.SIGNATURE.line();

  @Test
  void assertionSignedThenEncryptedInAnUnsignedResponseLogsIn() throws Exception {
    assertThat(login("usual", new Form(GCM, OAEP, true, false), document -> {})).isEqualTo(ENTERED);
    assertThat(login("usual", new Form(GCM, OAEP, false, true), document -> {})).isEqualTo(ENTERED);
  }

  @Test
  void whatNobodySignedAndOneOfAnotherKeyStayOut() throws Exception {
    assertThat(login("usual", new Form(GCM, OAEP, false, false), document -> {}))
        .isEqualTo(REFUSED);
    assertThat(login("usual", new Form(GCM, OAEP, true, false), EncryptedAssertionTests::flip))
        .isEqualTo(REFUSED);
  }

  private static void flip(Document document) {
    var values = document.getElementsByTagNameNS(ENC, "CipherValue");
    Element content = (Element) values.item(values.getLength() - 1);
    byte[] bytes = Base64.getMimeDecoder().decode(content.getTextContent());
    bytes[bytes.length / 2] ^= 1;
    content.setTextContent(Base64.getEncoder().encodeToString(bytes));
  }

  /** The first is the key. */
  @ParameterizedTest
  @CsvSource({"0, A", "0, ''", "1, A", "1, ''", "1, QUJD"})
  void whatIsCutShortStaysOut(int place, String text) throws Exception {
    assertThat(
            login(
                "usual",
                new Form(GCM, OAEP, true, false),
                document ->
                    document
                        .getElementsByTagNameNS(ENC, "CipherValue")
                        .item(place)
                        .setTextContent(text)))
        .isEqualTo(REFUSED);
  }

  @ParameterizedTest
  @CsvSource({
    "usual, true,  " + CBC + "," + OAEP + ", false",
    "usual, true,  " + GCM + "," + RSA_15 + ", false",
    "old,   true,  " + CBC + "," + OAEP + ", true",
    "old,   true,  " + GCM + "," + RSA_15 + ", true",
    "old,   false, " + CBC + "," + OAEP + ", false",
    "old,   false, " + GCM + "," + RSA_15 + ", false",
    "old,   false, " + GCM + "," + OAEP + ", true",
    "plain, true,  " + GCM + "," + OAEP + ", false",
  })
  void oldAlgorithmsAreTakenOnlyWhereConfiguredAndInASignedResponse(
      String provider, boolean signedAround, String content, String key, boolean enters)
      throws Exception {
    assertThat(login(provider, new Form(content, key, true, signedAround), document -> {}))
        .isEqualTo(enters ? ENTERED : REFUSED);
  }

  @Test
  void contentThatIsElsewhereIsNotFetched() throws Exception {
    assertThat(
            login(
                "usual",
                new Form(GCM, OAEP, true, false),
                document -> {
                  var values = document.getElementsByTagNameNS(ENC, "CipherValue");
                  var value = values.item(values.getLength() - 1);
                  Element elsewhere = document.createElementNS(ENC, "xenc:CipherReference");
                  elsewhere.setAttribute("URI", slcs.url() + "/ca.der");
                  value.getParentNode().replaceChild(elsewhere, value);
                }))
        .isEqualTo(REFUSED);
  }

  @Test
  void providerThatMustNotEncryptGetsMetadataWithoutAKeyForIt() {
    TestBrowser browser = slcs.browser();

    assertThat(browser.get("/saml2/metadata").body())
        .contains("use=\"encryption\"", "aes128-gcm")
        .doesNotContain("cbc");
    assertThat(browser.get("/saml2/metadata/old").body()).contains("aes256-cbc");
    assertThat(browser.get("/saml2/metadata/plain").body())
        .contains("use=\"signing\"", "entityID=\"" + slcs.url() + "/saml2/metadata\"")
        .doesNotContain("encryption");
    assertThat(browser.get("/saml2/metadata/nobody").statusCode()).isEqualTo(404);
  }
}
