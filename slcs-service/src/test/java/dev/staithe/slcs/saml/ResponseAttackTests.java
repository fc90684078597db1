package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.Refusal.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Responses as attackers, and providers gone bad, send them: each is refused with one line, leaves
 * a line in the audit log, and logs nobody in.
 */
class ResponseAttackTests {
  private static final String SAML = ResponseShape.SAML;
  private static final String DS = ResponseShape.DS;

  @TempDir static Path folder;

  private static final TestIdp IDP =
      new TestIdp(
          "https://idp.test.example.org",
          "<shibmd:Scope regexp=\"false\">test.example.org</shibmd:Scope>"
              + "<shibmd:Scope regexp=\"true\">^[a-z]+\\.lab\\.example\\.org$</shibmd:Scope>");
  private static final TestIdp OTHER = TestIdp.of("https://idp.other.example.org", "other.org");
  private static RunningSlcs slcs;

  @BeforeAll
  static void start() throws IOException {
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.saml.providers[0].name",
                "test",
                "staithe.saml.providers[0].metadata",
                Files.writeString(folder.resolve("test.xml"), IDP.metadata()),
                "staithe.saml.providers[1].name",
                "other",
                "staithe.saml.providers[1].metadata",
                Files.writeString(folder.resolve("other.xml"), OTHER.metadata())));
  }

  @AfterAll
  static void stop() {
    slcs.close();
  }

  // --- how it goes ---------------------------------------------------------------------------

  private static String begin(TestBrowser browser) {
    HttpResponse<String> redirect = browser.get("/saml2/authenticate/test?to=/session");
    assertThat(redirect.statusCode()).isEqualTo(302);
    return TestIdp.requestId(URI.create(redirect.headers().firstValue("Location").orElseThrow()));
  }

  private static HttpResponse<String> post(TestBrowser browser, String xml) {
    return browser.post(
        new TestBrowser.Form(
            slcs.url().resolve(ServiceProvider.CONSUMER),
            Map.of(
                "SAMLResponse",
                Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8)),
                "RelayState",
                "staithe")));
  }

  private static String[] auditLines() {
    try {
      return Files.readAllLines(folder.resolve("state-audit.log")).toArray(String[]::new);
    } catch (IOException e) {
      return new String[0];
    }
  }

  /** Sends what the test makes of a good response, and shows that it is of no use. */
  private static void refused(
      Reason reason, Consumer<TestIdp.Said> saying, UnaryOperator<String> forging) {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = IDP.good(slcs.url().toString(), begin(browser));
    saying.accept(said);
    refused(browser, reason, forging.apply(TestIdp.text(IDP.response(said))));
  }

  private static void refused(TestBrowser browser, Reason reason, String xml) {
    int before = auditLines().length;

    HttpResponse<String> answer = post(browser, xml);

    assertThat(answer.body()).isEqualTo("not logged in: " + reason.line() + "\n");
    assertThat(answer.statusCode()).isBetween(400, 499);
    assertThat(answer.headers().allValues("Set-Cookie")).isEmpty();
    assertThat(browser.get("/session").statusCode()).isEqualTo(401);
    String[] lines = auditLines();
    assertThat(lines).hasSize(before + 1);
    assertThat(lines[before]).contains("\"login\"").contains(reason.name());
  }

  private static void refused(Reason reason, Consumer<TestIdp.Said> saying) {
    refused(reason, saying, xml -> xml);
  }

  private static void forged(Consumer<Document> forging) {
    refused(
        Reason.SIGNATURE,
        said -> {},
        xml -> {
          Document document = TestIdp.parse(xml);
          forging.accept(document);
          return TestIdp.text(document);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"assertion", "response", "both"})
  void whatIsSignedAsItShouldBeLogsIn(String signed) {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = IDP.good(slcs.url().toString(), begin(browser));
    said.signAssertion = !signed.equals("response");
    said.signResponse = !signed.equals("assertion");

    HttpResponse<String> answer = post(browser, TestIdp.text(IDP.response(said)));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    assertThat(browser.get("/session").body()).contains("alice@test.example.org");
  }

  // --- signature wrapping (Somorovsky et al., On Breaking SAML, 2012) ------------------------

  private static Element copy(Element element) {
    return (Element) element.cloneNode(true);
  }

  private static Element signature(Element element) {
    return ProviderMetadata.children(element, DS, "Signature").getFirst();
  }

  private static Element withoutSignature(Element element) {
    Element copy = copy(element);
    copy.removeChild(signature(copy));
    return copy;
  }

  /** Says another person, under another ID. */
  private static Element evil(Element element) {
    element.setAttribute("ID", "_evil");
    var values = element.getElementsByTagNameNS(SAML, "AttributeValue");
    for (int i = 0; i < values.getLength(); i++) {
      values.item(i).setTextContent("mallory@test.example.org");
    }
    return element;
  }

  private static void wrapResponse(Consumer<Document> forging) {
    refused(
        Reason.SIGNATURE,
        said -> {
          said.signResponse = true;
          said.signAssertion = false;
        },
        xml -> {
          Document document = TestIdp.parse(xml);
          forging.accept(document);
          return TestIdp.text(document);
        });
  }

  @Test
  void signatureWrapping1OriginalResponseInsideSignature() {
    wrapResponse(
        document -> {
          Element root = document.getDocumentElement();
          Element original = withoutSignature(root);
          evil(root);
          signature(root).appendChild(original);
        });
  }

  @Test
  void signatureWrapping2OriginalResponseBeforeSignature() {
    wrapResponse(
        document -> {
          Element root = document.getDocumentElement();
          Element original = withoutSignature(root);
          evil(root);
          root.insertBefore(original, signature(root));
        });
  }

  @Test
  void signatureWrapping3EvilAssertionBeforeTheOriginal() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          original.getParentNode().insertBefore(evil(withoutSignature(original)), original);
        });
  }

  @Test
  void signatureWrapping4EvilAssertionAroundTheOriginal() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          Element evil = evil(withoutSignature(original));
          original.getParentNode().replaceChild(evil, original);
          evil.appendChild(original);
        });
  }

  @Test
  void signatureWrapping5SignatureInEvilAssertionOriginalBehind() {
    forged(
        document -> {
          Element assertion = TestIdp.assertion(document);
          Element original = withoutSignature(assertion);
          evil(assertion);
          assertion.getParentNode().appendChild(original);
        });
  }

  @Test
  void signatureWrapping6OriginalInsideSignatureOfEvilAssertion() {
    forged(
        document -> {
          Element assertion = TestIdp.assertion(document);
          Element original = withoutSignature(assertion);
          evil(assertion);
          signature(assertion).appendChild(original);
        });
  }

  @Test
  void signatureWrapping7EvilAssertionInExtensions() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          Element extensions = document.createElementNS(ResponseShape.PROTOCOL, "samlp:Extensions");
          extensions.appendChild(evil(withoutSignature(original)));
          original.getParentNode().insertBefore(extensions, original);
        });
  }

  @Test
  void signatureWrapping8OriginalInObjectOfSignature() {
    forged(
        document -> {
          Element assertion = TestIdp.assertion(document);
          Element original = withoutSignature(assertion);
          evil(assertion);
          Element object = document.createElementNS(DS, "ds:Object");
          object.appendChild(original);
          signature(assertion).appendChild(object);
        });
  }

  @Test
  void secondAssertionWithTheSameIdIsRefused() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          Element evil = evil(withoutSignature(original));
          evil.setAttribute("ID", original.getAttribute("ID"));
          original.getParentNode().insertBefore(evil, original);
        });
  }

  // --- signatures ----------------------------------------------------------------------------

  @Test
  void unsignedResponseIsRefused() {
    refused(Reason.SIGNATURE, said -> said.signAssertion = false);
  }

  @Test
  void strippedSignatureIsRefused() {
    forged(
        document -> {
          Element assertion = TestIdp.assertion(document);
          assertion.removeChild(signature(assertion));
        });
  }

  @Test
  void unsignedAssertionBesideASignedOneIsRefused() {
    forged(
        document -> {
          Element original = TestIdp.assertion(document);
          original.getParentNode().appendChild(evil(withoutSignature(original)));
        });
  }

  @Test
  void changedValueIsRefused() {
    refused(Reason.SIGNATURE, said -> {}, xml -> xml.replace("alice@", "mallory@"));
  }

  @Test
  void signatureByAKeyOfNobodyIsRefused() {
    refused(Reason.SIGNATURE, said -> said.key = TestIdp.credential().key());
  }

  @Test
  void signatureByTheKeyOfAnotherProviderIsRefused() {
    refused(Reason.SIGNATURE, said -> said.key = OTHER.keys().key());
  }

  @Test
  void signatureBySha1IsRefused() {
    refused(
        Reason.SIGNATURE, said -> said.algorithm = "http://www.w3.org/2000/09/xmldsig#rsa-sha1");
  }

  @Test
  void digestBySha1IsRefused() {
    refused(Reason.SIGNATURE, said -> said.digest = "http://www.w3.org/2000/09/xmldsig#sha1");
  }

  @Test
  void macByThePublicKeyAsSecretIsRefused() {
    refused(
        Reason.SIGNATURE,
        said -> {
          said.algorithm = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256";
          said.key =
              new javax.crypto.spec.SecretKeySpec(
                  IDP.keys().certificate().getPublicKey().getEncoded(), "HmacSHA256");
        });
  }

  @Test
  void signatureOfNothingByEmptyReferenceIsRefused() {
    refused(Reason.SIGNATURE, said -> {}, xml -> xml.replaceFirst("URI=\"#_a[^\"]+\"", "URI=\"\""));
  }

  // --- comments ------------------------------------------------------------------------------

  @Test
  void commentInsidePrincipalNameIsRefused() {
    refused(
        Reason.MALFORMED,
        said -> said.attributes.put(TestIdp.EPPN, List.of("alice@test.example.org.evil.org")),
        xml -> xml.replace("alice@test.example.org.evil", "alice@test.example.org<!-- -->.evil"));
  }

  @Test
  void commentInsideNameIdIsRefused() {
    refused(
        Reason.MALFORMED,
        said -> said.nameId = "alice.evil",
        xml -> xml.replace(">alice.evil<", ">alice<!---->.evil<"));
  }

  @Test
  void processingInstructionInsideValueIsRefused() {
    refused(Reason.MALFORMED, said -> {}, xml -> xml.replace("alice@", "alice<?x?>@"));
  }

  // --- meant for others ----------------------------------------------------------------------

  @Test
  void wrongAudienceIsRefused() {
    refused(Reason.NOT_FOR_US, said -> said.audience = "https://other.example.org/sp");
  }

  @Test
  void noAudienceIsRefused() {
    refused(Reason.NOT_FOR_US, said -> said.audience = null);
  }

  @Test
  void wrongRecipientIsRefused() {
    refused(Reason.NOT_FOR_US, said -> said.recipient = "https://other.example.org/acs");
  }

  @Test
  void wrongDestinationIsRefused() {
    refused(Reason.NOT_FOR_US, said -> said.destination = "https://other.example.org/acs");
  }

  @Test
  void wrongInResponseToIsRefused() {
    refused(
        Reason.UNKNOWN_REQUEST,
        said -> {
          said.inResponseTo = "ARQ0";
          said.confirmedRequest = "ARQ0";
        });
  }

  @Test
  void assertionForAnotherRequestThanTheResponseIsRefused() {
    refused(Reason.UNKNOWN_REQUEST, said -> said.confirmedRequest = "ARQ0");
  }

  @Test
  void unsolicitedResponseIsRefused() {
    refused(
        Reason.UNKNOWN_REQUEST,
        said -> {
          said.inResponseTo = null;
          said.confirmedRequest = null;
        });
  }

  @Test
  void answerOfAnotherProviderThanWasAskedIsRefused() {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = OTHER.good(slcs.url().toString(), begin(browser));
    refused(browser, Reason.UNKNOWN_PROVIDER, TestIdp.text(OTHER.response(said)));
  }

  @Test
  void assertionIssuedByAnotherProviderInsideASignedResponseIsRefused() {
    refused(
        Reason.ASSERTION,
        said -> {
          said.signResponse = true;
          said.signAssertion = false;
          said.assertionIssuer = OTHER.entityId();
        });
  }

  // --- time ----------------------------------------------------------------------------------

  @Test
  void earlyAssertionIsRefused() {
    refused(Reason.TIME, said -> said.notBefore = Instant.now().plusSeconds(180));
  }

  @Test
  void lateAssertionIsRefused() {
    refused(Reason.TIME, said -> said.notOnOrAfter = Instant.now().minusSeconds(180));
  }

  @Test
  void lateConfirmationIsRefused() {
    refused(Reason.TIME, said -> said.confirmedUntil = Instant.now().minusSeconds(180));
  }

  @Test
  void confirmationForEverIsRefused() {
    refused(Reason.ASSERTION, said -> said.confirmedUntil = null);
  }

  // --- XML -----------------------------------------------------------------------------------

  @Test
  void externalEntityIsRefused() {
    refused(
        Reason.MALFORMED,
        said -> {},
        xml ->
            "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                + xml.replace("alice@", "&x;@"));
  }

  @Test
  void entityBombIsRefused() {
    var entities = new StringBuilder("<!ENTITY a0 \"bomb\">");
    for (int i = 1; i < 30; i++) {
      entities.append("<!ENTITY a%d \"".formatted(i));
      entities.append("&a%d;".formatted(i - 1).repeat(10)).append("\">");
    }
    refused(
        Reason.MALFORMED,
        said -> {},
        xml -> "<!DOCTYPE r [" + entities + "]>" + xml.replace("alice@", "&a29;@"));
  }

  @Test
  void oversizedMessageIsRefused() {
    refused(
        Reason.TOO_LARGE,
        said -> said.attributes.put("urn:oid:2.5.4.13", List.of("x".repeat(300 * 1024))));
  }

  @Test
  void deepNestingIsRefused() {
    refused(
        Reason.MALFORMED,
        said ->
            said.attributes.put("urn:oid:2.5.4.13", List.of("<b>".repeat(80) + "</b>".repeat(80))));
  }

  @Test
  void whatIsNoSamlIsRefused() {
    refused(Reason.MALFORMED, said -> {}, xml -> "<html/>");
    refused(Reason.MALFORMED, said -> {}, xml -> xml.substring(0, xml.length() / 2));
    refused(Reason.MALFORMED, said -> {}, xml -> "");
  }

  // --- who -----------------------------------------------------------------------------------

  @Test
  void providerThatClaimsTheScopeOfAnotherIsRefused() {
    refused(Reason.SCOPE, said -> said.attributes.put(TestIdp.EPPN, List.of("rector@other.org")));
  }

  @Test
  void providerThatClaimsAScopeThatItsOwnIsPartOfIsRefused() {
    refused(Reason.SCOPE, said -> said.attributes.put(TestIdp.EPPN, List.of("alice@example.org")));
    refused(
        Reason.SCOPE,
        said -> said.attributes.put(TestIdp.EPPN, List.of("alice@x.test.example.org")));
    refused(
        Reason.SCOPE,
        said -> said.attributes.put(TestIdp.EPPN, List.of("alice@a.lab.example.org.evil.org")));
  }

  @Test
  void providerThatClaimsTheScopeOfAnotherInAnotherScopedAttributeIsRefused() {
    for (String name :
        List.of(
            "urn:oid:1.3.6.1.4.1.5923.1.1.1.9",
            "urn:oid:1.3.6.1.4.1.5923.1.1.1.13",
            "urn:oasis:names:tc:SAML:attribute:subject-id")) {
      refused(Reason.SCOPE, said -> said.attributes.put(name, List.of("member@other.org")));
    }
  }

  @Test
  void scopeByExpressionCoversWhatItMatches() {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = IDP.good(slcs.url().toString(), begin(browser));
    said.attributes.put(TestIdp.EPPN, List.of("alice@physics.lab.example.org"));

    assertThat(post(browser, TestIdp.text(IDP.response(said))).statusCode()).isEqualTo(303);
  }

  @Test
  void twoPrincipalNamesAreRefused() {
    refused(
        Reason.PRINCIPAL_NAME,
        said ->
            said.attributes.put(
                TestIdp.EPPN, List.of("alice@test.example.org", "bob@test.example.org")));
  }

  @Test
  void twoPrincipalNamesByTwoNamesOfTheAttributeAreRefused() {
    refused(
        Reason.PRINCIPAL_NAME,
        said -> said.attributes.put("eduPersonPrincipalName", List.of("bob@test.example.org")));
  }

  @Test
  void noPrincipalNameIsRefused() {
    refused(Reason.PRINCIPAL_NAME, said -> said.attributes.clear());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "alice",
        "@test.example.org",
        "alice@",
        "alice@@test.example.org",
        "alice@evil.org@test.example.org",
        "alice/CN=root@test.example.org",
        "alice,O=Evil@test.example.org",
        "alice=bob@test.example.org",
        "alice+CN=root@test.example.org",
        "al ice@test.example.org",
        "\u0430lice@test.example.org",
        "alice@t\u0435st.example.org",
        "alice\u202e@test.example.org",
        "\uff41lice@test.example.org",
        "alice&#10;@test.example.org",
        "alice@test.example.org&#10;x",
        "../alice@test.example.org",
        "-alice@test.example.org",
        "alice\"@test.example.org"
      })
  void hostilePrincipalNameIsRefused(String name) {
    refused(Reason.PRINCIPAL_NAME, said -> said.attributes.put(TestIdp.EPPN, List.of(name)));
  }

  @Test
  void overlongPrincipalNameIsRefused() {
    refused(
        Reason.PRINCIPAL_NAME,
        said -> said.attributes.put(TestIdp.EPPN, List.of("a".repeat(300) + "@test.example.org")));
  }

  // --- doors ---------------------------------------------------------------------------------

  @Test
  void browsersResponseAtTheDoorOfEnhancedClientsIsRefused() {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = IDP.good(slcs.url().toString(), begin(browser));

    HttpResponse<String> answer =
        browser.post(
            slcs.url().resolve(ServiceProvider.CONSUMER),
            Paos.TYPE,
            TestIdp.text(IDP.response(said)));

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).isEqualTo("not logged in: " + Reason.UNKNOWN_REQUEST.line() + "\n");
  }

  @Test
  void returnToAnotherSiteLeadsHome() {
    for (String to : List.of("//evil.org", "/\\evil.org", "https://evil.org/", "/%0d%0ax: y")) {
      TestBrowser browser = slcs.browser();
      String request =
          TestIdp.requestId(
              URI.create(
                  browser
                      .get(
                          "/saml2/authenticate/test?to="
                              + java.net.URLEncoder.encode(to, StandardCharsets.UTF_8))
                      .headers()
                      .firstValue("Location")
                      .orElseThrow()));
      HttpResponse<String> answer =
          post(browser, TestIdp.text(IDP.response(IDP.good(slcs.url().toString(), request))));
      assertThat(answer.headers().firstValue("Location").orElseThrow())
          .startsWith(slcs.url() + "/")
          .doesNotContain("evil");
    }
  }
}
