package dev.staithe.slcs.saml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.staithe.peers.SimpleSamlServer;
import dev.staithe.pki.Credential;
import dev.staithe.pki.Pem;
import dev.staithe.slcs.RunningSlcs;
import dev.staithe.slcs.TestBrowser;
import dev.staithe.testkit.FreePort;
import dev.staithe.testkit.trust.ThrowAwayAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** A federation's metadata from its web server, with real providers of SimpleSAMLphp among them. */
class FederationIT {
  @TempDir static Path folder;

  private static final Credential SIGNER = TestIdp.credential();
  private static SimpleSamlServer idps;
  private static HttpsServer source;
  private static Map<String, Object> settings;
  private static volatile String published = "";

  @BeforeAll
  static void start() throws IOException {
    idps = SimpleSamlServer.start(folder.resolve("idp"));
    var north = idps.idp("north", SimpleSamlServer.Options.of("north.example.org"));
    published =
        sign(
            "<md:EntitiesDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\" ID=\"_f\""
                + " validUntil=\"%s\">".formatted(Instant.now().plus(Duration.ofDays(7)))
                + idps.metadata(north).replaceFirst("<\\?xml[^>]*>", "")
                + TestIdp.of("https://idp.south.example.org", "south.example.org").metadata()
                + "</md:EntitiesDescriptor>");
    ThrowAwayAuthority authority =
        ThrowAwayAuthority.in(folder.resolve("source"), Clock.systemUTC());
    source = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    source.setHttpsConfigurator(
        new HttpsConfigurator(authority.serverContext(authority.localhost().credential())));
    source.createContext(
        "/all.xml",
        exchange -> {
          byte[] body = published.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(
              body.length == 0 ? 503 : 200, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    source.start();
    Path signer = folder.resolve("signer.pem");
    Pem.writeCertificates(signer, List.of(SIGNER.certificate()));
    settings = new HashMap<>();
    settings.put(
        "staithe.saml.federation.metadata",
        "https://localhost:" + source.getAddress().getPort() + "/all.xml");
    settings.put("staithe.saml.federation.certificate", signer);
    settings.put("staithe.trust", authority.certificateFile());
  }

  @AfterAll
  static void stop() {
    source.stop(0);
    idps.close();
  }

  private static String sign(String text) {
    Document document = TestIdp.parse(text);
    TestIdp.sign(document.getDocumentElement(), SIGNER.key(), TestIdp.RSA_SHA256, TestIdp.SHA256);
    return TestIdp.text(document);
  }

  @Test
  void peopleChooseOnThePageAndLogInAlsoAfterAStartWhileTheSourceIsDown() throws IOException {
    int port = FreePort.next();
    try (RunningSlcs slcs = RunningSlcs.start(folder, port, settings)) {
      idps.trust(slcs.browser().get("/saml2/metadata").body());
      TestBrowser browser = slcs.browser();
      HttpResponse<String> page = browser.get("/login?to=/session", "Accept", "text/html");
      assertThat(page.body())
          .contains(">north<")
          .contains("University at https://idp.south.example.org")
          .contains("/saml2/authenticate/north.example.org?to=%2Fsession");
      assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
          .contains("default-src 'none'");

      assertThat(browser.get("/login?q=SOUTH", "Accept", "text/html").body())
          .contains("south.example.org")
          .doesNotContain("north.example.org");
      assertThat(browser.get("/login?q=%3Cscript%3E", "Accept", "text/html").body())
          .contains("Nothing is found")
          .doesNotContain("<script>");

      browser.login("/saml2/authenticate/north.example.org?to=/session", "alice", "alice pass");
      assertThat(browser.get("/session").body()).contains("alice@north.example.org");
    }
    assertThat(
            Files.exists(folder.resolve("state-" + port + "/federation/metadata-federation.xml")))
        .isTrue();

    String before = published;
    published = "";
    try (RunningSlcs slcs = RunningSlcs.start(folder, port, settings)) {
      TestBrowser browser = slcs.browser();
      browser.login("/login?idp=north.example.org", "bob", "bob pass");
      assertThat(browser.get("/session").body()).contains("bob@north.example.org");
    } finally {
      published = before;
    }
  }

  @Test
  void providerThatEndedIsGoneAndOneOfShorterLifeThanTheFederationIsNot() {
    String before = published;
    Instant now = Instant.now();
    published =
        sign(
            "<md:EntitiesDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\" ID=\"_v\">"
                + until("ended.example.org", now.minus(Duration.ofDays(1)))
                + until("short.example.org", now.plus(Duration.ofDays(2)))
                + until("form.example.org", now.plus(Duration.ofDays(2)))
                    .replaceFirst(
                        "HTTP-Redirect(\" Location=\"https://form.example.org/sso\")",
                        "HTTP-POST$1")
                + "</md:EntitiesDescriptor>");
    try (RunningSlcs slcs = RunningSlcs.start(folder, FreePort.next(), settings)) {
      TestBrowser browser = slcs.browser();
      assertThat(browser.get("/saml2/authenticate/ended.example.org").statusCode()).isEqualTo(404);
      assertThat(browser.get("/saml2/authenticate/short.example.org").statusCode()).isEqualTo(302);
      HttpResponse<String> form = browser.get("/saml2/authenticate/form.example.org");
      assertThat(form.statusCode()).as("takes requests by POST only").isEqualTo(200);
      assertThat(TestBrowser.form(form).action())
          .isEqualTo(java.net.URI.create("https://form.example.org/sso"));
      assertThat(browser.get("/login", "Accept", "text/html").body())
          .contains("short.example.org")
          .doesNotContain("ended.example.org");
      assertThat(browser.get("/.staithe/metrics").body())
          .contains("staithe_saml_metadata_faults{source=\"federation\"} 1.0");
    } finally {
      published = before;
    }
  }

  private static String until(String name, Instant until) {
    return TestIdp.of("https://" + name, name)
        .metadata()
        .replace(" entityID=", " validUntil=\"" + until + "\" entityID=");
  }

  @Test
  void withoutSourceAndWithoutCopyTheServiceStartsAndKnowsNobody() {
    String before = published;
    published = "";
    try (RunningSlcs slcs = RunningSlcs.start(folder, FreePort.next(), settings)) {
      assertThat(slcs.browser().get("/login", "Accept", "text/html").body())
          .contains("Nothing is found");
    } finally {
      published = before;
    }
  }
}
