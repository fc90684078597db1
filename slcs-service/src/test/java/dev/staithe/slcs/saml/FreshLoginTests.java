package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.issue.OpenSsl;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A site that wants to know how fresh and how strong a login was, and what one address may begin.
 */
class FreshLoginTests {
  private static final String MFA = "https://refeds.org/profile/mfa";
  private static final String TOKEN = "urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken";
  private static final TestIdp IDP = TestIdp.of("https://idp.fresh.org", "fresh.org");

  @TempDir static Path folder;
  private static RunningSlcs slcs;

  @BeforeAll
  static void start() throws IOException {
    Map<String, Object> settings = new HashMap<>();
    settings.put("staithe.saml.providers[0].name", "fresh");
    settings.put("staithe.saml.providers[0].display-name", "Fresh University");
    settings.put(
        "staithe.saml.providers[0].metadata",
        Files.writeString(folder.resolve("fresh.xml"), IDP.metadata()));
    // Nothing in it is of use; the other campus works all the same.
    settings.put("staithe.saml.providers[1].name", "broken");
    settings.put(
        "staithe.saml.providers[1].metadata",
        Files.writeString(folder.resolve("broken.xml"), "<metadata/>"));
    settings.put("staithe.saml.authenticated-within", "10m");
    settings.put("staithe.saml.contexts[0]", MFA);
    settings.put("staithe.saml.contexts[1]", TOKEN);
    settings.put("staithe.saml.begun-per-address", 20);
    settings.put("staithe.saml.clock-skew", "5m");
    settings.put("staithe.issue.access[0].contexts[0]", MFA);
    slcs = RunningSlcs.start(folder, settings);
  }

  @AfterAll
  static void stop() {
    slcs.close();
  }

  private static HttpResponse<String> answer(TestBrowser browser, Consumer<TestIdp.Said> saying) {
    HttpResponse<String> redirect = browser.get("/saml2/authenticate/fresh?to=/session");
    TestIdp.Said said =
        IDP.good(
            slcs.url().toString(),
            TestIdp.requestId(URI.create(redirect.headers().firstValue("Location").orElseThrow())));
    said.attributes.put(TestIdp.EPPN, List.of("ada@fresh.org"));
    said.context = MFA;
    saying.accept(said);
    return browser.post(
        new TestBrowser.Form(
            slcs.url().resolve(ServiceProvider.CONSUMER),
            Map.of(
                "SAMLResponse",
                Base64.getEncoder()
                    .encodeToString(
                        TestIdp.text(IDP.response(said)).getBytes(StandardCharsets.UTF_8)))));
  }

  @Test
  void requestAsksForAFreshLoginOfOneOfTheWays() {
    String request =
        TestIdp.request(
            URI.create(
                slcs.browser()
                    .get("/saml2/authenticate/fresh")
                    .headers()
                    .firstValue("Location")
                    .orElseThrow()));

    assertThat(request)
        .contains("ForceAuthn=\"true\"", "RequestedAuthnContext", "Comparison=\"exact\"")
        .contains(">" + MFA + "<", ">" + TOKEN + "<");
  }

  @Test
  void requestByRedirectIsSignedOnceByTheKeyOfOurMetadata() throws GeneralSecurityException {
    String certificate =
        slcs.browser()
            .get(ServiceProvider.METADATA)
            .body()
            .replaceFirst("(?s).*?<ds:X509Certificate>([^<]+)<.*", "$1");
    String query =
        URI.create(
                slcs.browser()
                    .get("/saml2/authenticate/fresh")
                    .headers()
                    .firstValue("Location")
                    .orElseThrow())
            .getRawQuery();

    String[] parts = query.split("&Signature=");
    assertThat(parts).hasSize(2);
    assertThat(Arrays.stream(parts[0].split("&")).map(part -> part.replaceFirst("=.*", "")))
        .containsExactly("SAMLRequest", "RelayState", "SigAlg");
    Signature verifier = Signature.getInstance("SHA256withRSA");
    verifier.initVerify(
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(Base64.getMimeDecoder().decode(certificate))));
    verifier.update(parts[0].getBytes(StandardCharsets.US_ASCII));
    assertThat(
            verifier.verify(
                Base64.getDecoder().decode(URLDecoder.decode(parts[1], StandardCharsets.UTF_8))))
        .isTrue();
  }

  @Test
  void loginThatIsTooOldOrTooWeakIsNone() {
    TestBrowser browser = slcs.browser();
    assertThat(answer(browser, said -> {}).statusCode()).isEqualTo(303);

    assertThat(
            answer(browser, said -> said.authenticated = said.issued.minus(Duration.ofMinutes(20)))
                .body())
        .isEqualTo("not logged in: " + Reason.TOO_OLD.line() + "\n");
    assertThat(
            answer(
                    browser,
                    said ->
                        said.context =
                            "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport")
                .body())
        .isEqualTo("not logged in: " + Reason.TOO_WEAK.line() + "\n");
  }

  @Test
  void sessionOfACampusThatEndsNowGoesOnHereForAsLongAsClocksMayDifferOnly() {
    TestBrowser browser = slcs.browser();
    assertThat(answer(browser, said -> said.sessionEnds = said.issued.minusSeconds(1)).statusCode())
        .isEqualTo(303);

    JsonNode session = JsonMapper.shared().readTree(browser.get("/session").body());
    assertThat(
            Duration.between(
                Instant.parse(session.path("began").asString("")),
                Instant.parse(session.path("until").asString(""))))
        .isLessThan(Duration.ofMinutes(5));
    assertThat(
            answer(
                    slcs.browser(),
                    said -> said.sessionEnds = said.issued.minus(Duration.ofMinutes(6)))
                .body())
        .isEqualTo("not logged in: " + Reason.TIME.line() + "\n");
  }

  @Test
  void sessionEndsWithTheFirstOfThoseThatACampusTells() {
    TestBrowser browser = slcs.browser();
    String more =
        "</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>"
            + "<saml:AuthnStatement AuthnInstant=\"%s\" SessionNotOnOrAfter=\"%s\">"
            + "<saml:AuthnContext><saml:AuthnContextClassRef>";
    assertThat(
            answer(
                    browser,
                    said ->
                        said.context =
                            MFA + more.formatted(said.issued, said.issued.plusSeconds(60)) + MFA)
                .statusCode())
        .isEqualTo(303);

    JsonNode session = JsonMapper.shared().readTree(browser.get("/session").body());
    assertThat(
            Duration.between(
                Instant.parse(session.path("began").asString("")),
                Instant.parse(session.path("until").asString(""))))
        .isLessThan(Duration.ofMinutes(7));
  }

  @Test
  void certificatesAreForWhomTheRuleLetsByTheWayOfTheLogin() {
    var openssl = new OpenSsl(folder);
    TestBrowser strong = slcs.browser();
    answer(strong, said -> {});
    TestBrowser weaker = slcs.browser();
    answer(weaker, said -> said.context = TOKEN);

    assertThat(certificate(strong, openssl)).isEqualTo(201);
    assertThat(certificate(weaker, openssl)).isEqualTo(403);
  }

  private static int certificate(TestBrowser browser, OpenSsl openssl) {
    return browser
        .post(
            slcs.url().resolve("/certificates"),
            "application/pkcs10",
            OpenSsl.text(openssl.request()))
        .statusCode();
  }

  @Test
  void campusIsCalledAsTheSiteSaysAndABrokenOneStopsNobody() {
    assertThat(slcs.browser().get("/login", "Accept", "text/html").body())
        .contains("Fresh University");
    assertThat(slcs.browser().get("/saml2/authenticate/broken").statusCode()).isEqualTo(404);
  }
}
