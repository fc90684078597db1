package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.metadata.SamlNamespaces;
import dev.staithe.slcs.saml.metadata.SamlSettings;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.metadata.SignatureForm;
import dev.staithe.slcs.saml.response.Refusal;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** A provider that takes requests by POST only: logging in, and logging out from either end. */
class PostBindingTests {
  @TempDir static Path folder;

  private static final TestIdp IDP = TestIdp.of("https://idp.test.example.org", "example.org");
  private static RunningSlcs slcs;

  @BeforeAll
  static void start() throws IOException {
    String metadata = IDP.metadata().replace("HTTP-Redirect", "HTTP-POST");
    slcs =
        RunningSlcs.start(
            folder,
            Map.of(
                "staithe.saml.providers[0].name",
                "test",
                "staithe.saml.providers[0].metadata",
                Files.writeString(folder.resolve("test.xml"), metadata)));
  }

  @AfterAll
  static void stop() {
    slcs.close();
  }

  /** The message in a page's form, which must have our signature over its root. */
  private static Element signed(HttpResponse<String> page, String field, String action)
      throws Exception {
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'", "script-src 'self'")
        .doesNotContain("unsafe", "form-action");
    assertThat(page.body()).contains("<button").doesNotContain("onload");
    TestBrowser.Form form = TestBrowser.form(page);
    assertThat(form.action().toString()).isEqualTo(action);
    byte[] xml = Base64.getMimeDecoder().decode(form.fields().get(field));
    Document document = TestIdp.parse(new String(xml, StandardCharsets.UTF_8));
    Element root = document.getDocumentElement();
    root.setIdAttribute("ID", true);
    PublicKey key = slcs.bean(SamlSettings.class).credential().certificate().getPublicKey();
    var context =
        new DOMValidateContext(
            key, document.getElementsByTagNameNS(SamlNamespaces.DS, "Signature").item(0));
    var signature = XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context);
    assertThat(signature.validate(context)).isTrue();
    assertThat(SignatureForm.fault((Element) context.getNode(), root.getAttribute("ID"))).isNull();
    return root;
  }

  private static TestIdp.Said loggedIn(TestBrowser browser) throws Exception {
    return loggedIn(browser, "_s" + UUID.randomUUID());
  }

  private static TestIdp.Said loggedIn(TestBrowser browser, String index) throws Exception {
    return loggedIn(browser, "_n" + UUID.randomUUID(), index);
  }

  private static TestIdp.Said loggedIn(TestBrowser browser, String name, String index)
      throws Exception {
    HttpResponse<String> page = browser.get("/saml2/authenticate/test?to=/session");
    Element request = signed(page, "SAMLRequest", IDP.entityId() + "/sso");
    assertThat(request.getLocalName()).isEqualTo("AuthnRequest");
    assertThat(request.getAttribute("Destination")).isEqualTo(IDP.entityId() + "/sso");
    TestIdp.Said said = IDP.good(slcs.url().toString(), request.getAttribute("ID"));
    said.nameId = name;
    said.sessionIndex = index;
    said.attributes.put(TestIdp.EPPN, List.of("alice@example.org"));
    IDP.send(slcs, browser, said);
    assertThat(browser.get("/session").statusCode()).isEqualTo(200);
    return said;
  }

  @Test
  void loginAtAProviderThatTakesRequestsByPostOnlyGoesByASignedForm() throws Exception {
    loggedIn(slcs.browser());
  }

  @Test
  void scriptThatSendsTheFormIsServed() {
    HttpResponse<String> script = slcs.browser().get("/login/go-on.js");

    assertThat(script.statusCode()).isEqualTo(200);
    assertThat(script.headers().firstValue("Content-Type").orElse("")).contains("javascript");
  }

  @Test
  void logoutHereAsksTheProviderByASignedForm() throws Exception {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = loggedIn(browser);

    HttpResponse<String> page =
        browser.send(
            HttpRequest.newBuilder(slcs.url().resolve("/logout"))
                .header("Origin", slcs.url().toString())
                .POST(BodyPublishers.noBody()));

    Element request = signed(page, "SAMLRequest", IDP.entityId() + "/slo");
    assertThat(request.getLocalName()).isEqualTo("LogoutRequest");
    assertThat(text(request, "NameID")).isEqualTo(said.nameId);
    assertThat(text(request, "SessionIndex")).isEqualTo(said.sessionIndex);
    assertThat(browser.get("/session").statusCode()).isEqualTo(401);
    // The answer comes by POST as well, and nothing hangs on it.
    HttpResponse<String> end = post(browser, "SAMLResponse", "<whatever/>");
    assertThat(browser.follow(end).body()).contains("You are logged out here");
  }

  private static String text(Element root, String name) {
    return root.getElementsByTagNameNS("*", name).item(0).getTextContent();
  }

  private static HttpResponse<String> post(TestBrowser browser, String field, String xml) {
    var fields = new LinkedHashMap<String, String>();
    fields.put(field, Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8)));
    fields.put("RelayState", "theirs");
    return browser.post(new TestBrowser.Form(slcs.url().resolve(ServiceProvider.LOGOUT), fields));
  }

  private static Document asked(TestIdp.Said said) {
    return TestIdp.parse(
        """
        <samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_%s" Version="2.0" IssueInstant="%s" Destination="%s"><saml:Issuer>%s</saml:Issuer><saml:NameID>%s</saml:NameID><samlp:SessionIndex>%s</samlp:SessionIndex></samlp:LogoutRequest>"""
            .formatted(
                UUID.randomUUID(),
                Instant.now().truncatedTo(java.time.temporal.ChronoUnit.MILLIS),
                slcs.url() + ServiceProvider.LOGOUT,
                IDP.entityId(),
                said.nameId,
                said.sessionIndex));
  }

  private static String signedBy(TestIdp idp, Document request) {
    TestIdp.sign(
        request.getDocumentElement(), idp.keys().key(), TestIdp.RSA_SHA256, TestIdp.SHA256);
    return TestIdp.text(request);
  }

  @Test
  void providersRequestByPostEndsTheSessionAndIsAnsweredByASignedForm() throws Exception {
    TestBrowser browser = slcs.browser();
    Document request = asked(loggedIn(browser));
    String xml = signedBy(IDP, request);

    HttpResponse<String> page = post(browser, "SAMLRequest", xml);

    Element answer = signed(page, "SAMLResponse", IDP.entityId() + "/slo");
    assertThat(answer.getLocalName()).isEqualTo("LogoutResponse");
    assertThat(answer.getAttribute("InResponseTo"))
        .isEqualTo(request.getDocumentElement().getAttribute("ID"));
    assertThat(TestBrowser.form(page).fields()).containsEntry("RelayState", "theirs");
    assertThat(browser.get("/session").statusCode()).isEqualTo(401);
    HttpResponse<String> replayed = post(browser, "SAMLRequest", xml);
    assertThat(replayed.statusCode()).isEqualTo(403);
    assertThat(replayed.body()).contains(Refusal.Reason.REPLAY.line());
  }

  /** An index has no bound in SAML; the provider is told that the session was ended. */
  @Test
  void providersRequestEndsASessionWithALongIndex() throws Exception {
    TestBrowser browser = slcs.browser();
    Document request = asked(loggedIn(browser, "_s" + "x".repeat(600)));

    HttpResponse<String> page = post(browser, "SAMLRequest", signedBy(IDP, request));

    assertThat(signed(page, "SAMLResponse", IDP.entityId() + "/slo").getLocalName())
        .isEqualTo("LogoutResponse");
    assertThat(browser.get("/session").statusCode()).isEqualTo(401);
  }

  @Test
  void providersRequestEndsTheSessionsThatItNamesAndNoOther() throws Exception {
    List<TestBrowser> browsers = List.of(slcs.browser(), slcs.browser(), slcs.browser());
    TestIdp.Said first = loggedIn(browsers.get(0));
    TestIdp.Said second = loggedIn(browsers.get(1), first.nameId, "_s" + UUID.randomUUID());
    loggedIn(browsers.get(2), first.nameId, "_s" + UUID.randomUUID());
    Document request = asked(first);
    Node more = request.getElementsByTagNameNS("*", "SessionIndex").item(0).cloneNode(true);
    more.setTextContent(second.sessionIndex);
    request.getDocumentElement().appendChild(more);

    post(slcs.browser(), "SAMLRequest", signedBy(IDP, request));

    assertThat(browsers.stream().map(each -> each.get("/session").statusCode()))
        .containsExactly(401, 401, 200);
  }

  @Test
  void requestByPostThatIsNotSignedOrByAnotherEndsNothing() throws Exception {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = loggedIn(browser);
    TestIdp other = TestIdp.of(IDP.entityId(), "example.org");

    for (String xml : new String[] {TestIdp.text(asked(said)), signedBy(other, asked(said))}) {
      HttpResponse<String> answer = post(browser, "SAMLRequest", xml);

      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body())
          .isEqualTo("not logged out: " + Refusal.Reason.SIGNATURE.line() + "\n");
      assertThat(browser.get("/session").statusCode()).isEqualTo(200);
      Trials.held();
    }
  }
}
