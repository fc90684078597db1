package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.service.log.AuditLog;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.ca.CertificateAuthority;
import dev.staithe.slcs.issue.OpenSsl;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.testkit.Trials;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Campuses that name their people by subject-id or pairwise-id (REFEDS Personalized and
 * Pseudonymous Access), and those that begin to: from the login to the certificate.
 */
class ModernCampusTests {
  private static final String SUBJECT = "urn:oasis:names:tc:SAML:attribute:subject-id";
  private static final String PAIRWISE = "urn:oasis:names:tc:SAML:attribute:pairwise-id";
  private static final TestIdp IDP = TestIdp.of("https://idp.modern.org", "modern.org");

  @TempDir static Path folder;
  private static RunningSlcs slcs;
  private static OpenSsl openssl;

  @BeforeAll
  static void start() throws IOException {
    slcs = RunningSlcs.start(folder, settings());
    openssl = new OpenSsl(folder);
  }

  private static Map<String, Object> settings() throws IOException {
    return Map.of(
        "staithe.saml.providers[0].name",
        "modern",
        "staithe.saml.providers[0].metadata",
        Files.writeString(folder.resolve("modern.xml"), IDP.metadata()),
        "staithe.issue.name",
        "/DC=org/DC=staithe/O={scope}/CN={eppn}",
        "staithe.issue.operators[0].attribute",
        "eduPersonPrincipalName",
        "staithe.issue.operators[0].values[0]",
        "operator@modern.org");
  }

  @AfterAll
  static void stop() {
    slcs.close();
  }

  /** Logs somebody in of whom the provider tells names and values by turns. */
  private static HttpResponse<String> answer(TestBrowser browser, String... told) {
    TestIdp.Said said =
        IDP.good(
            slcs.url().toString(),
            TestIdp.requestId(
                URI.create(
                    browser
                        .get("/saml2/authenticate/modern?to=/session")
                        .headers()
                        .firstValue("Location")
                        .orElseThrow())));
    said.attributes.clear();
    for (int i = 0; i < told.length; i += 2) {
      said.attributes.put(told[i], List.of(told[i + 1].split(" ")));
    }
    return browser.post(
        new TestBrowser.Form(
            slcs.url().resolve(ServiceProvider.CONSUMER),
            Map.of("SAMLResponse", base64(TestIdp.text(IDP.response(said))))));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static TestBrowser loggedIn(String... told) {
    TestBrowser browser = slcs.browser();
    HttpResponse<String> answer = answer(browser, told);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
    return browser;
  }

  private static HttpResponse<String> certificate(TestBrowser browser) {
    return browser.post(
        slcs.url().resolve("/certificates"),
        "application/pkcs10",
        OpenSsl.text(openssl.request()),
        "Accept",
        "application/json");
  }

  private static String subject(TestBrowser browser) {
    HttpResponse<String> answer = certificate(browser);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return JsonMapper.shared().readTree(answer.body()).path("subject").asString("");
  }

  @Test
  void metadataAskForAllIdentifiersAndRequireNone() {
    String metadata = slcs.browser().get("/saml2/metadata").body();

    assertThat(metadata)
        .contains(TestIdp.EPPN, SUBJECT, PAIRWISE, "FriendlyName=\"eduPersonPrincipalName\"")
        .contains("subject-id:req", "<saml:AttributeValue>any</saml:AttributeValue>")
        .doesNotContain("isRequired=\"true\"");
  }

  @Test
  void subjectIdAloneIsEnoughForACertificate() {
    TestBrowser browser = loggedIn(SUBJECT, "Idm-123456789@Modern.ORG");

    JsonNode who = JsonMapper.shared().readTree(browser.get("/session").body());
    assertThat(who.path("principalName").asString("")).isEqualTo("idm-123456789@modern.org");
    assertThat(subject(browser))
        .isEqualTo("/DC=org/DC=staithe/O=modern.org/CN=idm-123456789@modern.org");
  }

  @Test
  void pairwiseIdAloneIsEnoughAlsoWhereItIsALongDigest() {
    String digest = "0123456789abcdef".repeat(4);
    TestBrowser browser = loggedIn(PAIRWISE, digest + "@modern.org");

    String name = subject(browser);

    assertThat(name).matches("/DC=org/DC=staithe/O=modern.org/CN=[0-9a-f]{16}@modern.org");
    assertThat(subject(loggedIn(PAIRWISE, digest + "@modern.org"))).isEqualTo(name);
    assertThat(subject(loggedIn(PAIRWISE, digest.replace('0', '1') + "@modern.org")))
        .isNotEqualTo(name);
  }

  @Test
  void personWhoseCampusModernisesKeepsTheName() {
    String name = subject(loggedIn(TestIdp.EPPN, "ada@modern.org"));

    TestBrowser both = loggedIn(TestIdp.EPPN, "ada@modern.org", SUBJECT, "a-1@modern.org");
    assertThat(subject(both)).isEqualTo(name);
    assertThat(subject(loggedIn(SUBJECT, "a-1@modern.org", PAIRWISE, "p-1@modern.org")))
        .isEqualTo(name);
    TestBrowser last = loggedIn(PAIRWISE, "p-1@modern.org");
    assertThat(subject(last)).isEqualTo(name);
    assertThat(JsonMapper.shared().readTree(last.get("/certificates").body()).path("certificates"))
        .hasSize(4);
  }

  @Test
  void principalNameOfOneWhoLeftGivesNobodyElseTheName() {
    subject(loggedIn(TestIdp.EPPN, "eve@modern.org", SUBJECT, "e-1@modern.org"));

    HttpResponse<String> namesake =
        certificate(loggedIn(TestIdp.EPPN, "eve@modern.org", SUBJECT, "e-2@modern.org"));
    assertThat(namesake.statusCode()).isEqualTo(403);
    assertThat(namesake.body()).contains("given to another person before");
    HttpResponse<String> nameless = certificate(loggedIn(TestIdp.EPPN, "eve@modern.org"));
    assertThat(nameless.statusCode()).isEqualTo(403);
    assertThat(nameless.body()).contains("tells less of you than before");
  }

  @Test
  void subjectIdThatLooksLikeAnothersPrincipalNameIsNotThatPerson() {
    subject(loggedIn(TestIdp.EPPN, "bob@modern.org", SUBJECT, "b-1@modern.org"));

    assertThat(certificate(loggedIn(SUBJECT, "bob@modern.org")).statusCode()).isEqualTo(403);
  }

  @Test
  void twoValuesOfAnIdentifierLogNobodyIn() {
    for (String name : List.of(SUBJECT, PAIRWISE, "urn:oid:1.3.6.1.4.1.5923.1.1.1.13")) {
      HttpResponse<String> answer =
          answer(
              slcs.browser(),
              TestIdp.EPPN,
              "two@modern.org",
              name,
              "t-1@modern.org t-2@modern.org");

      assertThat(answer.statusCode()).as(name).isEqualTo(403);
      assertThat(answer.body()).contains("did not say who you are in the form that is needed");
      Trials.held();
    }
  }

  @Test
  void operatorLinksWhomNoLoginWithBothShowsToBeOne() {
    String name = subject(loggedIn(TestIdp.EPPN, "cleo@modern.org"));
    TestBrowser operator = loggedIn(TestIdp.EPPN, "operator@modern.org");
    String link =
        """
        {"provider": "%s", "person": "cleo@modern.org", "kind": "subject-id", "id": "C-1@modern.org"}"""
            .formatted(IDP.entityId());

    assertThat(send(loggedIn(TestIdp.EPPN, "cleo@modern.org"), "/people/link", link).statusCode())
        .as("by herself")
        .isEqualTo(403);
    assertThat(send(operator, "/people/link", link, "Origin", "https://evil.example").statusCode())
        .isIn(401, 403);
    assertThat(send(operator, "/people/link", link).statusCode()).isEqualTo(204);

    assertThat(subject(loggedIn(SUBJECT, "c-1@modern.org"))).isEqualTo(name);
    JsonNode found =
        JsonMapper.shared().readTree(operator.get("/people?q=C-1").body()).path("people");
    assertThat(found).hasSize(1);
    assertThat(found.get(0).path("name").asString("")).isEqualTo(name);
    assertThat(found.get(0).path("identifiers").toString())
        .contains("subject-id", "c-1@modern.org", "eduPersonPrincipalName", "cleo@modern.org");
  }

  @Test
  void operatorTellsThatAProviderHasAnotherEntityId() throws IOException {
    TestBrowser operator = loggedIn(TestIdp.EPPN, "operator@modern.org");

    HttpResponse<String> unknown =
        send(
            operator,
            "/people/provider",
            "{\"provider\": \"https://nobody.org\", \"becomes\": \"https://new.org\"}");

    assertThat(unknown.statusCode()).as(unknown.body()).isEqualTo(404);
    assertThat(audit()).doesNotContain("provider.rename");

    String name = subject(loggedIn(TestIdp.EPPN, "fred@modern.org", SUBJECT, "f-1@modern.org"));
    HttpResponse<String> moved = renamed(operator, IDP.entityId(), "https://was.org");
    assertThat(moved.statusCode()).as(moved.body()).isEqualTo(200);
    assertThat(JsonMapper.shared().readTree(moved.body()).path("people").asInt()).isPositive();
    assertThat(audit())
        .contains("\"event\":\"provider.rename\",\"outcome\":\"ok\"")
        .contains("\"by\":\"operator@modern.org\"")
        .contains("\"becomes\":\"https://was.org\"");
    assertThat(slcs.bean(CertificateAuthority.class).issuedTo("https://was.org f-1@modern.org"))
        .as("what was issued before, to be withdrawn by whom it was issued to")
        .hasSize(1);
    assertThat(certificate(loggedIn(SUBJECT, "f-1@modern.org", TestIdp.EPPN, "fred@modern.org")))
        .as("of a provider whose people went elsewhere, the name is another's")
        .extracting(HttpResponse::statusCode)
        .isEqualTo(403);

    // Somebody here by now has an identifier that one who went has too: they cannot be told apart.
    subject(loggedIn(TestIdp.EPPN, "dan@modern.org"));
    send(
        operator,
        "/people/link",
        """
        {"provider": "%s", "person": "dan@modern.org", "kind": "subject-id", "id": "f-1@modern.org"}"""
            .formatted(IDP.entityId()));
    HttpResponse<String> both = renamed(operator, "https://was.org", IDP.entityId());
    assertThat(both.statusCode()).as(both.body()).isEqualTo(409);
    assertThat(both.body()).contains("link those first");

    assertThat(renamed(operator, IDP.entityId(), "https://other.org").statusCode()).isEqualTo(200);
    assertThat(renamed(operator, "https://was.org", IDP.entityId()).statusCode())
        .as("nothing of what was refused was done")
        .isEqualTo(200);
    assertThat(subject(loggedIn(SUBJECT, "f-1@modern.org"))).isEqualTo(name);
    assertThat(renamed(operator, IDP.entityId(), "urn:" + "x".repeat(1000)).statusCode())
        .as("beyond what is kept")
        .isEqualTo(400);
  }

  @Test
  void nothingIsChangedThatTheAuditLogCannotTell() throws IOException {
    RunningSlcs usual = slcs;
    try (RunningSlcs mute = usual.another(folder, settings())) {
      slcs = mute;
      subject(loggedIn(TestIdp.EPPN, "gil@modern.org"));
      TestBrowser operator = loggedIn(TestIdp.EPPN, "operator@modern.org");
      mute.bean(AuditLog.class).close();

      String link =
          """
          {"provider": "%s", "person": "gil@modern.org", "kind": "subject-id", "id": "g-1@modern.org"}"""
              .formatted(IDP.entityId());
      assertThat(send(operator, "/people/link", link).statusCode()).isEqualTo(503);
      assertThat(renamed(operator, IDP.entityId(), "https://was.org").statusCode()).isEqualTo(503);

      assertThat(operator.get("/people?q=gil").body())
          .contains(IDP.entityId())
          .doesNotContain("g-1@modern.org", "https://was.org");
    } finally {
      slcs = usual;
    }
  }

  private static HttpResponse<String> renamed(TestBrowser operator, String from, String to) {
    return send(
        operator,
        "/people/provider",
        "{\"provider\": \"%s\", \"becomes\": \"%s\"}".formatted(from, to));
  }

  private static String audit() throws IOException {
    return Files.readString(folder.resolve("state-audit.log"));
  }

  private static HttpResponse<String> send(
      TestBrowser browser, String path, String json, String... headers) {
    return browser.post(slcs.url().resolve(path), "application/json", json, headers);
  }
}
