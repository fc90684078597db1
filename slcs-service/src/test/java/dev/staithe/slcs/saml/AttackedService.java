package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.slcs.saml.metadata.ServiceProvider;
import dev.staithe.slcs.saml.response.Refusal.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/**
 * A service to which attackers, and providers gone bad, send responses: each is refused with one
 * line, leaves a line in the audit log, and logs nobody in.
 */
abstract class AttackedService {

  @TempDir static Path folder;

  static final TestIdp IDP =
      new TestIdp(
          "https://idp.test.example.org",
          "<shibmd:Scope regexp=\"false\">test.example.org</shibmd:Scope>"
              + "<shibmd:Scope regexp=\"true\">^[a-z]+\\.lab\\.example\\.org$</shibmd:Scope>");
  static final TestIdp OTHER = TestIdp.of("https://idp.other.example.org", "other.org");
  static RunningSlcs slcs;

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

  static String begin(TestBrowser browser) {
    HttpResponse<String> redirect = browser.get("/saml2/authenticate/test?to=/session");
    assertThat(redirect.statusCode()).isEqualTo(302);
    return TestIdp.requestId(URI.create(redirect.headers().firstValue("Location").orElseThrow()));
  }

  static HttpResponse<String> post(TestBrowser browser, String xml) {
    return browser.post(
        new TestBrowser.Form(
            slcs.url().resolve(ServiceProvider.CONSUMER),
            Map.of(
                "SAMLResponse",
                Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8)),
                "RelayState",
                "staithe")));
  }

  static String[] auditLines() {
    try {
      return Files.readAllLines(folder.resolve("state-audit.log")).toArray(String[]::new);
    } catch (IOException e) {
      return new String[0];
    }
  }

  /** Sends what the test makes of a good response, and shows that it is of no use. */
  static void refused(Reason reason, Consumer<TestIdp.Said> saying, UnaryOperator<String> forging) {
    TestBrowser browser = slcs.browser();
    TestIdp.Said said = IDP.good(slcs.url().toString(), begin(browser));
    saying.accept(said);
    refused(browser, reason, forging.apply(TestIdp.text(IDP.response(said))));
  }

  static void refused(TestBrowser browser, Reason reason, String xml) {
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

  static void refused(Reason reason, Consumer<TestIdp.Said> saying) {
    refused(reason, saying, xml -> xml);
  }

  static void forged(Consumer<Document> forging) {
    refused(
        Reason.SIGNATURE,
        said -> {},
        xml -> {
          Document document = TestIdp.parse(xml);
          forging.accept(document);
          return TestIdp.text(document);
        });
  }
}
