package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.response.Refusal;
import dev.staithe.testkit.Trials;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.w3c.dom.Document;

/** Logouts that a provider asks for which has no place for the answer in its metadata. */
class LogoutRequestTests {
  private static final TestIdp IDP = TestIdp.of("https://idp.mute.example.org", "mute.example.org");

  @TempDir static Path folder;
  private static RunningSlcs slcs;

  @BeforeAll
  static void start() throws IOException {
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.saml.providers[0].name",
                "mute",
                "staithe.saml.providers[0].metadata",
                Files.writeString(
                    folder.resolve("mute.xml"),
                    IDP.metadata().replaceAll("<md:SingleLogoutService[^>]*>", ""))));
  }

  @AfterAll
  static void stop() {
    slcs.close();
  }

  private static TestIdp.Said loggedIn(TestBrowser browser) throws Exception {
    TestIdp.Said said =
        IDP.good(
            slcs.url().toString(),
            TestIdp.requestId(
                java.net.URI.create(
                    browser
                        .get("/saml2/authenticate/mute?to=/session")
                        .headers()
                        .firstValue("Location")
                        .orElseThrow())));
    said.attributes.put(TestIdp.EPPN, java.util.List.of("ada@mute.example.org"));
    IDP.send(slcs, browser, said);
    assertThat(browser.get("/session").statusCode()).isEqualTo(200);
    return said;
  }

  @Test
  void sessionEndsAlsoWhereTheProviderHasNoPlaceForTheAnswer() throws Exception {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = loggedIn(browser);

    String query = query(said.nameId);
    HttpResponse<String> answer = browser.get("/saml2/logout?" + query);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    assertThat(answer.headers().firstValue("Location")).hasValue("/logout");
    assertThat(browser.get("/session").statusCode()).isEqualTo(401);
    assertThat(browser.get("/saml2/logout?" + query).body()).contains("used already");
  }

  @Test
  void requestThatCouldNotBeFollowedMayBeSentAgain() throws Exception {
    TestBrowser browser = slcs.browser();
    String query = query(loggedIn(browser).nameId);
    JdbcClient store = JdbcClient.create(slcs.bean(DataSource.class));

    store.sql("ALTER TABLE saml_session RENAME TO saml_session_away").update();
    try {
      assertThat(slcs.browser().get("/saml2/logout?" + query).statusCode())
          .isGreaterThanOrEqualTo(500);
    } finally {
      store.sql("ALTER TABLE saml_session_away RENAME TO saml_session").update();
    }

    HttpResponse<String> again = slcs.browser().get("/saml2/logout?" + query);
    assertThat(again.statusCode()).as(again.body()).isEqualTo(303);
    assertThat(browser.get("/session").statusCode()).isEqualTo(401);
  }

  @Test
  void requestThatCannotBeReadIsRefusedAndEndsNothing() throws Exception {
    TestBrowser browser = slcs.browser();
    String name = loggedIn(browser).nameId;

    for (String query :
        List.of(
            signed(request(name, "yesterday")),
            query(name).replaceFirst("&Signature=.*", "&Signature=%21"))) {
      HttpResponse<String> answer = slcs.browser().get("/saml2/logout?" + query);

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
      assertThat(answer.body()).startsWith("not logged out: ");
      assertThat(browser.get("/session").statusCode()).isEqualTo(200);
      Trials.held();
    }
  }

  @Test
  void signatureInsideIsHeldToTheSameFormAsByPost() throws Exception {
    TestBrowser browser = slcs.browser();
    Document request = TestIdp.parse(request(loggedIn(browser).nameId, Instant.now().toString()));
    TestIdp.sign(
        request.getDocumentElement(),
        IDP.keys().key(),
        "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
        TestIdp.SHA256);
    String query = signed(TestIdp.text(request)).replaceFirst("&Signature=.*", "&Signature=AAAA");

    HttpResponse<String> answer = slcs.browser().get("/saml2/logout?" + query);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
    assertThat(answer.body()).contains(Refusal.Reason.SIGNATURE.line());
    assertThat(browser.get("/session").statusCode()).isEqualTo(200);
  }

  @Test
  void signatureOfAnotherRequestInTheSameQueryEndsNothing() throws Exception {
    TestBrowser browser = slcs.browser();
    String forged = query(loggedIn(browser).nameId).replaceFirst("SAMLRequest=([^&]*)&.*", "$1");
    String signed = query("_of-whoever-forges");

    for (String query :
        List.of(
            "SAML%52equest=" + forged + "&" + signed,
            "SAMLRequest=" + forged + "&" + signed,
            signed + "&SAMLRequest=" + forged)) {
      HttpResponse<String> answer = slcs.browser().get("/saml2/logout?" + query);

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
      assertThat(answer.body()).contains(Refusal.Reason.SIGNATURE.line());
      assertThat(browser.get("/session").statusCode()).isEqualTo(200);
      Trials.held();
    }
  }

  private static String query(String nameId) throws GeneralSecurityException, IOException {
    return signed(request(nameId, Instant.now().toString()));
  }

  private static String request(String nameId, String issued) {
    return """
    <samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_%s" Version="2.0" IssueInstant="%s" Destination="%s/saml2/logout"><saml:Issuer>%s</saml:Issuer><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">%s</saml:NameID></samlp:LogoutRequest>"""
        .formatted(UUID.randomUUID(), issued, slcs.url(), IDP.entityId(), nameId);
  }

  private static String signed(String xml) throws GeneralSecurityException, IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out =
        new DeflaterOutputStream(bytes, new Deflater(Deflater.DEFAULT_COMPRESSION, true))) {
      out.write(xml.getBytes(StandardCharsets.UTF_8));
    }
    String query =
        "SAMLRequest="
            + encoded(Base64.getEncoder().encodeToString(bytes.toByteArray()))
            + "&SigAlg="
            + encoded(TestIdp.RSA_SHA256);
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(IDP.keys().key());
    signature.update(query.getBytes(StandardCharsets.US_ASCII));
    return query + "&Signature=" + encoded(Base64.getEncoder().encodeToString(signature.sign()));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
